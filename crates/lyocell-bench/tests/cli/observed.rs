//! `lyocell run --stats --times`.

use crate::common::{csv_of, lyocell, stderr, stdout};

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
