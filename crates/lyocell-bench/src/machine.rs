//! What a result was measured on.

use std::fmt;

use lyocell_engines::parallelism;
use lyocell_workloads::lace;
use serde::Serialize;

/// The machine and the build, as far as they can be told.
#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    version: &'static str,
    os: &'static str,
    arch: &'static str,
    cpu: Option<String>,
    /// CPUs this process may use.
    parallelism: usize,
    lace: &'static str,
}

impl Machine {
    pub(crate) fn this() -> Machine {
        Machine {
            version: env!("CARGO_PKG_VERSION"),
            os: std::env::consts::OS,
            arch: std::env::consts::ARCH,
            cpu: cpu_model(),
            parallelism: parallelism(),
            lace: lace::BUILT.unwrap_or_else(|reason| reason),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine { version, os, arch, parallelism, .. } = self;
        let cpu = self.cpu.as_deref().unwrap_or("unknown CPU");
        write!(f, "lyocell {version} on {parallelism} x {cpu}, {os}, {arch}")
    }
}

/// The name the kernel has for the CPU; only Linux on some architectures tells.
fn cpu_model() -> Option<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
