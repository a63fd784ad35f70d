//! Shapes that programs on rayon have, from its documentation, from what its users tell, and from what published programs do: a
//! kind a file.

mod adaptors;
mod collections;
mod fine;
mod frames;
mod nested;
mod pools;
mod recursions;
mod slices;
mod spawns;
mod text;
mod waits;

use crate::Program;

pub(crate) fn programs() -> Vec<Program> {
    [
        adaptors::PROGRAMS,
        collections::PROGRAMS,
        fine::PROGRAMS,
        frames::PROGRAMS,
        nested::PROGRAMS,
        pools::PROGRAMS,
        recursions::PROGRAMS,
        slices::PROGRAMS,
        spawns::PROGRAMS,
        text::PROGRAMS,
        waits::PROGRAMS,
    ]
    .concat()
}
