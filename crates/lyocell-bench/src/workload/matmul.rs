//! The product of two square matrices of 32-bit floats by divide and conquer: the `matmul` of the Cilk
//! benchmark set, as in van Dijk and van de Pol, "Lace" (2014), section 4.
//!
//! C (m × p) = A (m × n) · B (n × p), row after row with a common stride. The longest side is halved:
//!
//! ```text
//!   m longest:  | A1 | B   C1 = A1 B  in parallel with  C2 = A2 B      one task
//!               | A2 |
//!   n longest:  A1 A2 | B1   C = A1 B1, then C += A2 B2                 no task
//!                     | B2
//!   p longest:  A   B1 B2  C1 = A B1  in parallel with  C2 = A B2      one task
//! ```
//!
//! until m + n + p ≤ 64, Cilk's bound, where a loop does the rest. 3,595,117 tasks for 4096, as in the
//! paper. The loop of the base case goes along the rows of B, so that compilers vectorise it, where
//! Cilk's goes down the columns: the leaves are finer than the paper's.
//!
//! Invariants of a [`Product`]:
//! - M1. `a`, `b` and `c` point to blocks of m × n, n × p and m × p floats, all with the same stride,
//!   which live for `'a`.
//! - M2. The block at `c` belongs to this product alone, and overlaps neither `a` nor `b`.
//! - M3. Halves of a side are blocks of the whole that have no element in common.
//!
//! The answer is checked against a straightforward product in 64-bit floats. All entries of A and B
//! are in [0, 1), so nothing cancels, and every sum of n products, in whatever order it is taken, has
//! a relative error below n·ε (ε = 2^-23; Higham, "Accuracy and Stability of Numerical Algorithms",
//! section 3.1). That is the tolerance.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::slice;

use lyocell::{Deque, Probe, Worker};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::{
    BinaryProblem, Instance, Problem, UnknownParameter, Workload, WrongAnswer, parse_number,
};

/// The paper's largest; its reference product takes some 20 seconds here.
const BOUNDS: RangeInclusive<u32> = 1..=4096;

/// m + n + p of the largest base case.
const BASE_CASE: u32 = 64;

const SEED: u64 = 2014;

pub(super) struct MatmulWorkload;

impl Workload for MatmulWorkload {
    fn name(&self) -> &'static str {
        "matmul"
    }

    fn summary(&self) -> &'static str {
        "product of two N x N matrices by divide and conquer; coarser tasks, memory traffic"
    }

    fn source(&self) -> &'static str {
        "Cilk; van Dijk and van de Pol 2014, section 4"
    }

    fn parameters(&self) -> String {
        format!("N from {} to {}", BOUNDS.start(), BOUNDS.end())
    }

    fn default_parameter(&self) -> &'static str {
        "1024"
    }

    fn instance(&self, parameter: &str) -> Result<Instance, UnknownParameter> {
        let n = parse_number(parameter, BOUNDS)?;
        Ok(Instance::Matmul(Matmul { n, matrices: None }))
    }
}

pub(crate) struct Matmul {
    n: u32,
    /// Made by the first use.
    matrices: Option<Matrices>,
}

/// Square matrices of one size, row after row.
struct Matrices {
    a: Vec<f32>,
    b: Vec<f32>,
    c: Vec<f32>,
    /// The straightforward product of `a` and `b`.
    reference: Vec<f64>,
}

impl Matrices {
    fn random(n: usize) -> Matrices {
        let mut rng = StdRng::seed_from_u64(SEED);
        let mut matrix = || (0..n * n).map(|_| rng.random::<f32>()).collect::<Vec<_>>();
        let (a, b) = (matrix(), matrix());
        let reference = straightforward_product(n, &a, &b);
        Matrices { a, b, c: vec![f32::NAN; n * n], reference }
    }
}

fn straightforward_product(n: usize, a: &[f32], b: &[f32]) -> Vec<f64> {
    let mut c = vec![0.0; n * n];
    for (a_row, c_row) in a.chunks_exact(n).zip(c.chunks_exact_mut(n)) {
        for (&factor, b_row) in a_row.iter().zip(b.chunks_exact(n)) {
            for (sum, &entry) in c_row.iter_mut().zip(b_row) {
                *sum += f64::from(factor) * f64::from(entry);
            }
        }
    }
    c
}

/// What becomes of the old content of C.
#[repr(u32)]
#[derive(Clone, Copy)]
enum Mode {
    Overwrite = 0,
    Accumulate = 1,
}

/// The sides of a product. Layout shared with `csrc/matmul.c`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Shape {
    m: u32,
    n: u32,
    p: u32,
    stride: u32,
    mode: Mode,
}

/// A side of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    M,
    N,
    P,
}

impl Shape {
    /// The side to halve, if this is no base case.
    fn longest_side(&self) -> Option<Side> {
        let Shape { m, n, p, .. } = *self;
        if m + n + p <= BASE_CASE {
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
    fn halves(self, side: Side) -> (Shape, Shape) {
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
struct Product<'a> {
    a: *const f32,
    b: *const f32,
    c: *mut f32,
    shape: Shape,
    matrices: PhantomData<&'a mut f32>,
}

// SAFETY: by M1 the blocks outlive the product, `a` and `b` are only read, and by M2 nobody else
// touches the block at `c`.
unsafe impl Send for Product<'_> {}

/// What is to be done for a product.
enum Step<'a> {
    Kernel(Product<'a>),
    InParallel(Product<'a>, Product<'a>),
    InOrder(Sequence<'a>),
}

/// Two products into the same block, the second on top of the first.
struct Sequence<'a>(Product<'a>, Product<'a>);

impl Sequence<'_> {
    /// Hands both products to `multiply`, one after the other; it can keep neither, which keeps M2.
    fn run(self, mut multiply: impl FnMut(Product<'_>)) {
        multiply(self.0);
        multiply(self.1);
    }
}

impl<'a> Product<'a> {
    fn split(self) -> Step<'a> {
        let Some(side) = self.shape.longest_side() else { return Step::Kernel(self) };
        let (first, second) = self.shape.halves(side);
        let stride = self.shape.stride as usize;
        // SAFETY: M1: the second half begins within each block.
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
        // By M3 the halves along m and p keep M2; those along n share C, and are run in order.
        let first = Product { shape: first, ..self };
        let mut second = Product { a, b, c, shape: second, ..self };
        if side == Side::N {
            second.shape.mode = Mode::Accumulate;
            return Step::InOrder(Sequence(first, second));
        }
        Step::InParallel(first, second)
    }

    /// The leaf work of a task, the same code for every engine: never inlined, as C cannot inline it.
    #[inline(never)]
    fn kernel(self) {
        let Shape { m, n, p, stride, mode } = self.shape;
        let (m, n, p, stride) = (m as usize, n as usize, p as usize, stride as usize);
        let mut sums = Sums([0.0; BASE_CASE as usize]);
        let sums = &mut sums.0[..p];
        for row in 0..m {
            // SAFETY: M1: row `row` of A has n elements.
            let a_row = unsafe { slice::from_raw_parts(self.a.add(row * stride), n) };
            // SAFETY: M1: row `row` of C has p elements; M2: they are ours.
            let c_row = unsafe { slice::from_raw_parts_mut(self.c.add(row * stride), p) };
            sums.fill(0.0);
            for (index, &factor) in a_row.iter().enumerate() {
                // SAFETY: M1: row `index` < n of B has p elements.
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

fn serial(product: Product<'_>) {
    match product.split() {
        Step::Kernel(product) => product.kernel(),
        Step::InParallel(first, second) => {
            serial(first);
            serial(second);
        }
        Step::InOrder(sequence) => sequence.run(serial),
    }
}

fn lyocell<D: Deque, P: Probe>(worker: &Worker<D, P>, product: Product<'_>) {
    match product.split() {
        Step::Kernel(product) => product.kernel(),
        Step::InParallel(first, second) => {
            worker.join(|worker| lyocell(worker, first), |worker| lyocell(worker, second));
        }
        Step::InOrder(sequence) => sequence.run(|product| lyocell(worker, product)),
    }
}

fn rayon(product: Product<'_>) {
    match product.split() {
        Step::Kernel(product) => product.kernel(),
        Step::InParallel(first, second) => {
            rayon::join(|| rayon(first), || rayon(second));
        }
        Step::InOrder(sequence) => sequence.run(rayon),
    }
}

fn chili(scope: &mut chili::Scope<'_>, product: Product<'_>) {
    match product.split() {
        Step::Kernel(product) => product.kernel(),
        Step::InParallel(first, second) => {
            scope.join(|scope| chili(scope, first), |scope| chili(scope, second));
        }
        Step::InOrder(sequence) => sequence.run(|product| chili(scope, product)),
    }
}

#[cfg(lace)]
mod ffi {
    use std::marker::PhantomData;

    use super::{BASE_CASE, Product, Shape};

    unsafe extern "C" {
        /// `csrc/matmul.c`: computes the product of the arguments of [`Product`], keeping to its
        /// invariants. Lace must be running.
        pub(super) fn lyocell_lace_matmul(
            a: *const f32,
            b: *const f32,
            c: *mut f32,
            shape: *const Shape,
        );
    }

    #[unsafe(no_mangle)]
    extern "C" fn lyocell_matmul_base_case() -> u32 {
        BASE_CASE
    }

    /// [`Product::kernel`] for C.
    ///
    /// # Safety
    /// The arguments make a [`Product`]: M1 and M2 hold.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn lyocell_matmul_kernel(
        a: *const f32,
        b: *const f32,
        c: *mut f32,
        shape: &Shape,
    ) {
        Product { a, b, c, shape: *shape, matrices: PhantomData }.kernel();
    }
}

impl Matmul {
    fn matrices(&mut self) -> &mut Matrices {
        self.matrices.get_or_insert_with(|| Matrices::random(self.n as usize))
    }

    /// The whole product.
    fn product(&mut self) -> Product<'_> {
        let n = self.n;
        let Matrices { a, b, c, .. } = self.matrices();
        let shape = Shape { m: n, n, p: n, stride: n, mode: Mode::Overwrite };
        // M1: all are n × n; M2: `c` is borrowed mutably for as long as the product.
        Product { a: a.as_ptr(), b: b.as_ptr(), c: c.as_mut_ptr(), shape, matrices: PhantomData }
    }
}

/// The number of tasks for `shape`, with what is known already in `known`.
fn count_tasks(shape: Shape, known: &mut HashMap<(u32, u32, u32), u64>) -> u64 {
    let Some(side) = shape.longest_side() else { return 0 };
    let key = (shape.m, shape.n, shape.p);
    if let Some(&tasks) = known.get(&key) {
        return tasks;
    }
    let (first, second) = shape.halves(side);
    let tasks = u64::from(side != Side::N) + count_tasks(first, known) + count_tasks(second, known);
    known.insert(key, tasks);
    tasks
}

impl Problem for Matmul {
    /// The answer is the matrix C.
    type Answer = ();

    fn tasks(&self) -> u64 {
        let n = self.n;
        let shape = Shape { m: n, n, p: n, stride: n, mode: Mode::Overwrite };
        count_tasks(shape, &mut HashMap::new())
    }

    /// Forgets the last product, so that a run that leaves something out is found.
    fn reset(&mut self) {
        self.matrices().c.fill(f32::NAN);
    }

    fn serial(&mut self) {
        serial(self.product());
    }

    fn lyocell<D: Deque, P: Probe>(&mut self, worker: &Worker<D, P>) {
        lyocell(worker, self.product());
    }

    fn rayon(&mut self) {
        rayon(self.product());
    }

    #[cfg(lace)]
    fn lace(&mut self) {
        let Product { a, b, c, shape, .. } = self.product();
        // SAFETY: L1 (engine/lace.rs): whoever calls `Problem::lace` has started Lace; M1 and M2
        // hold of the parts of a product.
        unsafe { ffi::lyocell_lace_matmul(a, b, c, &shape) };
    }

    fn judge(&mut self, (): &()) -> Result<String, WrongAnswer> {
        let n = self.n as usize;
        let tolerance = n as f64 * f64::from(f32::EPSILON);
        let Matrices { c, reference, .. } = self.matrices();
        // Not `>`: a NaN is wrong too.
        let is_right = |(&got, &expected): (&f32, &f64)| {
            (f64::from(got) - expected).abs() <= tolerance * expected
        };
        if let Some(index) = c.iter().zip(reference.iter()).position(|pair| !is_right(pair)) {
            let place = format!("C[{}][{}]", index / n, index % n);
            return Err(WrongAnswer {
                expected: format!("{} within {tolerance:.1e} of it", reference[index]),
                got: format!("{place} = {}", c[index]),
            });
        }
        let sum: f64 = c.iter().copied().map(f64::from).sum();
        Ok(format!("sum={sum:.3}"))
    }
}

impl BinaryProblem for Matmul {
    fn chili(&mut self, scope: &mut chili::Scope<'_>) {
        chili(scope, self.product());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matmul(n: u32) -> Matmul {
        Matmul { n, matrices: None }
    }

    #[test]
    fn the_number_of_tasks_is_the_papers() {
        assert_eq!(matmul(4096).tasks(), 3_595_117);
        assert_eq!(matmul(21).tasks(), 0);
        assert_eq!(matmul(22).tasks(), 1);
    }

    #[test]
    fn products_of_any_size_are_right() {
        for n in [1, 2, 3, 16, 21, 22, 31, 33, 64, 65, 100, 127, 130] {
            let mut matmul = matmul(n);
            matmul.reset();
            matmul.serial();
            assert!(matmul.judge(&()).is_ok(), "{n}: {:?}", matmul.judge(&()));
        }
    }

    #[test]
    fn a_product_with_an_entry_left_out_or_off_is_refused() {
        let mut matmul = matmul(40);
        matmul.reset();
        assert!(matmul.judge(&()).is_err(), "nothing was computed");
        matmul.serial();
        assert!(matmul.judge(&()).is_ok());
        let entry = &mut matmul.matrices().c[40 * 7 + 3];
        *entry *= 1.001;
        let wrong = matmul.judge(&()).unwrap_err();
        assert!(wrong.got.starts_with("C[7][3]"), "{wrong}");
    }

    #[test]
    fn the_straightforward_product_is_the_product() {
        let product = straightforward_product(2, &[1.0, 2.0, 3.0, 4.0], &[5.0, 6.0, 7.0, 8.0]);
        assert_eq!(product, [19.0, 22.0, 43.0, 50.0]);
    }
}
