//! What the runtimes that have joins and loops have in common, so that one code runs on each.

use lyocell::{NoProbe, Pool, Split, Worker};
use rayon::prelude::*;

/// What a program inside a pool can do.
pub(super) trait Fork {
    fn join<A, B>(
        &self,
        a: impl FnOnce(&Self) -> A + Send,
        b: impl FnOnce(&Self) -> B + Send,
    ) -> (A, B)
    where
        A: Send,
        B: Send;

    fn for_each(&self, count: usize, body: impl Fn(usize) + Send + Sync);
}

/// A pool that such a program can enter.
pub(super) trait ForkPool {
    type Fork: Fork;

    fn enter<R: Send>(&self, program: impl FnOnce(&Self::Fork) -> R + Send) -> R;
}

impl Fork for Worker {
    fn join<A, B>(
        &self,
        a: impl FnOnce(&Self) -> A + Send,
        b: impl FnOnce(&Self) -> B + Send,
    ) -> (A, B)
    where
        A: Send,
        B: Send,
    {
        Worker::join(self, a, b)
    }

    fn for_each(&self, count: usize, body: impl Fn(usize) + Send + Sync) {
        Worker::for_each(self, 0..count, body);
    }
}

impl ForkPool for Pool<Split, NoProbe> {
    type Fork = Worker;

    fn enter<R: Send>(&self, program: impl FnOnce(&Worker) -> R + Send) -> R {
        self.run(program)
    }
}

/// Says that the thread is one of a pool of rayon's, which needs no handle.
pub(super) struct Rayon;

impl Fork for Rayon {
    fn join<A, B>(
        &self,
        a: impl FnOnce(&Self) -> A + Send,
        b: impl FnOnce(&Self) -> B + Send,
    ) -> (A, B)
    where
        A: Send,
        B: Send,
    {
        rayon::join(|| a(&Rayon), || b(&Rayon))
    }

    fn for_each(&self, count: usize, body: impl Fn(usize) + Send + Sync) {
        (0..count).into_par_iter().for_each(body);
    }
}

impl ForkPool for rayon::ThreadPool {
    type Fork = Rayon;

    fn enter<R: Send>(&self, program: impl FnOnce(&Rayon) -> R + Send) -> R {
        self.install(|| program(&Rayon))
    }
}
