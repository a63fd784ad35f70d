//! Engines in C and C++ that have a program of their own: a table of functions, and the programs over it.
//!
//! What such an engine brings is a [`Kernels`]: how it is started and stopped, a join, and the programs whose tasks are
//! so short that all of a task must be in its language. The programs over [`Fork`](crate::fork) run through its join. The
//! table's layout is that of `lyocell_kernels` in `kernels.h` of the crate `lyocell-rivals`.
//!
//! - rival-1. The functions of a [`Kernels`] do what their comments say: whoever makes one promises it.
//! - rival-2. The engine runs exactly while a [`Started`] lives, and there is at most one. Its programs are called with a
//!   reference to it, from a thread that is no worker of it.
//! - rival-3. A call of a program returns when all its tasks are done; its arguments live until then.

use std::ffi::{c_uint, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::engine::Engine;
use crate::matmul::Shape;
use crate::uts::{Parameters, Totals};

/// An engine that has a program of its own.
#[derive(Debug)]
pub enum Rival {}

impl Engine for Rival {
    type Handle<'a> = &'a Started;
}

/// What a task of the engine is made of: the worker that runs it, of which we know nothing, and what it was given.
pub type Call = unsafe extern "C" fn(worker: *mut c_void, data: *mut c_void);

/// A join of two calls.
pub type Join = unsafe extern "C" fn(
    worker: *mut c_void,
    a: Call,
    a_data: *mut c_void,
    b: Call,
    b_data: *mut c_void,
);

/// What an engine can do.
///
/// # Safety
/// Whoever makes one promises rival-1.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[expect(private_interfaces, reason = "only this crate calls them")]
pub struct Kernels {
    /// Starts so many workers, the caller among them if the engine makes it one, with stacks of so many bytes where that
    /// can be said. Zero if it cannot.
    pub start: unsafe extern "C" fn(workers: c_uint, stack_bytes: usize) -> u32,
    /// Ends what was started.
    pub stop: unsafe extern "C" fn(),
    /// Calls it in a task. `None` if there is no join.
    pub run: Option<unsafe extern "C" fn(Call, data: *mut c_void)>,
    /// Calls both, in parallel if another worker is free. Only from a task, with its worker. `None` in an engine where a call
    /// cannot wait for others: it runs the programs that it brings ([`OwnOfRivals`](crate::OwnOfRivals)).
    pub join: Option<Join>,
    /// A Fibonacci number.
    pub fib: unsafe extern "C" fn(n: u64) -> u64,
    /// In how many ways so many queens can stand.
    pub queens: unsafe extern "C" fn(n: u32) -> u64,
    /// What is in a tree.
    pub uts: unsafe extern "C" fn(&Parameters, &mut Totals),
    /// The product of the parts of a `Product`, keeping to its invariants.
    pub matmul: unsafe extern "C" fn(a: *const f32, b: *const f32, c: *mut f32, &Shape),
    /// The sum of the ends of all chains.
    pub stress: unsafe extern "C" fn(height: u32, iterations: u64, trees: u64) -> usize,
}

/// The engine could not start its workers.
#[derive(Clone, Copy, Debug)]
pub struct NotStarted;

static ONE: Mutex<()> = Mutex::new(());

/// An engine, as long as this lives.
#[derive(Debug)]
pub struct Started {
    pub(crate) kernels: Kernels,
    /// rival-2.
    _only_one: MutexGuard<'static, ()>,
}

impl Started {
    /// Starts it, when no other one runs any more.
    ///
    /// # Errors
    /// Its threads cannot be had.
    ///
    /// # Safety
    /// rival-1 holds of `kernels`, and the caller is a thread that is no worker of the engine.
    pub unsafe fn start(
        kernels: Kernels,
        workers: usize,
        stack_bytes: usize,
    ) -> Result<Started, NotStarted> {
        let only_one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: rival-1; rival-2 by the lock.
        let started = unsafe { (kernels.start)(workers as c_uint, stack_bytes) };
        if started == 0 { Err(NotStarted) } else { Ok(Started { kernels, _only_one: only_one }) }
    }

    /// Whether it runs programs over a join, and not only its own.
    pub fn has_join(&self) -> bool {
        self.kernels.run.is_some() && self.kernels.join.is_some()
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // SAFETY: rival-1, rival-2: `start` started it.
        unsafe { (self.kernels.stop)() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::On;
    use crate::{Cilksort, Fib, Matmul, Queens, Stress, Uts};

    /// An engine that answers without computing; only its join is right, which runs the second half first.
    const WRONG: Kernels = Kernels {
        start: start_one,
        stop: nothing,
        run: Some(call_it),
        join: Some(call_both),
        fib: seven,
        queens: seven_queens,
        uts: no_nodes,
        matmul: no_product,
        stress: nothing_done,
    };

    extern "C" fn start_one(workers: c_uint, _stack_bytes: usize) -> u32 {
        u32::from(workers == 1)
    }

    extern "C" fn nothing() {}

    unsafe extern "C" fn call_it(call: Call, data: *mut c_void) {
        // SAFETY: the caller's promise.
        unsafe { call(std::ptr::null_mut(), data) };
    }

    unsafe extern "C" fn call_both(
        worker: *mut c_void,
        a: Call,
        a_data: *mut c_void,
        b: Call,
        b_data: *mut c_void,
    ) {
        // SAFETY: the caller's promise.
        unsafe {
            b(worker, b_data);
            a(worker, a_data);
        }
    }

    extern "C" fn seven(_n: u64) -> u64 {
        7
    }

    extern "C" fn seven_queens(_n: u32) -> u64 {
        7
    }

    extern "C" fn no_nodes(_tree: &Parameters, _totals: &mut Totals) {}

    extern "C" fn no_product(_a: *const f32, _b: *const f32, _c: *mut f32, _shape: &Shape) {}

    extern "C" fn nothing_done(_height: u32, _iterations: u64, _trees: u64) -> usize {
        0
    }

    fn judged<P: On<Rival>>(mut problem: P) -> Result<String, String> {
        // SAFETY: rival-1 but for what is judged; this thread is no worker.
        let started = unsafe { Started::start(WRONG, 1, 0) }.unwrap();
        problem.reset();
        let answer = problem.run(&started);
        problem.judge(&answer).map_err(|wrong| wrong.to_string())
    }

    #[test]
    fn wrong_answers_of_a_rivals_own_programs_are_refused() {
        assert_eq!(judged(Fib::new(10)).unwrap_err(), "wrong answer: 7, expected 55");
        assert!(judged(Queens::new(8)).is_err());
        assert!(judged(Uts::small()).is_err());
        assert!(judged(Matmul::new(70)).is_err());
        assert!(judged(Stress::parse("2x3x4").unwrap()).is_err());
    }

    #[test]
    fn programs_over_a_join_run_on_that_of_a_rival() {
        assert!(judged(Cilksort::parse("random,5000,16").unwrap()).is_ok());
        let Ok(crate::Instance::Fib(fib)) = "fib:15,3".parse() else { panic!("it is fib") };
        assert_eq!(judged(fib).unwrap(), "610");
    }

    #[test]
    fn a_rival_has_a_join_if_it_can_also_begin_one() {
        for (run, join, has_join) in
            [(WRONG.run, WRONG.join, true), (WRONG.run, None, false), (None, WRONG.join, false)]
        {
            // SAFETY: nothing of it is called but what starts and stops it.
            let started = unsafe { Started::start(Kernels { run, join, ..WRONG }, 1, 0) }.unwrap();
            assert_eq!(started.has_join(), has_join);
        }
    }

    #[test]
    fn a_rival_that_does_not_start_is_an_error() {
        // SAFETY: nothing of it is called after.
        assert!(unsafe { Started::start(WRONG, 2, 0) }.is_err());
    }
}
