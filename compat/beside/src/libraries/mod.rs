//! The libraries, each in a program or two.

mod blake3;
mod bvh;
mod exr;
mod gemm;
mod ndarray;
mod oxidd;
mod oxipng;
mod ravif;
mod sprs;

use crate::Program;

pub(crate) const PROGRAMS: &[Program] = &[
    ("blake3", blake3::hash),
    ("bvh", bvh::build),
    ("exr", exr::write_and_read),
    ("gemm", gemm::multiply),
    ("ndarray", ndarray::smooth),
    ("oxidd", oxidd::queens),
    ("oxidd-deep", oxidd::queens_split_deeper),
    ("oxipng", oxipng::optimize),
    ("ravif", ravif::encode),
    ("sprs", sprs::multiply),
];
