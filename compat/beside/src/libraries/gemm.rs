//! gemm: the product of two matrices, a piece of it for each thread.

use crate::numbers;
use gemm::Parallelism;
use std::time::{Duration, Instant};

const SIZE: usize = 768;

pub(super) fn multiply() -> Result<Duration, String> {
    // Small whole numbers, of which sums of products are exact.
    let matrix = |shift: u32| -> Vec<f64> {
        numbers(SIZE * SIZE).iter().map(|number| (number >> shift & 7) as f64).collect()
    };
    let (a, b) = (matrix(3), matrix(40));
    let product = |parallelism| {
        let mut c = vec![0.0; SIZE * SIZE];
        // SAFETY: three matrices of SIZE columns, SIZE numbers each, one after the other.
        unsafe {
            gemm::gemm(
                SIZE,
                SIZE,
                SIZE,
                c.as_mut_ptr(),
                SIZE as isize,
                1,
                false,
                a.as_ptr(),
                SIZE as isize,
                1,
                b.as_ptr(),
                SIZE as isize,
                1,
                0.0,
                1.0,
                false,
                false,
                false,
                parallelism,
            );
        }
        c
    };
    let expected = product(Parallelism::None);
    let begin = Instant::now();
    let answer = product(Parallelism::Rayon(0));
    let time = begin.elapsed();
    if answer == expected { Ok(time) } else { Err(String::from("not the product")) }
}
