//! Ranks as processes of MPI.
//!
//! Messages are bytes with one tag, sent without waiting by requests that own what they send, and received by matched probes. The thread that
//! starts MPI is the only one that calls it (`MPI_THREAD_FUNNELED`), which is the least that a process with a pool needs and what
//! every build of MPI has.

use crate::{Transport, TransportError};
use ferrompi::{Communicator, Error, PersistentRequest, Source, Tag, ThreadLevel};
use std::fmt;

/// The world of an MPI program, as ranks.
///
/// It is started once in a process, and ends with this value: on each rank, after every other has been heard out, as
/// `MPI_Finalize` asks.
///
/// # Examples
/// ```no_run
/// use lyocell::{Caller, Pool};
/// use lyocell_ranks::{Mpi, Options, run};
/// # use lyocell_ranks::Bag;
/// # fn first() -> Nothing { Nothing }
/// # #[derive(serde::Serialize, serde::Deserialize)]
/// # struct Nothing;
/// # impl Bag for Nothing {
/// #     type Total = u64;
/// #     fn work(&mut self, _: usize, _: &mut u64) -> usize { 0 }
/// #     fn is_empty(&self) -> bool { true }
/// #     fn split(&mut self) -> Option<Self> { None }
/// #     fn merge(&mut self, _: Self) {}
/// # }
///
/// let mut rank = Mpi::start()?;
/// let pool = Pool::builder().caller(Caller::Sleeps).build()?;
/// let total = run(&mut rank, &pool, first, &Options::default())?;
/// println!("{total}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Mpi {
    /// Completed before MPI ends: they stand first.
    under_way: Vec<PersistentRequest<u8>>,
    world: Communicator,
    _mpi: ferrompi::Mpi,
}

/// All messages of ranks have it.
const TAG: i32 = 0;
/// The exit code that a run is aborted with.
const ABORTED: i32 = 70;

/// Why MPI could not be started.
#[derive(Debug)]
pub struct MpiError(Why);

#[derive(Debug)]
enum Why {
    Refused(Error),
    Level(ThreadLevel),
    /// What variable of the launcher speaks of so many ranks.
    OtherLauncher(&'static str, usize),
}

/// Where launchers tell a process how many there are: Open MPI's, and those that speak PMI, as MPICH's and Slurm's.
const LAUNCHERS: [&str; 2] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"];

impl fmt::Display for MpiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Why::Refused(error) => write!(f, "MPI cannot be started: {error}"),
            Why::Level(level) => write!(
                f,
                "this MPI gives the thread level {level:?}, but a process with several threads needs MPI_THREAD_FUNNELED: \
                 use an MPI that was built with threads"
            ),
            Why::OtherLauncher(variable, ranks) => write!(
                f,
                "{variable} says that there are {ranks} ranks, but MPI knows of this one only: the launcher is of another MPI than \
                 this program was built with (MPICC chooses it when ferrompi is built)"
            ),
        }
    }
}

impl std::error::Error for MpiError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0 {
            Why::Refused(error) => Some(error),
            Why::Level(_) | Why::OtherLauncher(..) => None,
        }
    }
}

impl Mpi {
    /// Starts MPI in this process, for the calling thread.
    ///
    /// # Errors
    /// Fails if MPI cannot be started, was started before, or does not allow a process to have threads; and if the launcher is
    /// of another MPI, so that each process would be alone.
    pub fn start() -> Result<Mpi, MpiError> {
        let mpi = ferrompi::Mpi::init_thread(ThreadLevel::Funneled);
        let mpi = mpi.map_err(|error| MpiError(Why::Refused(error)))?;
        if mpi.thread_level() == ThreadLevel::Single {
            return Err(MpiError(Why::Level(ThreadLevel::Single)));
        }
        let world = mpi.world();
        if let Some((variable, ranks)) = launched().filter(|_| world.size() == 1) {
            return Err(MpiError(Why::OtherLauncher(variable, ranks)));
        }
        Ok(Mpi { under_way: Vec::new(), world, _mpi: mpi })
    }

    fn forget_sent(&mut self) -> Result<(), TransportError> {
        let mut failed = None;
        self.under_way.retain_mut(|request| match request.test() {
            Ok(sent) => sent.is_none(),
            Err(error) => {
                failed = Some(error);
                false
            }
        });
        failed.map_or(Ok(()), |error| Err(TransportError::new("send a message", error)))
    }
}

/// What a launcher says of the number of ranks, if there are several.
fn launched() -> Option<(&'static str, usize)> {
    let says = |variable: &'static str| {
        let ranks = std::env::var(variable).ok()?.parse().ok()?;
        (ranks > 1).then_some((variable, ranks))
    };
    LAUNCHERS.into_iter().find_map(says)
}

impl Transport for Mpi {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn size(&self) -> usize {
        self.world.size() as usize
    }

    fn send(&mut self, to: usize, message: &[u8]) -> Result<(), TransportError> {
        self.forget_sent()?;
        let start = || -> Result<PersistentRequest<u8>, Error> {
            let mut request = self.world.send_init(message.to_vec(), to as i32, TAG)?;
            request.start()?;
            Ok(request)
        };
        let request = start().map_err(|error| {
            TransportError::new(format!("send {} bytes to rank {to}", message.len()), error)
        })?;
        self.under_way.push(request);
        Ok(())
    }

    fn poll(&mut self) -> Result<Option<(usize, Vec<u8>)>, TransportError> {
        self.forget_sent()?;
        let receive = || -> Result<Option<(usize, Vec<u8>)>, Error> {
            let probed = self.world.improbe::<u8>(Source::Any, Tag::Value(TAG))?;
            let Some((message, status)) = probed else { return Ok(None) };
            let Source::Rank(from) = status.source else { return Ok(None) };
            let mut bytes = vec![0; status.count.unwrap_or(0)];
            message.mrecv(&mut bytes)?;
            Ok(Some((from as usize, bytes)))
        };
        receive().map_err(|error| TransportError::new("receive a message", error))
    }

    /// Writes the reason to standard error, and ends all processes of the world with `MPI_Abort`.
    fn abort(&mut self, why: &str) {
        eprintln!("rank {} of {}: {why}", self.rank(), self.size());
        self.world.abort(ABORTED);
    }
}
