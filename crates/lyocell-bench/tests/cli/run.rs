//! `lyocell run`: what is asked for, and what there is not.

use crate::common::{assert_refused, command, lyocell, stderr, stdout};

#[test]
fn what_there_is_not_is_named_with_what_there_is() {
    assert_refused(
        &["run", "fob:3"],
        &["`fob`", "fib, queens, uts, matmul, stress, cholesky, mm, ssf"],
    );
    assert_refused(&["run", "fib:-1"], &["fib:-1", "0 to 60"]);
    assert_refused(&["run", "fib:200"], &["fib:200", "0 to 60"]);
    assert_refused(&["run", "fib:"], &["fib takes N"]);
    assert_refused(&["run", "queens:99"], &["queens:99", "1 to 15"]);
    assert_refused(&["run", "queens:0"], &["queens:0", "1 to 15"]);
    assert_refused(&["run", "uts:T9"], &["uts:T9", "T1, T2, T3", "T1XL"]);
    assert_refused(&["run", "matmul:0"], &["matmul:0", "1 to 4096"]);
    assert_refused(&["run", "matmul:1e3"], &["matmul:1e3"]);
    assert_refused(
        &["run", "fib:5", "--engine", "tokio"],
        &[
            "`tokio`",
            "serial, serial-c, lyocell, rayon, chili, lace, openmp, openmp-clang, tbb, wool, libfork and forte",
        ],
    );
    for workers in ["0", "100000", "-1", "two", ""] {
        let workers = format!("--workers={workers}");
        assert_refused(&["run", "fib:5", &workers], &["--workers", "1 to 256"]);
    }
    assert_refused(&["run", "fib:5", "--reps", "0"], &["--reps", "1..=1000"]);
    assert_refused(&["run", "fib:5", "--format", "xml"], &["xml", "table, csv, json"]);
    assert_refused(&["run"], &["WORKLOAD"]);
    assert_refused(&["latency", "--workers", "0"], &["--workers", "1 to 256"]);
    assert_refused(&["walk"], &["walk"]);
}

#[test]
fn ranks_have_one_setup() {
    assert_refused(&["run", "uts:T1", "--ranks", "--engine", "rayon"], &["--ranks", "--engine"]);
    assert_refused(&["run", "uts:T1", "--ranks", "--layouts", "2"], &["--ranks", "--layouts"]);
    assert_refused(&["run", "uts:T1", "--ranks", "--deque", "abp"], &["options of setups"]);
    assert_refused(&["run", "uts:T1", "--ranks", "--stats"], &["options of setups"]);
}

#[cfg(not(feature = "mpi"))]
#[test]
fn ranks_without_mpi_are_refused_with_how_to_build_it() {
    let build = "cargo build --release -p lyocell-bench --features mpi";
    assert_refused(&["run", "uts:T1", "--ranks"], &["--ranks needs MPI", build]);
}

#[cfg(feature = "mpi")]
#[test]
fn ranks_run_what_there_are_bags_of() {
    assert_refused(&["run", "fib:5", "--ranks"], &["\"fib:5\"", "T3XXL", "queens:N"]);
}

#[test]
fn one_bad_workload_among_good_ones_stops_before_the_first_run() {
    assert_refused(&["run", "fib:5", "queens:5", "uts:T0", "--format", "csv"], &["uts:T0"]);
}

#[test]
fn an_engine_that_cannot_run_the_workload_says_why() {
    let output = lyocell(&["run", "matmul:5", "--engine", "serial-c,serial", "--format", "csv"]);
    if stderr(&output).contains("this machine does not have the engine serial-c") {
        // There is no C compiler on this machine.
        assert_eq!(output.status.code(), Some(2));
        return;
    }
    assert!(output.status.success());
    assert!(stdout(&output).contains("matmul,5,serial,1,1,"));
    assert!(stderr(&output).contains("serial-c does not run matmul"), "{}", stderr(&output));
    assert_refused(&["run", "matmul:5", "--engine", "serial-c"], &["with short tasks"]);
}

#[test]
fn chili_runs_every_workload() {
    let run = ["run", "fib:9", "queens:5", "uts:T3", "matmul:33", "stress:3x5x2"];
    let output =
        lyocell(&[&run[..], &["--engine", "chili", "--workers", "3", "--reps", "1"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    for workload in ["fib:9", "queens:5", "uts:T3", "matmul:33", "stress:3x5x2"] {
        assert!(stdout(&output).contains(workload), "{workload}: {}", stdout(&output));
    }
}

#[test]
fn the_number_of_workers_in_the_environment_is_the_default() {
    let with = |variable: &str, arguments: &[&str]| {
        command().env("LYOCELL_WORKERS", variable).args(arguments).output().unwrap()
    };
    for arguments in [
        &["run", "fib:10"][..],
        &["run", "fib:10", "--engine", "serial"],
        &["latency", "--measure", "enter"],
        &["experiment", "wool-fig4", "--workload", "stress:1x1x1"],
        &[],
    ] {
        for nonsense in ["zebra", "0", "-1", "257"] {
            let output = with(nonsense, arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
            for word in ["LYOCELL_WORKERS", nonsense, "1 to 256"] {
                assert!(stderr(&output).contains(word), "{arguments:?}: {}", stderr(&output));
            }
        }
    }
    let run = ["run", "fib:10", "--engine", "lyocell", "--reps", "1", "--format", "csv"];
    let workers = |variable: &str, arguments: &[&str]| -> Vec<String> {
        let output = with(variable, &[&run[..], arguments].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let rows = stdout(&output).lines().skip(1);
        rows.map(|row| row.split(',').nth(3).unwrap().to_owned()).collect()
    };
    assert_eq!(workers("3", &[]), ["1", "3"]);
    assert_eq!(workers("zebra", &["--workers", "2"]), ["2"], "what is given needs no default");
    assert_eq!(workers("", &[])[0], "1", "empty is as unset");
}
