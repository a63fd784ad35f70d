//! `lyocell latency`.

use crate::common::{assert_refused, lyocell, stderr, stdout};

#[test]
fn latency_takes_the_measures_asked_for_on_every_pool() {
    let output = lyocell(&[
        "latency",
        "--workers",
        "2",
        "--measure",
        "stream,enter,callers",
        "--format",
        "csv",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let mut lines = stdout(&output).lines();
    assert_eq!(lines.next(), Some("measure,engine,workers,statistic,value,unit,low,high,host"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let of: Vec<_> = rows.iter().map(|row| (row[0], row[1], row[2], row[3])).collect();
    for engine in ["lyocell", "lyocell:exposing-off", "rayon", "chili"] {
        assert!(of.contains(&("enter", engine, "2", "p50")), "{}", stdout(&output));
        assert!(of.contains(&("stream", engine, "2", "ratio")), "{}", stdout(&output));
        assert!(of.contains(&("callers", engine, "2", "p99.9")), "{}", stdout(&output));
    }
    assert!(of.iter().all(|row| ["enter", "stream", "callers"].contains(&row.0)));
    let hosts = ["quiet", "disturbed", "unknown"];
    assert!(rows.iter().all(|row| hosts.contains(&row[8])), "{}", stdout(&output));
    assert_refused(
        &["latency", "--measure", "speed"],
        &["speed", "enter", "wake", "stream", "coarse-after-fine"],
    );
}
