//! The papers whose tables and figures are done again, and what they were measured on.

/// A paper and its machine.
pub(crate) struct Paper {
    pub(crate) citation: &'static str,
    /// The machine, as the paper describes it.
    pub(crate) machine: &'static str,
    /// The most workers in its experiments.
    pub(crate) workers: usize,
    /// The machine file of it.
    pub(super) simulated: &'static str,
}

pub(super) static LACE: Paper = Paper {
    citation: "van Dijk and van de Pol, \"Lace: non-blocking split deque for work-stealing\" (2014)",
    machine: "48 cores (4 x 12-core AMD Opteron 6168), Linux 2.6.32, gcc 4.7.2 -O3",
    workers: 48,
    simulated: "opteron-48",
};

pub(super) static WOOL: Paper = Paper {
    citation: "Faxén, \"Efficient work stealing for fine grained parallelism\" (2010)",
    machine: "8 cores (2 x quad-core Opteron), Ubuntu Linux 9.04",
    workers: 8,
    simulated: "opteron-8",
};

pub(super) static QUEUES: Paper = Paper {
    citation: "Alkærsig, Didriksen and Harrington, \"Work-stealing Queues In Practice\" (2014)",
    machine: "2 x 16-core AMD Opteron 8386 SE, 128 GB, Ubuntu 12.04.4, Scala on the Java machine",
    workers: 48,
    simulated: "opteron-32",
};

pub(super) static PRIVATE_DEQUES: Paper = Paper {
    citation: "Acar, Charguéraud and Rainey, \"Scheduling parallel programs by work stealing with private \
               deques\" (2013)",
    machine: "30 of 32 cores (4 x 8-core Intel Xeon X7550, 2.0 GHz), Linux 3.2.21, gcc 4.8.0 -O2",
    workers: 30,
    simulated: "xeon-7550-32",
};
