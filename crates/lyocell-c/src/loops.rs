//! Loops and scopes.

use crate::Argument;
use lyocell::Scope;
use lyocell::foreign::Handle;
use std::ffi::c_void;

type Body = unsafe extern "C-unwind" fn(*const Handle, usize, *mut c_void);
type PartBody = unsafe extern "C-unwind" fn(*const Handle, usize, usize, *mut c_void);
type ScopeTask = unsafe extern "C-unwind" fn(*const Handle, *const AnyScope, *mut c_void);

/// A scope whose lifetimes the program keeps (promise-2).
type AnyScope = Scope<'static, 'static>;

/// `lyo_for`.
///
/// # Safety
/// As in promise-1 and promise-3.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn lyo_for(
    worker: *const Handle,
    begin: usize,
    end: usize,
    body: Body,
    argument: *mut c_void,
) {
    let argument = Argument(argument);
    let call = move |i| {
        let Argument(argument) = { argument };
        // SAFETY: promise-3; a worker calls it.
        unsafe { body(lyocell::foreign::current(), i, argument) }
    };
    // SAFETY: promise-1.
    unsafe { &*worker }.for_each(begin..end, call);
}

/// `lyo_for_parts`.
///
/// # Safety
/// As in promise-1 and promise-3.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn lyo_for_parts(
    worker: *const Handle,
    begin: usize,
    end: usize,
    grain: usize,
    body: PartBody,
    argument: *mut c_void,
) {
    if begin >= end {
        return;
    }
    // SAFETY: promise-1.
    let worker = unsafe { &*worker };
    let grain = match grain {
        // Eight parts a worker. Untuned.
        0 => (end - begin).div_ceil(8 * worker.workers()),
        grain => grain,
    };
    halves(worker, (begin, end), grain, body, Argument(argument));
}

fn halves(
    worker: &Handle,
    (begin, end): (usize, usize),
    grain: usize,
    body: PartBody,
    argument: Argument,
) {
    if end - begin <= grain {
        // SAFETY: promise-1 and promise-3.
        return unsafe { body(worker, begin, end, argument.0) };
    }
    let middle = begin + (end - begin) / 2;
    worker.join(
        move |w| halves(w, (begin, middle), grain, body, argument),
        move |w| halves(w, (middle, end), grain, body, argument),
    );
}

/// `lyo_scope_run`.
///
/// # Safety
/// As in promise-1 and promise-3.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn lyo_scope_run(
    worker: *const Handle,
    body: ScopeTask,
    argument: *mut c_void,
) {
    // SAFETY: promise-1.
    let worker = unsafe { &*worker };
    worker.scope(|scope| {
        let scope: *const AnyScope = std::ptr::from_ref(scope).cast();
        // SAFETY: promise-2: the program uses it until this is over.
        unsafe { body(worker, scope, argument) }
    });
}

/// `lyo_scope_spawn`.
///
/// # Safety
/// As in promise-2 and promise-3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lyo_scope_spawn(
    scope: *const AnyScope,
    task: ScopeTask,
    argument: *mut c_void,
) {
    let argument = Argument(argument);
    // SAFETY: promise-2.
    let scope = unsafe { &*scope };
    scope.spawn(move |worker| {
        let Argument(argument) = { argument };
        // SAFETY: promise-3; the scope is there until this is over.
        unsafe { task(worker, scope, argument) }
    });
}
