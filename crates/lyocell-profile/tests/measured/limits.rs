//! Costs beyond what can be told: sums stay at the most there is, and the program goes on.

use lyocell::Pool;
use lyocell_profile::{Declared, Profile, advance, region};

const LARGE: u64 = u64::MAX / 2;

/// With overflow checks, plain sums of these costs would unwind where a task of the scope ends.
#[test]
fn tasks_of_a_scope_that_declare_large_costs() {
    for workers in [1, 3] {
        for _ in 0..20 {
            let pool =
                Pool::builder().probe::<Profile<Declared>>().workers(workers).build().unwrap();
            pool.scope(|s| {
                (0..3).for_each(|_| s.spawn(|w| region(w, "task", |w| advance(w, LARGE))));
            });
            pool.run(|w| w.scope(|s| (0..3).for_each(|_| s.spawn(|w| advance(w, LARGE)))));
            let all = Profile::of(&pool).all;
            assert!(all.work_ticks >= u64::MAX - 1, "{}", all.work_ticks);
            assert!(all.span_ticks >= LARGE, "{}", all.span_ticks);
            assert_eq!(all.jobs, 6);
        }
    }
}

#[test]
fn joins_and_loops_that_declare_large_costs() {
    let pool = Pool::builder().probe::<Profile<Declared>>().workers(2).build().unwrap();
    pool.run(|w| {
        w.join(|w| advance(w, LARGE), |w| advance(w, LARGE));
        w.join_range(0..5, (), |w, _| advance(w, LARGE), |(), ()| ());
        region(w, "after", |w| advance(w, LARGE));
    });
    let profile = Profile::of(&pool);
    assert!(profile.all.work_ticks >= u64::MAX - 1, "{}", profile.all.work_ticks);
    assert!(profile.to_json().contains("after"));
    assert!(!profile.to_string().is_empty());
}
