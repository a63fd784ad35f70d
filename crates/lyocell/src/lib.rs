//! Fine-grained fork-join parallelism.
#![allow(missing_docs)]
// Contract sketch: runs everything in place. Replaced by the runtime.
use std::marker::PhantomData;
use std::ops::Range;
pub trait Deque: 'static {}
pub trait Probe: 'static {}
pub struct Split;
impl Deque for Split {}
pub struct NoProbe;
impl Probe for NoProbe {}
#[derive(Debug)]
pub struct BuildError(());
impl std::fmt::Display for BuildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("cannot build")
    }
}
impl std::error::Error for BuildError {}
pub struct Worker<D = Split, P = NoProbe>(PhantomData<(*mut (), D, P)>);
pub struct Pool<D = Split, P = NoProbe>(PhantomData<(D, P)>);
pub struct Builder<D = Split, P = NoProbe>(PhantomData<(D, P)>);
impl Pool {
    pub fn new() -> Result<Pool, BuildError> {
        Ok(Pool(PhantomData))
    }
    pub fn builder() -> Builder {
        Builder(PhantomData)
    }
}
impl<D: Deque, P: Probe> Builder<D, P> {
    pub fn deque<D2: Deque>(self) -> Builder<D2, P> {
        Builder(PhantomData)
    }
    pub fn probe<P2: Probe>(self) -> Builder<D, P2> {
        Builder(PhantomData)
    }
    pub fn workers(self, _n: usize) -> Self {
        self
    }
    pub fn build(self) -> Result<Pool<D, P>, BuildError> {
        Ok(Pool(PhantomData))
    }
}
impl<D: Deque, P: Probe> Pool<D, P> {
    pub fn run<R: Send>(&self, f: impl FnOnce(&Worker<D, P>) -> R + Send) -> R {
        f(&Worker(PhantomData))
    }
    pub fn workers(&self) -> usize {
        1
    }
}
impl<D: Deque, P: Probe> Worker<D, P> {
    pub fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&Self) -> RA,
        B: FnOnce(&Self) -> RB + Send,
        RB: Send,
    {
        (a(self), b(self))
    }
    /// Runs `task` for each index of `range` as a task of this frame and folds the results in
    /// index order.
    pub fn join_range<T: Send, F: Fn(&Self, usize) -> T + Sync>(
        &self,
        range: Range<usize>,
        identity: T,
        task: F,
        reduce: impl FnMut(T, T) -> T,
    ) -> T {
        range.map(|i| task(self, i)).fold(identity, reduce)
    }
}
