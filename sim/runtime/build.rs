//! Has the sources compiled over virtual processors.

fn main() {
    println!("cargo::rustc-cfg=simulated");
    println!("cargo::rerun-if-changed=build.rs");
}
