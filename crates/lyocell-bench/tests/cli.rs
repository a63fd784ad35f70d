//! The command line from outside: exit codes, messages, the forms of the report.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lyocell"));
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("LYOCELL_WORKERS");
    command
}

fn lyocell(arguments: &[&str]) -> Output {
    command().args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// Asserts that `arguments` are refused with exit code 2, no output, and each of `words` said.
fn assert_refused(arguments: &[&str], words: &[&str]) {
    let output = lyocell(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
    assert_eq!(stdout(&output), "", "{arguments:?}");
    for word in words {
        assert!(stderr(&output).contains(word), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn list_shows_every_workload_and_engine() {
    let output = lyocell(&["list"]);
    assert!(output.status.success());
    for word in [
        "fib",
        "queens",
        "uts",
        "matmul",
        "stress",
        "T3L",
        "T1XL",
        "Olivier",
        "serial",
        "lyocell",
        "rayon",
        "chili",
        "lace",
        "lace-fig5",
        "acar-fig6a",
    ] {
        assert!(stdout(&output).contains(word), "{word}: {}", stdout(&output));
    }
}

#[test]
fn what_there_is_not_is_named_with_what_there_is() {
    assert_refused(&["run", "fob:3"], &["`fob`", "fib, queens, uts, matmul and stress"]);
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
        &["`tokio`", "serial, lyocell, rayon, chili and lace"],
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
fn one_bad_workload_among_good_ones_stops_before_the_first_run() {
    assert_refused(&["run", "fib:5", "queens:5", "uts:T0", "--format", "csv"], &["uts:T0"]);
}

#[test]
fn an_engine_that_cannot_run_the_workload_says_why() {
    assert_refused(&["run", "queens:5", "--engine", "chili"], &["binary joins only"]);
    let output = lyocell(&["run", "queens:5", "--engine", "chili,serial", "--format", "csv"]);
    assert!(output.status.success());
    assert!(stderr(&output).contains("chili does not run queens"), "{}", stderr(&output));
    assert!(stdout(&output).contains("queens,5,serial,1,1,"));
}

#[test]
fn a_deque_that_is_only_compared_runs_the_programs_of_its_paper() {
    let arguments = ["run", "queens:5", "--deque", "split,direct-task,direct-peek", "--reps", "1"];
    let output = lyocell(&[&arguments[..], &["--workers", "1", "--format", "csv"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let said = "lyocell:direct-task and lyocell:direct-peek do not run queens";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
    assert_eq!(stdout(&output).lines().count(), 1 + 2);
    let alone = ["run", "uts:T1", "--deque", "direct-base", "--engine", "lyocell"];
    assert_refused(&alone, &["lyocell:direct-base does not run uts", "fib and stress"]);
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

#[test]
fn csv_has_the_fixed_columns_and_a_line_a_run() {
    let output = lyocell(&[
        "run",
        "fib:15",
        "queens:6",
        "matmul:33",
        "--engine",
        "serial,lyocell,rayon",
        "--workers",
        "1,2",
        "--reps",
        "2",
        "--format",
        "csv",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let mut lines = stdout(&output).lines();
    let header = lines.next().unwrap();
    assert_eq!(header, "workload,param,engine,workers,rep,seconds,tasks,answer");
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    // One serial contender, two each of the others; two repetitions of three workloads.
    assert_eq!(rows.len(), 5 * 2 * 3);
    assert!(rows.iter().all(|row| row.len() == 8 && row[5].parse::<f64>().is_ok()));
    let turns: Vec<_> = rows[..10].iter().map(|row| (row[2], row[3], row[4])).collect();
    assert_eq!(turns[..3], [("serial", "1", "1"), ("lyocell", "1", "1"), ("lyocell", "2", "1")]);
    assert_eq!(turns[5], ("serial", "1", "2"));
    let answers: Vec<_> = [0, 10, 20].map(|index| (rows[index][6], rows[index][7])).into();
    assert_eq!(answers[0], ("986", "610"));
    assert_eq!(answers[1], ("152", "4"));
    assert!(answers[2].1.starts_with("sum="));
}

#[test]
fn json_has_the_machine_and_a_result_a_run() {
    let output = lyocell(&[
        "run",
        "fib:15",
        "--engine",
        "rayon",
        "--workers",
        "2",
        "--reps",
        "3",
        "--format",
        "json",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["machine"]["parallelism"].as_u64().unwrap() >= 1);
    let results = report["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    assert_eq!(results[2]["engine"], "rayon");
    assert_eq!(results[2]["rep"], 3);
    assert_eq!(results[2]["answer"], "610");
}

#[test]
fn the_table_marks_the_best_and_has_no_colours_in_a_pipe() {
    let output = lyocell(&["run", "fib:15", "--workers", "1,2", "--reps", "1"]);
    assert!(output.status.success(), "{}", stderr(&output));
    for word in ["fib:15", "986 tasks", "T_S", "T_1", "T_2", "T_1/T_2", "overhead", "* "] {
        assert!(stdout(&output).contains(word), "{word}: {}", stdout(&output));
    }
    assert!(!stdout(&output).contains('\x1b'));
}

#[test]
fn out_is_written_and_an_unwritable_one_is_refused_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("runs.csv");
    let path = file.to_str().unwrap();
    fs::write(&file, "old and longer than what replaces it\n".repeat(100)).unwrap();
    let arguments = ["run", "fib:5", "--engine", "serial", "--format", "csv", "--reps", "1"];
    let output = lyocell(&[&arguments[..], &["--out", path]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let written = fs::read_to_string(&file).unwrap();
    assert!(written.starts_with("workload,param"), "{written}");
    assert_eq!(written.lines().count(), 2);

    let missing = folder.path().join("missing").join("runs.csv");
    let missing = missing.to_str().unwrap();
    assert_refused(&[&arguments[..], &["--out", missing]].concat(), &["--out", missing]);
}

#[test]
fn a_reader_that_has_had_enough_is_no_error() {
    for arguments in [&["list"][..], &["run", "fib:5", "--reps", "1000", "--format", "csv"]] {
        let mut child = command()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut reader = BufReader::with_capacity(16, child.stdout.take().unwrap());
        reader.read_line(&mut line).unwrap();
        drop(reader);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
    }
}

#[test]
fn latency_takes_the_measures_asked_for_on_every_pool() {
    let output =
        lyocell(&["latency", "--workers", "2", "--measure", "stream,enter", "--format", "csv"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let mut lines = stdout(&output).lines();
    assert_eq!(lines.next(), Some("measure,engine,workers,statistic,value,unit"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let of: Vec<_> = rows.iter().map(|row| (row[0], row[1], row[2], row[3])).collect();
    for engine in ["lyocell", "rayon", "chili"] {
        assert!(of.contains(&("enter", engine, "2", "p50")), "{}", stdout(&output));
        assert!(of.contains(&("stream", engine, "2", "ratio")), "{}", stdout(&output));
    }
    assert!(of.iter().all(|row| row.0 == "enter" || row.0 == "stream"));
    assert_refused(&["latency", "--measure", "speed"], &["speed", "enter", "wake", "stream"]);
}

#[test]
fn queues_runs_every_case_on_every_queue_that_can() {
    let cases = "raw:500,quicksort:500,spanning-tree:300,xml:50,shortest-paths:20,marking:100";
    let arguments = ["queues", "--case", cases, "--threads", "1,3", "--reps", "2"];
    let output = lyocell(&[&arguments[..], &["--format", "csv"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let mut lines = stdout(&output).lines();
    let header = "case,param,queue,threads,rep,seconds,visits,duplicates,repeats,answer";
    assert_eq!(lines.next(), Some(header));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.splitn(10, ',').collect()).collect();
    // The serial program; 7 queues, or 11 on the four idempotent cases, with two numbers of threads.
    assert_eq!(rows.len(), 2 * (6 + 2 * (2 * 7 + 4 * 11)));
    for case in ["raw", "quicksort", "spanning-tree", "xml", "shortest-paths", "marking"] {
        let of_case: Vec<_> = rows.iter().filter(|row| row[0] == case).collect();
        assert!(of_case.iter().all(|row| row[9] == of_case[0][9]), "{case}: {of_case:?}");
        let relaxed = of_case.iter().any(|row| row[2] == "idempotent-fifo");
        assert_eq!(relaxed, case != "quicksort" && case != "xml");
        for queue in ["serial", "abp", "chase-lev-shrinking", "crossbeam-deque", "st3"] {
            assert!(of_case.iter().any(|row| row[2] == queue), "{case} on {queue}");
        }
    }
    let exact = rows.iter().filter(|row| row[2] == "abp" || row[2] == "crossbeam-deque");
    assert!(exact.into_iter().all(|row| row[7] == "0"), "no duplicates: {}", stdout(&output));
}

#[test]
fn list_shows_every_case_and_queue() {
    let output = lyocell(&["list"]);
    for word in [
        "raw",
        "quicksort",
        "spanning-tree",
        "xml",
        "feed",
        "shortest-paths",
        "marking",
        "abp",
        "chase-lev-shrinking",
        "idempotent-double-ended",
        "duplicating",
        "central-locked",
        "st3",
    ] {
        assert!(stdout(&output).contains(word), "{word}: {}", stdout(&output));
    }
}

#[test]
fn queues_refuses_what_does_not_go_together_and_what_there_is_not() {
    assert_refused(
        &["queues", "--case", "raw,quicksort", "--queue", "abp,duplicating"],
        &["quicksort:", "duplicating", "must be visited once", "use abp, chase-lev"],
    );
    assert_refused(&["queues", "--case", "xml:9", "--queue", "idempotent-lifo"], &["xml:9"]);
    assert_refused(&["queues", "--case", "sort"], &["`sort`", "raw, quicksort, spanning-tree"]);
    assert_refused(&["queues", "--queue", "fifo"], &["`fifo`", "abp, chase-lev", "st3"]);
    assert_refused(&["queues", "--case", "raw:0"], &["raw:0", "from 1 to"]);
    assert_refused(&["queues", "--case", "xml:no-such-file"], &["no-such-file"]);
    assert_refused(&["queues", "--threads", "0"], &["--threads", "1 to 256"]);
    assert_refused(&["queues", "--reps", "0"], &["--reps", "1..=1000"]);
    assert_refused(&["queues", "--queue", "st3", "--plot", "x.svg"], &["--plot", "abp"]);
    assert_refused(&["queues", "--plot", "no/such/folder.svg"], &["--plot", "no/such/folder.svg"]);
}

#[test]
fn a_relaxed_queue_alone_runs_the_idempotent_cases_only() {
    let arguments = ["queues", "--queue", "duplicating", "--threads", "2", "--reps", "1"];
    let output = lyocell(&[&arguments[..], &["--format", "csv"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let cases = ["raw,", "spanning-tree,", "shortest-paths,", "marking,"];
    for case in cases {
        assert!(stdout(&output).contains(case), "{case}: {}", stdout(&output));
    }
    assert!(!stdout(&output).contains("quicksort") && !stdout(&output).contains("xml"));
}

#[test]
fn the_table_of_queues_is_normalized_and_the_plot_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let (plot, table) = (folder.path().join("bars.svg"), folder.path().join("table.txt"));
    let output = command()
        .args(["queues", "--case", "raw:500,xml:feed", "--threads", "1,2", "--reps", "2"])
        .args(["--queue", "abp,locked,crossbeam-deque"])
        .args([std::ffi::OsStr::new("--plot"), plot.as_os_str()])
        .args([std::ffi::OsStr::new("--out"), table.as_os_str()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let table = fs::read_to_string(table).unwrap();
    for word in ["raw", "500 nodes", "feed", "2 threads", "locked", " 1.00", "over crossbeam"] {
        assert!(table.contains(word), "{word}: {table}");
    }
    let plot = fs::read_to_string(plot).unwrap();
    for word in ["<svg", "raw:500", "xml:feed", "1 thread", "locked"] {
        assert!(plot.contains(word), "{word}");
    }
}

#[test]
fn stats_count_and_say_what_counting_costs() {
    let arguments = ["queues", "--case", "marking:300", "--threads", "2", "--reps", "2", "--stats"];
    let output = lyocell(&arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    for word in ["pushes", "steals", "empty", "busy", "peak", "bytes", "The cost of counting"] {
        assert!(stdout(&output).contains(word), "{word}: {}", stdout(&output));
    }
    let output = lyocell(&[&arguments[..], &["--queue", "abp,st3", "--format", "json"]].concat());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let results = report["results"].as_array().unwrap();
    assert_eq!(results.len(), 4);
    for result in results {
        let number = |key: &str| result[key].as_u64().unwrap();
        let out = number("takes") + number("steals") + number("overflows");
        assert_eq!(out, number("counted_visits"), "{result}");
        assert!(number("peak_length") > 0 && result["counted_seconds"].as_f64().unwrap() > 0.0);
        assert_eq!(result["bytes"].is_null(), result["queue"] == "st3");
    }
}

/// The header and the rows of the CSV that `arguments` make.
fn csv_of(arguments: &[&str]) -> (csv::StringRecord, Vec<csv::StringRecord>) {
    let output = lyocell(&[arguments, &["--format", "csv"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    let mut reader = csv::Reader::from_reader(&output.stdout[..]);
    let header = reader.headers().unwrap().clone();
    (header, reader.records().map(Result::unwrap).collect())
}

#[test]
fn every_deque_is_an_engine_and_serial_runs_beside() {
    let (header, rows) =
        csv_of(&["run", "fib:12", "--deque", "all", "--workers", "2", "--reps", "1"]);
    assert_eq!(header.len(), 8);
    let engines: Vec<&str> = rows.iter().map(|row| &row[2]).collect();
    assert_eq!(engines[..2], ["serial", "lyocell"]);
    for engine in ["direct", "direct-locked", "receiver-block", "sender-two-step", "abp"] {
        assert!(engines.contains(&format!("lyocell:{engine}").as_str()), "{engines:?}");
    }
    let x86_64 = cfg!(target_arch = "x86_64");
    assert_eq!(engines.contains(&"lyocell:split-fence"), x86_64);
    assert!(!engines.contains(&"rayon"));
}

#[test]
fn setups_are_named_and_take_turns_with_the_engines_asked_for() {
    let setups = ["--deque", "split,sender", "--wait", "leap+random,leap", "--delta", "30us,1ms"];
    let others = ["--engine", "rayon,lyocell", "--workers", "1", "--reps", "2"];
    let (_, rows) = csv_of(&[&["run", "fib:12"][..], &setups, &others].concat());
    let engines: Vec<&str> = rows.iter().map(|row| &row[2]).collect();
    let turn = [
        "rayon",
        "lyocell",
        "lyocell:split+leap",
        "lyocell:sender",
        "lyocell:sender+1ms",
        "lyocell:sender+leap",
        "lyocell:sender+leap+1ms",
    ];
    assert_eq!(engines, [turn, turn].concat());
    let setups = [&["run", "fib:12", "--workers", "2", "--reps", "1"][..], &setups].concat();
    let output = lyocell(&setups);
    for engine in &turn[1..] {
        assert!(stdout(&output).contains(engine), "{engine}: {}", stdout(&output));
    }
    assert!(stderr(&output).contains("--delta means nothing to split"), "{}", stderr(&output));
}

#[test]
fn setups_that_make_no_sense_are_refused_with_what_there_is() {
    let refused = |options: &[&str], words: &[&str]| {
        assert_refused(&[&["run", "fib:5"], options].concat(), words);
    };
    refused(&["--deque", "deck"], &["`deck`", "split, split-fence, direct", "abp; or all"]);
    refused(&["--deque", "abp", "--steal", "half"], &["--steal half", "abp", "receiver"]);
    refused(&["--steal", "two"], &["--steal", "one, half"]);
    refused(&["--delta", "30us"], &["--delta", "split", "sender"]);
    refused(&["--deque", "sender", "--delta", "30"], &["--delta", "time unit"]);
    refused(&["--deque", "direct", "--interrupt", "1ms"], &["--interrupt", "direct", "split"]);
    refused(&["--interrupt", "0ms"], &["--interrupt", "such as 500us"]);
    refused(&["--interrupt", "often"], &["--interrupt", "off"]);
    refused(&["--wait", "long"], &["--wait", "\"long\"", "leap+random"]);
    refused(&["--engine", "rayon", "--stats"], &["setups of lyocell", "--engine"]);
    // Nothing is said to a deque that does what is asked for anyway.
    csv_of(&["run", "fib:5", "--deque", "abp", "--steal", "one", "--interrupt", "off"]);
}

#[test]
fn stats_are_further_columns_for_all_workers_and_for_each() {
    let run = ["run", "fib:12", "--deque", "split,direct-task", "--workers", "2,3"];
    let (header, rows) = csv_of(&[&run[..], &["--reps", "2", "--stats"]].concat());
    let column = |name: &str| header.iter().position(|column| column == name).unwrap();
    let (worker, spawned) = (column("worker"), column("spawned"));
    assert_eq!((worker, &header[7]), (8, "answer"));
    for name in ["steals", "leaps", "failed", "busy", "grows", "shrinks", "requests", "owner_rmws"]
    {
        column(name);
    }
    for name in ["cas_failures", "deals", "deal_requests", "parks", "wakes", "peak_depth"] {
        column(name);
    }
    assert!(!header.iter().any(|column| column.ends_with("_seconds")));
    let serial = rows.iter().filter(|row| &row[2] == "serial");
    assert!(serial.into_iter().all(|row| &row[worker] == "all" && row[spawned].is_empty()));
    let number = |row: &csv::StringRecord, column: usize| row[column].parse::<u64>().unwrap();
    let watched: Vec<_> = rows.iter().filter(|row| &row[2] != "serial").collect();
    // Two deques, two repetitions; a line for all and one for each of 2 or 3 workers.
    assert_eq!(watched.len(), 2 * 2 * (3 + 4));
    for (index, row) in watched.iter().enumerate().filter(|(_, row)| &row[worker] == "all") {
        let workers = number(row, 3) as usize;
        let each = &watched[index + 1..=index + workers];
        assert!(each.iter().enumerate().all(|(index, row)| number(row, worker) == index as u64));
        assert!(each.iter().all(|one| one.iter().take(8).eq(row.iter().take(8))));
        for name in ["spawned", "steals", "failed", "owner_rmws"] {
            let sum = each.iter().map(|row| number(row, column(name))).sum::<u64>();
            assert_eq!(sum, number(row, column(name)), "{name}");
        }
        assert_eq!(number(row, spawned), 232);
        let peaks = each.iter().map(|row| number(row, column("peak_depth")));
        assert_eq!(peaks.max(), Some(number(row, column("peak_depth"))));
    }
}

#[test]
fn times_are_of_the_whole_run_for_every_worker() {
    let (header, rows) = csv_of(&["run", "fib:16", "--workers", "1,2", "--reps", "1", "--times"]);
    let of = |row: &csv::StringRecord, name: &str| -> f64 {
        row[header.iter().position(|column| column == name).unwrap()].parse().unwrap()
    };
    let phases = [
        "start_stop_seconds",
        "application_seconds",
        "application_by_leaping_seconds",
        "stealing_seconds",
        "leaping_seconds",
        "idle_seconds",
    ];
    assert_eq!(header.iter().skip(9).collect::<Vec<_>>(), phases);
    for row in rows.iter().filter(|row| &row[2] == "lyocell") {
        let together: f64 = phases.iter().map(|phase| of(row, phase)).sum();
        let workers = if &row[8] == "all" { of(row, "workers") } else { 1.0 };
        // But for how decimals are rounded.
        assert!(together >= of(row, "seconds") * workers * 0.999_999, "{row:?}");
        assert!(of(row, "application_seconds") > 0.0 || &row[8] == "1", "{row:?}");
    }
}

#[test]
fn stats_and_times_are_objects_of_a_run_in_json() {
    let run = ["run", "fib:12", "--workers", "2", "--reps", "1", "--format", "json"];
    let report = |options: &[&str]| -> serde_json::Value {
        let output = lyocell(&[&run[..], options].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let both = report(&["--deque", "receiver", "--stats", "--times"]);
    let result = &both["results"][1];
    assert_eq!(result["engine"], "lyocell:receiver");
    assert_eq!(result["stats"]["total"]["spawned"], 232);
    assert_eq!(result["stats"]["workers"].as_array().unwrap().len(), 2);
    assert!(result["stats"]["total"]["deal_requests"].is_u64());
    assert!(result["times"]["total"]["application_seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(result["times"]["workers"].as_array().unwrap().len(), 2);
    assert!(both["results"][0].get("stats").is_none(), "serial has no probes: {both}");
    let neither = report(&["--deque", "receiver"]);
    assert_eq!(neither["results"][1].as_object().unwrap().len(), 8, "{neither}");
}

#[test]
fn the_tables_of_stats_and_times_follow_that_of_the_run() {
    let run = ["run", "fib:16", "--deque", "split,sender", "--workers", "2", "--reps", "3"];
    let output = lyocell(&[&run[..], &["--stats", "--times"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let table = stdout(&output);
    for word in ["T_2", "tasks", "1,596", "peak depth", "peak stack", "KiB", "run of median time"] {
        assert!(table.contains(word), "{word}: {table}");
    }
    for word in ["start/stop", "application by leaping", "idle", "together", "lyocell:sender x2"] {
        assert!(table.contains(word), "{word}: {table}");
    }
    let plain = lyocell(&run);
    assert!(!stdout(&plain).contains("peak depth") && !stdout(&plain).contains("start/stop"));
}

#[test]
fn an_interrupted_run_has_the_right_answer_where_there_are_signals() {
    let deques = "split,receiver,sender";
    let run = ["run", "queens:8", "--deque", deques, "--interrupt", "100us", "--workers", "3"];
    let output = lyocell(&[&run[..], &["--reps", "5", "--format", "csv"]].concat());
    if cfg!(target_os = "linux") {
        assert!(output.status.success(), "{}", stderr(&output));
        let named = stdout(&output).matches("lyocell:split+interrupt-100us,3,").count();
        assert_eq!(named, 5, "{}", stdout(&output));
    } else {
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("interrupt"), "{}", stderr(&output));
    }
}

#[test]
fn list_shows_every_deque_with_its_paper_and_options_and_every_wait_policy() {
    let output = lyocell(&["list"]);
    for word in [
        "split-fence",
        "direct-none-private",
        "receiver-block",
        "sender-two-step",
        "chase-lev",
        "van Dijk and van de Pol 2014",
        "Faxén 2010, Table II",
        "Acar, Charguéraud and Rainey 2013, appendix C",
        "Arora, Blumofe and Plaxton",
        "owner wait-free",
        "needs the owner's cooperation",
        "--steal one or half (half if not given), --delta (30us if not given), --interrupt",
        "direct-private and direct-nolock",
        "transitive",
        "leap+random",
    ] {
        assert!(stdout(&output).contains(word), "{word}: {}", stdout(&output));
    }
}
