//! A product to be computed: cut in half, or by the loop of the base case.
//!
//! - product-1. `a`, `b` and `c` point to blocks of m × n, n × p and m × p floats, all with the same stride,
//!   which live for `'a`.
//! - product-2. The block at `c` belongs to this product alone, and overlaps neither `a` nor `b`.
//! - product-3. Halves of a side are blocks of the whole that have no element in common.

use std::marker::PhantomData;
use std::slice;

/// m + n + p of the largest base case.
pub(super) const BASE_CASE: u32 = 64;

/// What becomes of the old content of C.
#[repr(u32)]
#[derive(Clone, Copy, Debug)]
pub(super) enum Mode {
    Overwrite = 0,
    Accumulate = 1,
}

/// The sides of a product. Layout shared with `lace.c`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(super) m: u32,
    pub(super) n: u32,
    pub(super) p: u32,
    stride: u32,
    mode: Mode,
    /// The sides together of a leaf.
    cutoff: u32,
}

/// A side of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    M,
    N,
    P,
}

impl Shape {
    /// Of two square matrices; leaves have at most `cutoff` for their three sides together, no less than the base case.
    pub(super) fn square(n: u32, cutoff: u32) -> Shape {
        Shape { m: n, n, p: n, stride: n, mode: Mode::Overwrite, cutoff }
    }

    /// The side to halve, if this is no base case.
    #[inline]
    pub(super) fn longest_side(&self) -> Option<Side> {
        let Shape { m, n, p, cutoff, .. } = *self;
        if m + n + p <= cutoff {
            None
        } else if m >= n && n >= p {
            Some(Side::M)
        } else if n >= m && n >= p {
            Some(Side::N)
        } else {
            Some(Side::P)
        }
    }

    /// The shapes of the halves along `side`, the smaller one first.
    #[inline]
    pub(super) fn halves(self, side: Side) -> (Shape, Shape) {
        let (mut first, mut second) = (self, self);
        let (low, high) = match side {
            Side::M => (&mut first.m, &mut second.m),
            Side::N => (&mut first.n, &mut second.n),
            Side::P => (&mut first.p, &mut second.p),
        };
        *low /= 2;
        *high -= *low;
        (first, second)
    }
}

/// A row of sums, aligned to cache lines: otherwise the speed of the kernel depends, by some 3 %, on
/// where on the stack the engine calls it.
#[repr(align(64))]
struct Sums([f32; BASE_CASE as usize]);

/// A product to be computed: 48 bytes, so that it fits into a task.
pub(super) struct Product<'a> {
    pub(super) a: *const f32,
    pub(super) b: *const f32,
    pub(super) c: *mut f32,
    pub(super) shape: Shape,
    matrices: PhantomData<&'a mut f32>,
}

// SAFETY: by product-1 the blocks outlive the product, `a` and `b` are only read, and by product-2 nobody else
// touches the block at `c`.
unsafe impl Send for Product<'_> {}

/// What is to be done for a product.
pub(super) enum Step<'a> {
    Leaf(Product<'a>),
    InParallel(Product<'a>, Product<'a>),
    InOrder(Sequence<'a>),
}

/// Two products into the same block, the second on top of the first.
pub(super) struct Sequence<'a>(Product<'a>, Product<'a>);

impl Sequence<'_> {
    /// Hands both products to `multiply`, one after the other; it can keep neither, which keeps product-2.
    pub(super) fn run(self, mut multiply: impl FnMut(Product<'_>)) {
        multiply(self.0);
        multiply(self.1);
    }
}

impl<'a> Product<'a> {
    /// The product of `a` and `b`, of this shape, into `c`.
    pub(super) fn of_squares(
        shape: Shape,
        a: &'a [f32],
        b: &'a [f32],
        c: &'a mut [f32],
    ) -> Product<'a> {
        let size = shape.n as usize * shape.n as usize;
        assert!(a.len() == size && b.len() == size && c.len() == size);
        // product-1: all are n × n; product-2: `c` is borrowed mutably for as long as the product.
        let (a, b, c) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());
        Product { a, b, c, shape, matrices: PhantomData }
    }

    /// As C hands it back.
    ///
    /// # Safety
    /// product-1 and product-2 hold of the parts.
    pub(super) unsafe fn of_parts(
        a: *const f32,
        b: *const f32,
        c: *mut f32,
        shape: Shape,
    ) -> Product<'a> {
        Product { a, b, c, shape, matrices: PhantomData }
    }

    /// The base case, or the halves.
    #[inline]
    pub(super) fn split(self) -> Step<'a> {
        let Some(side) = self.shape.longest_side() else { return Step::Leaf(self) };
        let (first, second) = self.shape.halves(side);
        let stride = self.shape.stride as usize;
        // SAFETY: product-1: the second half begins within each block.
        let (a, b, c) = unsafe {
            match side {
                Side::M => {
                    let rows = first.m as usize * stride;
                    (self.a.add(rows), self.b, self.c.add(rows))
                }
                Side::N => {
                    let columns = first.n as usize;
                    (self.a.add(columns), self.b.add(columns * stride), self.c)
                }
                Side::P => {
                    let columns = first.p as usize;
                    (self.a, self.b.add(columns), self.c.add(columns))
                }
            }
        };
        // By product-3 the halves along m and p keep product-2; those along n share C, and are run in order.
        let first = Product { shape: first, ..self };
        let mut second = Product { a, b, c, shape: second, ..self };
        if side == Side::N {
            second.shape.mode = Mode::Accumulate;
            return Step::InOrder(Sequence(first, second));
        }
        Step::InParallel(first, second)
    }

    /// Computes it, by plain recursion.
    pub(super) fn multiply(self) {
        match self.split() {
            Step::Leaf(product) => product.leaf(),
            Step::InParallel(first, second) => {
                first.multiply();
                second.multiply();
            }
            Step::InOrder(sequence) => sequence.run(|product| product.multiply()),
        }
    }

    /// The leaf work of a task, the same code for every engine: never inlined, as C cannot inline it.
    #[inline(never)]
    pub(super) fn leaf(self) {
        if self.shape.cutoff > BASE_CASE {
            let shape = Shape { cutoff: BASE_CASE, ..self.shape };
            return Product { shape, ..self }.multiply();
        }
        self.kernel();
    }

    fn kernel(self) {
        let Shape { m, n, p, stride, mode, .. } = self.shape;
        let (m, n, p, stride) = (m as usize, n as usize, p as usize, stride as usize);
        let mut sums = Sums([0.0; BASE_CASE as usize]);
        let sums = &mut sums.0[..p];
        for row in 0..m {
            // SAFETY: product-1: row `row` of A has n elements.
            let a_row = unsafe { slice::from_raw_parts(self.a.add(row * stride), n) };
            // SAFETY: product-1: row `row` of C has p elements; product-2: they are ours.
            let c_row = unsafe { slice::from_raw_parts_mut(self.c.add(row * stride), p) };
            sums.fill(0.0);
            for (index, &factor) in a_row.iter().enumerate() {
                // SAFETY: product-1: row `index` < n of B has p elements.
                let b_row = unsafe { slice::from_raw_parts(self.b.add(index * stride), p) };
                for (sum, &entry) in sums.iter_mut().zip(b_row) {
                    *sum += factor * entry;
                }
            }
            match mode {
                Mode::Overwrite => c_row.copy_from_slice(sums),
                Mode::Accumulate => {
                    c_row.iter_mut().zip(&*sums).for_each(|(entry, &sum)| *entry += sum);
                }
            }
        }
    }
}
