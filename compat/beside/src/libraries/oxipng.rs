//! oxipng: a picture is compressed with several filters at once, the attempts spawned as tasks, each with a parallel iterator
//! inside, while the caller runs `yield_local`.

use crate::{numbers, timed};
use oxipng::{BitDepth, ColorType, Options, RawImage};
use std::time::Duration;

const SIDE: usize = 160;

pub(super) fn optimize() -> Result<Duration, String> {
    let grain = numbers(SIDE * SIDE);
    let pixel = |i: usize| [i % SIDE, i / SIDE, (grain[i] >> 61) as usize].map(|part| part as u8);
    let bytes = (0..SIDE * SIDE).flat_map(pixel).collect();
    let color = ColorType::RGB { transparent_color: None };
    let picture = RawImage::new(SIDE as u32, SIDE as u32, color, BitDepth::Eight, bytes);
    let picture = picture.map_err(|error| error.to_string())?;
    let compressed = || {
        let compressed = picture.create_optimized_png(&Options::from_preset(2));
        compressed.map_err(|error| error.to_string())
    };
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let expected = alone.map_err(|error| error.to_string())?.install(compressed)?;
    timed(&Ok(expected.len()), || compressed().map(|png| png.len()))
}
