//! ravif, by rav1e: a picture is encoded as AVIF, its colours beside its alpha channel, and within these joins and parallel
//! iterators over parts of the picture.

use crate::numbers;
use ravif::{Encoder, Img, RGBA8};
use std::time::{Duration, Instant};

const SIDE: usize = 128;

pub(super) fn encode() -> Result<Duration, String> {
    let grain = numbers(SIDE * SIDE);
    let pixel = |i: usize| {
        let [x, y, grain] = [i % SIDE, i / SIDE, (grain[i] >> 61) as usize].map(|part| part as u8);
        RGBA8::new(x.wrapping_mul(2), y.wrapping_mul(2), x ^ y, 255 - grain)
    };
    let pixels: Vec<RGBA8> = (0..SIDE * SIDE).map(pixel).collect();
    let encoded = |threads| {
        let encoder = Encoder::new().with_speed(8).with_quality(70.0).with_num_threads(threads);
        let picture = encoder.encode_rgba(Img::new(&pixels, SIDE, SIDE));
        picture.map(|picture| picture.avif_file).map_err(|error| error.to_string())
    };
    let expected = encoded(Some(1))?;
    let begin = Instant::now();
    let answer = encoded(None)?;
    let time = begin.elapsed();
    if answer == expected { Ok(time) } else { Err(String::from("another file than one thread's")) }
}
