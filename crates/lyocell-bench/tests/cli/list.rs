//! `lyocell list`.

use crate::common::{lyocell, stdout};

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
        "mm",
        "ssf",
        "cilksort",
        "samplesort",
        "matching",
        "mis",
        "hull",
        "tree-sum",
        "skynet",
        "integrate",
        "knapsack",
        "strassen",
        "heat",
        "bdd",
        "dfs",
        "T3L",
        "T1XL",
        "Olivier",
        "serial",
        "serial-c",
        "lyocell",
        "rayon",
        "chili",
        "lace",
        "openmp",
        "openmp-clang",
        "tbb",
        "wool",
        "libfork",
        "forte",
        "cargo build --release -p lyocell-rivals",
        "lace-fig5",
        "acar-fig6a",
    ] {
        assert!(stdout(&output).contains(word), "{word}: {}", stdout(&output));
    }
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
        "--share one, quarter, half, three-quarters or all (half if not given)",
        "direct-private and direct-nolock",
        "transitive",
        "leap+random",
    ] {
        assert!(stdout(&output).contains(word), "{word}: {}", stdout(&output));
    }
}

#[test]
fn list_shows_the_machine() {
    let output = lyocell(&["list", "--machine"]);
    assert!(output.status.success());
    let text = stdout(&output);
    assert!(text.contains("workers by default") && text.contains("--pinning node"), "{text}");
}
