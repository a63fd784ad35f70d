//! A filter of system calls that refuses the asymmetric barrier, as containers and sandboxes set one.

/// Which commands of `membarrier` are refused.
#[derive(Clone, Copy)]
pub(crate) enum Refused {
    All,
    /// All but the registration.
    Use,
}

/// From now on the system refuses these to every thread of this process, and of those that it starts.
pub(crate) fn refuse(refused: Refused) {
    // What the filter looks at, as `struct seccomp_data` has it: the number of the call, and the lower half of its first
    // argument.
    const NUMBER: u32 = 0;
    const COMMAND: u32 = if cfg!(target_endian = "big") { 20 } else { 16 };
    let statement = |code: u32, k: u32| libc::sock_filter { code: code as u16, jt: 0, jf: 0, k };
    let if_equal = |k: u32, jt: u8, jf: u8| {
        let code = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
        libc::sock_filter { code, jt, jf, k }
    };
    let load = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    let answer = libc::BPF_RET | libc::BPF_K;
    let registration = match refused {
        Refused::All => u32::MAX,
        Refused::Use => libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED as u32,
    };
    let mut filter = [
        statement(load, NUMBER),
        if_equal(libc::SYS_membarrier as u32, 0, 3),
        statement(load, COMMAND),
        if_equal(registration, 1, 0),
        statement(answer, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
        statement(answer, libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: the call takes numbers.
    assert_eq!(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }, 0);
    // SAFETY: the program is there to be read.
    let set = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_TSYNC,
            &raw const program,
        )
    };
    assert_eq!(set, 0, "no filter: {}", std::io::Error::last_os_error());
    // SAFETY: the call takes numbers.
    let issued =
        unsafe { libc::syscall(libc::SYS_membarrier, libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) };
    assert_eq!(issued, -1, "the barrier is not refused");
}
