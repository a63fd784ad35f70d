//! The program `lyocell`: the command line of the library, and what moves its code in memory.
//!
//! What a short recursion costs depends on where the linker has put it. Nothing is compiled in this crate but the few
//! lines below, so to link everything at other places takes seconds: `.ci/layouts` does so, and `lyocell run --layouts`
//! compares.

use std::process::ExitCode;

/// Functions begin at multiples of so many bytes.
const STEP: usize = 16;

/// Behind how many steps everything is placed: what `LYOCELL_LAYOUT` said when this was compiled.
const LAYOUT: usize = match option_env!("LYOCELL_LAYOUT") {
    None => 0,
    Some(number) => match usize::from_str_radix(number, 10) {
        Ok(number) => number,
        Err(_) => panic!("LYOCELL_LAYOUT is a number"),
    },
};

// The code of a program's own crate stands before that of its libraries.
#[cfg(target_os = "linux")]
std::arch::global_asm!(
    ".pushsection .text.lyocell_layout,\"ax\",@progbits",
    ".globl lyocell_layout",
    "lyocell_layout:",
    ".skip {padding}",
    ".popsection",
    padding = const LAYOUT * STEP,
);

#[cfg(target_os = "linux")]
unsafe extern "C" {
    /// The padding: never called, and kept because it is named.
    fn lyocell_layout();
}

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    std::hint::black_box(lyocell_layout as unsafe extern "C" fn());
    lyocell_bench::main()
}
