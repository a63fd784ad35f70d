//! What is held while other tasks run on its thread, and is told.

use crate::common::{join_stolen, pool_of};
use crate::process::isolated_heard;
use lyocell::{Builder, Deque, Worker};
use std::process::Command;
use std::thread;
use std::time::Duration;

fn asked(command: &mut Command) {
    command.env("LYOCELL_CHECK_LOCKS", "1");
}

fn not_asked(command: &mut Command) {
    command.env_remove("LYOCELL_CHECK_LOCKS");
}

/// How often something has been told.
fn told(output: &str) -> usize {
    output.matches("begins a task that does not descend from there").count()
}

/// Its worker waits, longer than it takes to find something else to do.
fn wait(w: &Worker<impl Deque>) {
    join_stolen(w, |_| (), |_| thread::sleep(Duration::from_millis(2)));
}

/// Calls `body` on a worker that has jobs in its lane which do not descend from there, several times.
fn beside_strangers<D: Deque>(builder: &Builder<D>, body: impl Fn(&Worker<D>) + Sync) {
    let pool = pool_of(&|| builder.clone(), 2);
    for _ in 0..3 {
        pool.run(|w| {
            w.scope(|s| {
                (0..50).for_each(|_| s.spawn(|_| ()));
                body(w);
            });
        });
    }
}

fn held_while_it_waits(w: &Worker<impl Deque>) {
    let _held = lyocell::held();
    wait(w);
}

#[test]
fn what_is_held_beside_strangers_is_told_once() {
    let held = || beside_strangers(&lyocell::Pool::builder(), held_while_it_waits);
    isolated_heard(asked, held, |output| {
        assert_eq!(told(output), 1, "{output}");
        assert!(output.contains("held.rs:"), "{output}");
    });
}

#[test]
fn the_builder_asks_as_well() {
    let held =
        || beside_strangers(&lyocell::Pool::builder().check_locks(true), held_while_it_waits);
    isolated_heard(not_asked, held, |output| assert_eq!(told(output), 1, "{output}"));
}

#[test]
fn nothing_is_told_if_nobody_asks() {
    let held = || beside_strangers(&lyocell::Pool::builder(), held_while_it_waits);
    isolated_heard(not_asked, held, |output| assert_eq!(told(output), 0, "{output}"));
}

#[test]
fn nothing_is_told_of_what_is_isolated_or_let_go() {
    let held = || {
        beside_strangers(&lyocell::Pool::builder(), |w| {
            let _held = lyocell::held();
            w.isolated(wait);
        });
        beside_strangers(&lyocell::Pool::builder(), |w| {
            drop(lyocell::held());
            wait(w);
        });
        let (first, second) = (lyocell::held(), lyocell::held());
        drop((first, second));
    };
    isolated_heard(asked, held, |output| assert_eq!(told(output), 0, "{output}"));
}

/// What is forked, spawned, looped over and coalesced while it is held descends from there.
#[test]
fn nothing_is_told_of_what_descends() {
    let held = || {
        for workers in [1, 2, 4] {
            lyocell::Pool::with_workers(workers).unwrap().run(|w| {
                for _ in 0..20 {
                    let _held = lyocell::held();
                    assert_eq!(crate::isolation::forks(w, 8), crate::isolation::forks(w, 8));
                    w.for_each_with(0..100, |w, _| _ = crate::isolation::forks(w, 2));
                    w.scope(|s| {
                        (0..100).for_each(|_| s.spawn(|w| _ = crate::isolation::forks(w, 2)))
                    });
                    w.coalesce(0..100, 3, |w, _, _| _ = crate::isolation::forks(w, 1));
                }
            });
        }
    };
    isolated_heard(asked, held, |output| assert_eq!(told(output), 0, "{output}"));
}

/// One task of a scope holds something, and its worker begins another.
#[test]
fn what_one_of_many_holds_is_told() {
    let held = || {
        lyocell::Pool::with_workers(1).unwrap().run(|w| {
            w.scope(|s| {
                for _ in 0..20 {
                    s.spawn(|w| {
                        let _held = lyocell::held();
                        w.yield_now();
                    });
                }
            });
        });
    };
    isolated_heard(asked, held, |output| assert_eq!(told(output), 1, "{output}"));
}

/// A background task holds something where it forks, and gives way to what it has left.
#[test]
fn what_is_held_where_background_work_gives_way_is_told() {
    let held = || {
        let builder = lyocell::Pool::builder().workers(1).caller(lyocell::Caller::Sleeps);
        let pool = builder.build().unwrap();
        let task = pool.spawn_background_with_handle(|w| {
            let _held = lyocell::held();
            w.spawn_detached(|_| ());
            w.isolated(|w| w.join(|_| (), |_| ()));
            w.join(|_| (), |_| ());
        });
        task.join();
        let lets_go = pool.spawn_background_with_handle(|w| {
            w.spawn_detached(|_| ());
            drop(lyocell::held());
            w.join(|_| (), |_| ());
        });
        lets_go.join();
    };
    isolated_heard(asked, held, |output| assert_eq!(told(output), 1, "{output}"));
}

/// The same, without a handle, at two places.
#[test]
fn what_an_item_holds_is_told() {
    let held = || {
        lyocell::Pool::builder().workers(1).build_global().unwrap();
        lyocell::scope(|s| {
            for item in 0..20 {
                s.spawn(move |_| {
                    let (_a, _b);
                    match item % 2 {
                        0 => _a = lyocell::held(),
                        _ => _b = lyocell::held(),
                    }
                    lyocell::yield_now();
                });
            }
        });
    };
    isolated_heard(asked, held, |output| assert_eq!(told(output), 2, "{output}"));
}
