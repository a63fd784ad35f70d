//! `LYOCELL_PROFILE` has a program write its report, of which the program knows nothing.

use lyocell::Pool;
use lyocell_profile::{Profile, region};
use std::process::Command;
use std::{env, fs};

/// Run by the other test in a process of its own, with the variable set.
#[test]
fn program() {
    for name in ["first", "<second>"] {
        let pool = Pool::builder().probe::<Profile>().workers(2).build().unwrap();
        let sum =
            pool.run(|w| region(w, name, |w| w.map_reduce(0..1000_u64, |i| i, || 0, |a, b| a + b)));
        assert_eq!(sum, 499_500);
    }
}

#[test]
fn each_pool_of_a_program_writes_a_report() {
    let directory = env::temp_dir().join(format!("lyocell-profile-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    let read = |name: &str| {
        fs::read_to_string(directory.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    };
    for ending in ["html", "json", "txt"] {
        let child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "program", "--test-threads=1"])
            .env("LYOCELL_PROFILE", directory.join(format!("out.{ending}")))
            .output()
            .unwrap();
        assert!(child.status.success(), "{child:?}");
    }
    let page = read("out.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<b>first</b>"), "{page}");
    assert!(read("out.2.html").contains("<b>&lt;second&gt;</b>"));
    assert!(read("out.json").contains("\"name\": \"first\""));
    assert!(read("out.2.txt").contains("\n  <second> "));
    fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn a_file_that_cannot_be_written_is_told_and_does_no_harm() {
    let child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "program", "--test-threads=1", "--nocapture"])
        .env("LYOCELL_PROFILE", "/nonexistent/out.html")
        .output()
        .unwrap();
    assert!(child.status.success(), "{child:?}");
    let told = String::from_utf8_lossy(&child.stderr).into_owned();
    assert!(told.contains("LYOCELL_PROFILE=/nonexistent/out.html"), "{told}");
}

/// There is nobody left to tell, and the program goes on.
#[cfg(target_os = "linux")]
#[test]
fn an_error_that_cannot_be_told_does_no_harm() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let status = Command::new(env::current_exe().unwrap())
        .args(["--exact", "program", "--test-threads=1", "--nocapture"])
        .env("LYOCELL_PROFILE", "/nonexistent/out.html")
        .stderr(full)
        .status()
        .unwrap();
    assert!(status.success(), "{status}");
}
