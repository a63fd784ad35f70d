//! Measures the machine that this runs on, as a machine file. By the standard library's words, not the virtual machine's.
//!
//! Each number is the median of some rounds. What a distance is, is not known here: there is one, and it has the median of all
//! pairs of processors. Whoever knows the machine writes its parts into the file.

use std::fmt::Write;
use std::hint::{black_box, spin_loop};
use std::io;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU64, fence};
use std::thread;
use std::time::{Duration, Instant};

const ROUNDS: usize = 31;

/// Nanoseconds of one of `count` steps that `steps` takes.
fn each(count: u64, mut steps: impl FnMut()) -> f64 {
    let round = |_| {
        let begin = Instant::now();
        steps();
        begin.elapsed().as_nanos() as f64 / count as f64
    };
    median((0..ROUNDS).map(round).collect())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A line by itself.
#[repr(align(128))]
#[derive(Default)]
struct Line(AtomicU64);

/// The processors that this thread may run on.
fn processors() -> io::Result<Vec<usize>> {
    // SAFETY: plain data, of which zero is a value.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: the set is this large, and is written by the call.
    let told = unsafe { libc::sched_getaffinity(0, size_of_val(&set), &mut set) };
    if told != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: each number is below what a set holds.
    let is_set = |&processor: &usize| unsafe { libc::CPU_ISSET(processor, &set) };
    Ok((0..libc::CPU_SETSIZE as usize).filter(is_set).collect())
}

/// This thread runs on this processor only.
fn pin(processor: usize) {
    // SAFETY: plain data, of which zero is a value.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: a processor that the set of the process has; what cannot be had leaves the thread where it is.
    unsafe {
        libc::CPU_SET(processor, &mut set);
        libc::sched_setaffinity(0, size_of_val(&set), &set);
    }
}

/// The private expedited barrier; whether there is one.
fn barrier(command: libc::c_int) -> bool {
    // SAFETY: the call takes three numbers and touches no memory of this program.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
}

const EXPEDITED: libc::c_int = 1 << 3;
const REGISTER: libc::c_int = 1 << 4;

/// Runs `beside` on one processor again and again while `measured` runs on another.
fn while_beside<R>(
    [one, other]: [usize; 2],
    beside: impl Fn() + Send + Sync,
    measured: impl FnOnce() -> R + Send,
) -> R
where
    R: Send,
{
    let (begun, over) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            pin(other);
            while !over.load(Relaxed) {
                beside();
                begun.store(true, Relaxed);
            }
        });
        let measuring = scope.spawn(|| {
            pin(one);
            while !begun.load(Relaxed) {
                spin_loop();
            }
            let result = measured();
            over.store(true, Relaxed);
            result
        });
        measuring.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// How many signals were handled.
static HANDLED: AtomicU64 = AtomicU64::new(0);

extern "C" fn handle(_signal: libc::c_int) {
    HANDLED.fetch_add(1, Relaxed);
}

/// What it takes to send a thread a signal, and what that one loses, which spins on another processor.
fn signal(pair: [usize; 2]) -> [f64; 2] {
    // SAFETY: plain data, of which zero is a value: no flags, and an empty mask.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = handle as extern "C" fn(libc::c_int) as libc::sighandler_t;
    // SAFETY: the handler adds to an atomic, which may be done at any time; this program has no other use for the signal.
    unsafe { libc::sigaction(libc::SIGUSR1, &action, std::ptr::null_mut()) };
    let (spins, spinner) = (AtomicU64::new(0), AtomicU64::new(0));
    let spin = || {
        // SAFETY: no preconditions.
        spinner.store(unsafe { libc::pthread_self() } as u64, Relaxed);
        let _ = spins.fetch_add(1, Relaxed);
    };
    while_beside(pair, spin, || {
        let pace = |window: &mut dyn FnMut()| {
            let (from, begin) = (spins.load(Relaxed), Instant::now());
            window();
            ((spins.load(Relaxed) - from) as f64, begin.elapsed().as_nanos() as f64)
        };
        let (quiet, quiet_took) = pace(&mut || thread::sleep(Duration::from_millis(20)));
        let mut calls = Duration::ZERO;
        let (busy, took) = pace(&mut || {
            for number in HANDLED.load(Relaxed)..HANDLED.load(Relaxed) + SIGNALS {
                let begin = Instant::now();
                // SAFETY: that thread lives until this function is over.
                unsafe {
                    libc::pthread_kill(spinner.load(Relaxed) as libc::pthread_t, libc::SIGUSR1)
                };
                calls += begin.elapsed();
                while HANDLED.load(Relaxed) == number {
                    spin_loop();
                }
            }
        });
        let each = |ns: f64| ns / SIGNALS as f64;
        [each(calls.as_nanos() as f64), each((took - busy / (quiet / quiet_took)).max(0.0))]
    })
}

/// So many signals are sent.
const SIGNALS: u64 = 2_000;

/// Half of what a line takes to and fro between two processors by compare-and-swap.
fn half_round_trip([one, other]: [usize; 2]) -> f64 {
    const TRIPS: u64 = 2_000;
    let line = Line::default();
    let pass = |from: u64, to: u64| {
        while line.0.compare_exchange(from, to, SeqCst, Relaxed).is_err() {
            spin_loop();
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| {
            pin(other);
            (0..TRIPS * ROUNDS as u64).for_each(|_| pass(1, 0));
        });
        let measuring = scope.spawn(|| {
            pin(one);
            each(2 * TRIPS, || (0..TRIPS).for_each(|_| pass(0, 1)))
        });
        measuring.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// What passes from one sleeper's wake-up to the next.
struct Sleep {
    /// Of who wakes.
    unpark: f64,
    /// Until the other one runs, on a processor that has just become idle.
    wake: f64,
    /// So much more, where it has been idle for a while.
    idle_exit: f64,
}

fn sleep([one, other]: [usize; 2]) -> Sleep {
    let (told, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let begin = Instant::now();
    let now = &|| begin.elapsed().as_nanos() as u64 + 1;
    let (told, over) = (&told, &over);
    thread::scope(|scope| {
        let sleeper = scope.spawn(move || {
            pin(other);
            while !over.load(Acquire) {
                thread::park();
                told.store(now(), Release);
            }
        });
        let sleeper = sleeper.thread().clone();
        let measuring = scope.spawn(move || {
            pin(one);
            let round = |idle: Duration| {
                let quiet = Instant::now();
                while quiet.elapsed() < idle {
                    spin_loop();
                }
                told.store(0, Relaxed);
                let called = now();
                sleeper.unpark();
                let done = now();
                while told.load(Acquire) == 0 {
                    spin_loop();
                }
                ((done - called) as f64, told.load(Relaxed).saturating_sub(called) as f64)
            };
            let rounds = |idle| {
                let rounds: Vec<(f64, f64)> = (0..101).map(|_| round(idle)).collect();
                let half = |of: fn(&(f64, f64)) -> f64| median(rounds.iter().map(of).collect());
                (half(|round| round.0), half(|round| round.1))
            };
            let (unpark, soon) = rounds(Duration::from_micros(20));
            let (_, late) = rounds(Duration::from_millis(2));
            over.store(true, Release);
            sleeper.unpark();
            Sleep { unpark, wake: soon, idle_exit: (late - soon).max(0.0) }
        });
        measuring.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// What a thread takes to wake another one of its processor and to go to sleep itself, until that one runs.
fn switch(processor: usize) -> f64 {
    const TRIPS: u64 = 300;
    let turn = AtomicU64::new(0);
    let turn = &turn;
    thread::scope(|scope| {
        let (tell, hear) = std::sync::mpsc::channel::<thread::Thread>();
        let partner = scope.spawn(move || {
            pin(processor);
            let other = hear.recv().expect("it is told below");
            for trip in 0..TRIPS * ROUNDS as u64 {
                while turn.load(Acquire) != 2 * trip + 1 {
                    thread::park();
                }
                turn.store(2 * trip + 2, Release);
                other.unpark();
            }
        });
        let partner = partner.thread().clone();
        let measuring = scope.spawn(move || {
            pin(processor);
            tell.send(thread::current()).expect("it hears above");
            let mut trip = 0;
            each(2 * TRIPS, || {
                for _ in 0..TRIPS {
                    turn.store(2 * trip + 1, Release);
                    partner.unpark();
                    while turn.load(Acquire) != 2 * trip + 2 {
                        thread::park();
                    }
                    trip += 1;
                }
            })
        });
        measuring.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A line that no cache has: steps through a table in an order that no prefetcher sees.
fn memory() -> f64 {
    const LINES: usize = 4 << 20;
    let mut next = vec![[0_u64; 8]; LINES];
    // One cycle through all lines (Sattolo 1986), by a generator of its own.
    let mut order: Vec<u32> = (0..LINES as u32).collect();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for at in (1..LINES).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        order.swap(at, (state % at as u64) as usize);
    }
    for (from, to) in order.iter().enumerate() {
        next[from][0] = u64::from(*to);
    }
    let mut at = 0;
    let steps = 100_000;
    each(steps, || (0..steps).for_each(|_| at = black_box(next[at as usize][0])))
}

/// The machine file.
///
/// # Errors
/// The system does not tell which processors there are.
pub fn calibrate(title: &str) -> io::Result<String> {
    const STEPS: u64 = 100_000;
    let processors = processors()?;
    let first = processors[0];
    let pair = [first, *processors.last().unwrap_or(&first)];
    let lines: [Line; 16] = Default::default();
    let loads = || {
        for step in 0..STEPS {
            black_box(lines[step as usize % 16].0.load(Relaxed));
        }
    };
    let stores = || (0..STEPS).for_each(|step| lines[step as usize % 16].0.store(step, Relaxed));
    let of_each = |step: fn()| each(1000, || (0..1000).for_each(|_| step()));
    let rmw = each(STEPS, || {
        (0..STEPS).for_each(|_| {
            let _ = lines[0].0.fetch_add(1, SeqCst);
        })
    });
    let has_barrier = barrier(REGISTER);
    let alone = if has_barrier {
        of_each(|| {
            let _ = barrier(EXPEDITED);
        })
    } else {
        0.0
    };
    let is_pair = pair[0] != pair[1];
    // What a processor loses that spins meanwhile, and what it costs to reach it.
    let (beside, lost) = if has_barrier && is_pair {
        let spins = AtomicU64::new(0);
        let spin = || {
            let _ = spins.fetch_add(1, Relaxed);
        };
        let calls = 20_000;
        let (quiet, took, busy, quiet_took) = while_beside(pair, spin, || {
            let window = Duration::from_millis(20);
            let (from, begin) = (spins.load(Relaxed), Instant::now());
            while begin.elapsed() < window {
                spin_loop();
            }
            let (quiet, quiet_took) = (spins.load(Relaxed) - from, begin.elapsed());
            let (from, begin) = (spins.load(Relaxed), Instant::now());
            (0..calls).for_each(|_| {
                let _ = barrier(EXPEDITED);
            });
            (quiet, begin.elapsed(), spins.load(Relaxed) - from, quiet_took)
        });
        let took = took.as_nanos() as f64;
        let pace = quiet as f64 / quiet_took.as_nanos() as f64;
        let call = took / calls as f64;
        ((call - alone).max(0.0), (call - busy as f64 / pace / calls as f64).max(0.0))
    } else {
        (0.0, 0.0)
    };
    let pairs =
        processors.iter().flat_map(|&one| processors.iter().map(move |&other| [one, other]));
    let pairs: Vec<[usize; 2]> = pairs.filter(|pair| pair[0] < pair[1]).take(64).collect();
    let trip = match &*pairs {
        [] => rmw,
        pairs => median(pairs.iter().map(|&pair| half_round_trip(pair)).collect()),
    };
    let slept =
        if is_pair { sleep(pair) } else { Sleep { unpark: 0.0, wake: 0.0, idle_exit: 0.0 } };
    let [signal, signal_target] = if is_pair { signal(pair) } else { [0.0, 0.0] };
    let switch = switch(first);
    let start = {
        let starts = (0..ROUNDS).map(|_| {
            let begin = Instant::now();
            let thread = thread::spawn(|| ());
            let took = begin.elapsed().as_nanos() as f64;
            let _ = thread.join();
            took
        });
        median(starts.collect())
    };
    let measured = "measured by lyocell-simulate --calibrate";
    // To wake a thread of one's own processor takes less than `unpark`, which interrupts another one.
    let park = switch / 2.0;
    let numbers = [
        ("hit", each(STEPS, loads), measured),
        ("store", each(STEPS, stores), measured),
        ("rmw", rmw, measured),
        ("memory", memory(), measured),
        ("pause", of_each(spin_loop), measured),
        ("yield", of_each(thread::yield_now), measured),
        ("fence", of_each(|| fence(SeqCst)), measured),
        (
            "clock",
            of_each(|| {
                black_box(Instant::now());
            }),
            measured,
        ),
        (
            "park",
            park,
            "measured: half of a wake-up and a sleep by two threads of one processor in turn",
        ),
        ("unpark", slept.unpark, measured),
        ("wake", slept.wake, measured),
        ("idle_exit", slept.idle_exit, "measured: a wake-up after 2 ms, beyond one after 20 us"),
        ("lock", park, "proxy: park"),
        ("start", start, measured),
        ("barrier", alone, measured),
        ("barrier_each", beside, measured),
        ("barrier_target", lost, measured),
        ("signal", signal, measured),
        ("signal_target", signal_target, measured),
        ("slice", 3e6, "recalled: the least granularity of Linux's scheduler"),
    ];
    let mut text = String::new();
    let _ =
        writeln!(text, "# Measured by `lyocell-simulate --calibrate`, medians of {ROUNDS} rounds.");
    let _ = writeln!(text, "title = {title:?}\nprocessors = {}", processors.len());
    let _ = writeln!(text, "\n[[distance]]\nname = \"machine\"\nprocessors = {}", processors.len());
    let _ =
        writeln!(text, "half_round_trip = {{ ns = {:.1}, source = {measured:?} }}", trip.max(rmw));
    let _ = writeln!(text, "\n[cost]");
    for (name, ns, source) in numbers {
        let _ = writeln!(text, "{name} = {{ ns = {ns:.2}, source = {source:?} }}");
    }
    let _ = writeln!(
        text,
        "\n# What tasks take is measured with the programs: T_S by the number of tasks.\n[task]"
    );
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyocell_virtual::Machine;

    #[test]
    fn what_is_measured_is_a_machine() {
        let machine = Machine::parse(&calibrate("here").unwrap()).unwrap();
        assert_eq!(machine.title, "here");
        assert!(machine.cost.values().all(|cost| !cost.source.is_empty()), "{machine:?}");
    }
}
