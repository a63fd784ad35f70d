//! How soon what is cancelled is over, how long a short call lasts beside long work of others, and what sums cost whose bits do not
//! depend on the workers.
//!
//! `cargo run --release -p lyocell-engines --example bounds [WORKERS]`. Ends with an error if something was run that should not have
//! been, or a sum has other bits.

use lyocell::deque::Direct;
use lyocell::{Cancel, Deque, Pool, Receiver, Sender, Split, Worker};
use std::hint::{black_box, spin_loop};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

const TINY: Duration = Duration::from_micros(1);
const CANCELS: u32 = 300;
/// Each call is of two leaves of half of it.
const CALL: Duration = Duration::from_millis(20);
const CALLS: usize = 100;
const LEAF_OF_OTHERS: Duration = Duration::from_millis(5);
const NUMBERS: usize = 10_000_000;
const SUMS: usize = 15;

fn main() {
    let workers =
        std::env::args().nth(1).map_or(2, |text| text.parse().expect("a number of workers"));
    let pool = Pool::builder().workers(workers).build().unwrap();
    println!("| {workers} workers | p50 | p99 | most |\n|---|---|---|---|");
    cancelled("a loop over a million items of 1 us is cancelled, until it is over", |token| {
        run_cancelled(&pool, token, |w| w.for_each(0..1_000_000_u32, |_| spin(TINY)))
    });
    cancelled("fib(35) with leaves of 1 us is cancelled, until it is over", |token| {
        run_cancelled(&pool, token, |w| black_box(fib(w, 35)))
    });
    beside("a call of 20 ms beside a detached tree of seconds", &pool, |over| {
        pool.spawn_detached(move |w| tree(w, over, 30));
    });
    let pool = &Pool::builder().workers(workers).spare_workers(1).build().unwrap();
    thread::scope(|threads| {
        let other = |over| _ = threads.spawn(move || pool.run(|w| tree(w, over, 30)));
        beside("the same beside another call, with a spare worker", pool, other);
    });
    sums();
}

/// Keeps its processor for so long.
fn spin(time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        spin_loop();
    }
}

fn fib(w: &Worker, n: u64) -> u64 {
    if n < 2 {
        spin(TINY);
        return n;
    }
    let (a, b) = w.join(|w| fib(w, n - 1), |w| fib(w, n - 2));
    a + b
}

/// Tells percentiles of milliseconds.
fn tell(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at =
        |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)].as_secs_f64();
    let [p50, p99, most] = [50, 99, 100].map(|percent| at(percent) * 1e3);
    println!("| {what}, ms | {p50:.3} | {p99:.3} | {most:.3} |");
}

/// A thread cancels every call, and sleeps before and after.
fn cancelled(what: &str, call: impl Fn(&Cancel)) {
    let (send, receive) = mpsc::channel::<Cancel>();
    let (tell_when, when) = mpsc::channel();
    let cancels = thread::spawn(move || {
        for token in receive {
            thread::sleep(Duration::from_millis(3));
            let now = Instant::now();
            token.cancel();
            tell_when.send(now).unwrap();
        }
    });
    let until_over = |_| {
        let token = Cancel::new();
        send.send(token.clone()).unwrap();
        call(&token);
        let over = Instant::now();
        over.saturating_duration_since(when.recv().unwrap())
    };
    let times = (0..CANCELS).map(until_over).collect();
    drop(send);
    cancels.join().unwrap();
    tell(what, times);
}

fn run_cancelled<R>(pool: &Pool, token: &Cancel, body: impl FnOnce(&Worker) -> R + Send) {
    let outcome = pool.run(|w| w.cancellable(token, |w| _ = body(w)));
    assert!(outcome.is_err(), "it was over before it was cancelled");
}

/// Leaves of 5 ms without end.
fn tree(w: &Worker, over: &'static AtomicBool, depth: u32) {
    if over.load(Ordering::Relaxed) {
        return;
    }
    if depth == 0 {
        return spin(LEAF_OF_OTHERS);
    }
    w.join(|w| tree(w, over, depth - 1), |w| tree(w, over, depth - 1));
}

fn beside(what: &str, pool: &Pool, begin: impl FnOnce(&'static AtomicBool)) {
    let over: &'static AtomicBool = Box::leak(Box::default());
    begin(over);
    thread::sleep(CALL);
    let call = |_| {
        let start = Instant::now();
        let leaves = AtomicU64::new(0);
        let leaf = |_: &Worker| {
            spin(CALL / 2);
            leaves.fetch_add(1, Ordering::Relaxed);
        };
        pool.run(|w| w.join(leaf, leaf));
        assert_eq!(leaves.into_inner(), 2);
        start.elapsed()
    };
    let times = (0..CALLS).map(call).collect();
    over.store(true, Ordering::Relaxed);
    tell(what, times);
}

fn sums() {
    let numbers: Vec<f64> = (0..NUMBERS).map(|i| 1.0 / (i + 1) as f64).collect();
    let (add, zero) = (|a: f64, b: f64| a + b, || 0.0);
    println!("\n| 10^7 f64 | free, ms | deterministic, ms | ratio | bits |\n|---|---|---|---|---|");
    let mut all = Vec::new();
    for workers in [1, 2, 4, 8, 16] {
        let pool = Pool::builder().workers(workers).build().unwrap();
        let (mut free, mut same, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..SUMS {
            let start = Instant::now();
            black_box(pool.run(|w| w.map_reduce(&numbers, |x| *x, zero, add)));
            let between = Instant::now();
            let sum = pool.run(|w| w.map_reduce_deterministic(&numbers, |x| *x, zero, add));
            let (a, b) = ((between - start).as_secs_f64(), between.elapsed().as_secs_f64());
            free.push(a * 1e3);
            same.push(b * 1e3);
            ratios.push(b / a);
            all.push(sum.to_bits());
        }
        let median = |list: &mut Vec<f64>| {
            list.sort_by(f64::total_cmp);
            list[list.len() / 2]
        };
        let bits = all[all.len() - 1];
        let [free, same, ratio] = [&mut free, &mut same, &mut ratios].map(median);
        println!("| {workers} workers | {free:.2} | {same:.2} | {ratio:.2} | {bits:016x} |");
    }
    fn on<D: Deque>(numbers: &[f64], bits: &mut Vec<u64>) {
        let pool = Pool::builder().workers(4).deque::<D>().build().unwrap();
        let sum = |w: &Worker<D>| w.map_reduce_deterministic(numbers, |x| *x, || 0.0, |a, b| a + b);
        bits.push(pool.run(sum).to_bits());
    }
    on::<Split>(&numbers, &mut all);
    on::<Direct>(&numbers, &mut all);
    on::<Receiver>(&numbers, &mut all);
    on::<Sender>(&numbers, &mut all);
    assert!(all.iter().all(|bits| *bits == all[0]), "sums have other bits: {all:x?}");
}
