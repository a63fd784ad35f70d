//! The runs of a JSON file of `lyocell run --format json` or `lyocell report`.

use std::path::Path;

use serde::Deserialize;

use lyocell_workloads::Refused;

/// The times of each workload on each engine, in the order of the file.
#[derive(Debug)]
pub(crate) struct Runs {
    /// What ran on what, and the seconds of each run.
    pub(crate) contenders: Vec<(String, Vec<f64>)>,
}

#[derive(Deserialize)]
struct File {
    results: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    workload: String,
    param: String,
    engine: String,
    workers: usize,
    seconds: f64,
}

/// Reads the runs of a file.
///
/// # Errors
/// It cannot be read, is no such file, or has no run in it.
pub(crate) fn read(path: &Path) -> Result<Runs, Refused> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Refused(format!("cannot read {name}: {error}")))?;
    let help = "make one with `lyocell run --format json --out FILE`";
    parse(&text).map_err(|why| Refused(format!("{name} has no runs to compare: {why}; {help}")))
}

fn parse(text: &str) -> Result<Runs, String> {
    let file: File = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut contenders: Vec<(String, Vec<f64>)> = Vec::new();
    for run in file.results {
        let Run { workload, param, engine, workers, seconds } = run;
        let name = format!("{workload}:{param} on {engine} x{workers}");
        if !(seconds.is_finite() && seconds > 0.0) {
            return Err(format!("{name} took {seconds} s"));
        }
        match contenders.iter_mut().find(|(same, _)| *same == name) {
            Some((_, all)) => all.push(seconds),
            None => contenders.push((name, vec![seconds])),
        }
    }
    if contenders.is_empty() {
        return Err("its `results` are empty".to_owned());
    }
    Ok(Runs { contenders })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = r#"{"workload": "fib", "param": "30", "engine": "lyocell", "workers": 2, "seconds": 0.5, "rep": 1}"#;

    #[test]
    fn runs_of_one_contender_are_together() {
        let runs = parse(&format!(r#"{{"machine": {{}}, "results": [{RUN}, {RUN}]}}"#)).unwrap();
        assert_eq!(runs.contenders, [("fib:30 on lyocell x2".to_owned(), vec![0.5, 0.5])]);
    }

    #[test]
    fn what_has_no_runs_is_refused() {
        let impossible = format!(r#"{{"results": [{}]}}"#, RUN.replace("0.5", "0.0"));
        for text in
            ["", "[]", "{}", r#"{"results": []}"#, r#"{"results": [{"a": 1}]}"#, &impossible]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
