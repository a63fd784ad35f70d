//! blake3: a hash, a tree of joins over pieces of 128 KiB at the most.

use crate::{numbers, timed};
use std::time::Duration;

const BYTES: usize = 64 << 20;

pub(super) fn hash() -> Result<Duration, String> {
    let bytes: Vec<u8> =
        numbers(BYTES / 8).iter().flat_map(|number| number.to_le_bytes()).collect();
    let expected = blake3::hash(&bytes);
    timed(&expected, || blake3::Hasher::new().update_rayon(&bytes).finalize())
}
