//! exr: a picture of floats is compressed and read back. Each of the two builds a pool of its own, with a thread for each
//! processor, and spawns a task for each block of 16 lines.

use crate::numbers;
use exr::error::Error;
use exr::prelude::*;
use std::io::Cursor;
use std::time::{Duration, Instant};

const SIDE: usize = 1024;

type Pixel = (f32, f32, f32);

pub(super) fn write_and_read() -> std::result::Result<Duration, String> {
    let noise = numbers(SIDE * SIDE);
    let pixel = |at: Vec2<usize>| {
        let grain = (noise[at.y() * SIDE + at.x()] >> 60) as f32;
        (at.x() as f32, at.y() as f32, grain)
    };
    let begin = Instant::now();
    let copy = copy(&pixel).map_err(|error: Error| error.to_string())?;
    let time = begin.elapsed();
    let same = |(i, copied): (usize, &Pixel)| *copied == pixel(Vec2(i % SIDE, i / SIDE));
    let all = copy.len() == SIDE * SIDE && copy.iter().enumerate().all(same);
    if all { Ok(time) } else { Err(String::from("other pixels than were written")) }
}

/// The pixels after they were written and read.
fn copy(pixel: &(impl Fn(Vec2<usize>) -> Pixel + Sync)) -> Result<Vec<Pixel>> {
    let encoding = Encoding { compression: Compression::ZIP16, ..Encoding::default() };
    let image = Image::from_encoded_channels((SIDE, SIDE), encoding, SpecificChannels::rgb(pixel));
    let mut file = Vec::new();
    image.write().to_buffered(Cursor::new(&mut file))?;
    let reader = read()
        .no_deep_data()
        .largest_resolution_level()
        .rgb_channels(
            |size, _| vec![(0.0, 0.0, 0.0); size.area()],
            |pixels: &mut Vec<Pixel>, at, pixel: Pixel| pixels[at.y() * SIDE + at.x()] = pixel,
        )
        .first_valid_layer()
        .all_attributes();
    Ok(reader.from_buffered(Cursor::new(file))?.layer_data.channel_data.pixels)
}
