//! sprs: the product of two sparse matrices, a piece of it for each thread.

use crate::numbers;
use sprs::smmp::{ThreadingStrategy, set_thread_threading_strategy};
use sprs::{CsMat, TriMat};
use std::time::{Duration, Instant};

const SIZE: usize = 20_000;
const IN_ROW: usize = 12;

pub(super) fn multiply() -> Result<Duration, String> {
    let mut places = TriMat::new((SIZE, SIZE));
    for (i, number) in numbers(SIZE * IN_ROW).into_iter().enumerate() {
        places.add_triplet(i / IN_ROW, (number >> 8) as usize % SIZE, (number & 7) as f64);
    }
    let matrix: CsMat<f64> = places.to_csr();
    let square = |threads| {
        set_thread_threading_strategy(ThreadingStrategy::Fixed(threads));
        &matrix * &matrix
    };
    let expected = square(1);
    let begin = Instant::now();
    let answer = square(rayon::current_num_threads());
    let time = begin.elapsed();
    if answer == expected { Ok(time) } else { Err(String::from("not the product")) }
}
