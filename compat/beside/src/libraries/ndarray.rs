//! ndarray: each place of a grid becomes the mean of its neighbours, forty times, each a short parallel iterator.

use crate::numbers;
use ndarray::{Array2, ArrayView2, Zip, s};
use std::time::{Duration, Instant};

const SIDE: usize = 400;
const STEPS: usize = 40;

pub(super) fn smooth() -> Result<Duration, String> {
    let start = numbers(SIDE * SIDE).iter().map(|number| (number >> 48) as f32).collect();
    let start = Array2::from_shape_vec((SIDE, SIDE), start).map_err(|error| error.to_string())?;
    let expected = steps(&start, |zip| zip.for_each(assign_mean));
    let begin = Instant::now();
    let answer = steps(&start, |zip| zip.par_for_each(assign_mean));
    let time = begin.elapsed();
    if answer == expected { Ok(time) } else { Err(String::from("another grid than one thread's")) }
}

/// A place and those around it, for each place that is not at the border.
type Places<'a> = Zip<
    (ndarray::ArrayViewMut2<'a, f32>, ndarray::iter::Windows<'a, f32, ndarray::Ix2>),
    ndarray::Ix2,
>;

fn assign_mean(place: &mut f32, around: ArrayView2<'_, f32>) {
    *place = (around[[0, 1]] + around[[1, 0]] + around[[1, 2]] + around[[2, 1]]) / 4.0;
}

fn steps(start: &Array2<f32>, step: impl Fn(Places<'_>)) -> Array2<f32> {
    let (mut now, mut next) = (start.clone(), start.clone());
    for _ in 0..STEPS {
        let inner = next.slice_mut(s![1..SIDE - 1, 1..SIDE - 1]);
        step(Zip::from(inner).and(now.windows((3, 3))));
        std::mem::swap(&mut now, &mut next);
    }
    now
}
