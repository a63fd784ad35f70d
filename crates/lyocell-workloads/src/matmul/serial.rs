//! Plain recursion.

use super::Matmul;
use crate::engine::{On, Serial};

impl On<Serial> for Matmul {
    fn run(&mut self, (): ()) {
        self.product().multiply();
    }
}
