//! Where a stack is, as the C library knows it.

use std::mem::MaybeUninit;

pub(crate) fn lowest_address() -> Option<usize> {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let mut lowest = std::ptr::null_mut();
    let mut size = 0;
    // SAFETY: the attributes are initialised by the first call, read by the second if that
    // succeeded, and destroyed once.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let got = libc::pthread_attr_getstack(attributes.as_ptr(), &mut lowest, &mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        (got == 0).then(|| lowest.addr())
    }
}
