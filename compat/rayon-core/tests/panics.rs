//! Panics that nobody waits for: to the handler, or the end of the process.

mod common;

use common::{part, play, text_of};
use rayon_core::{ThreadPool, ThreadPoolBuilder};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

fn end_of(test: &str, name: &str) -> String {
    let output = play(test, name, &[]);
    let text = text_of(&output);
    assert!(!output.status.success(), "{name} did not end the process: {text}");
    assert_eq!(output.status.code(), None, "aborted, and not exited: {text}");
    text
}

/// Waits for the end of the process, but not for ever.
fn wait_for_the_end() {
    thread::sleep(Duration::from_secs(60));
}

fn one_thread(builder: ThreadPoolBuilder) -> ThreadPool {
    builder.num_threads(1).build().unwrap()
}

#[test]
#[cfg(unix)]
fn without_a_handler_the_process_is_aborted() {
    let test = "without_a_handler_the_process_is_aborted";
    match part().as_deref() {
        Some("spawn") => one_thread(ThreadPoolBuilder::new()).spawn(|| panic!("spawned")),
        Some("fifo") => one_thread(ThreadPoolBuilder::new()).spawn_fifo(|| panic!("in order")),
        Some("broadcast") => {
            one_thread(ThreadPoolBuilder::new()).spawn_broadcast(|_| panic!("to all"));
        }
        Some("start") => {
            drop(one_thread(ThreadPoolBuilder::new().start_handler(|_| panic!("at the start"))));
        }
        Some("handler") => {
            let handler = |_| panic!("the handler too");
            one_thread(ThreadPoolBuilder::new().panic_handler(handler)).spawn(|| panic!("spawned"));
        }
        Some(other) => panic!("no such part: {other}"),
        None => {
            for (name, says) in [
                ("spawn", "spawned"),
                ("fifo", "in order"),
                ("broadcast", "to all"),
                ("start", "at the start"),
                ("handler", "the handler too"),
            ] {
                let text = end_of(test, name);
                assert!(text.contains(says) && text.contains("aborting"), "{text}");
            }
            return;
        }
    }
    wait_for_the_end();
}

#[test]
fn the_handler_hears_of_all_and_the_pool_goes_on() {
    let (send, receive) = mpsc::channel();
    let tell = move |panic: Box<dyn std::any::Any + Send>| {
        send.send(*panic.downcast_ref::<&str>().unwrap()).unwrap();
    };
    let pool = one_thread(ThreadPoolBuilder::new().panic_handler(tell));
    pool.spawn(|| panic!("one"));
    assert_eq!(receive.recv(), Ok("one"));
    pool.spawn_fifo(|| panic!("two"));
    assert_eq!(receive.recv(), Ok("two"));
    pool.spawn_broadcast(|_| panic!("three"));
    assert_eq!(receive.recv(), Ok("three"));
    assert_eq!(pool.install(|| 4), 4);
}
