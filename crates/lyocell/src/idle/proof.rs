//! Why no wake-up is lost: case by case, by the order of the five fences.
//!
//! F_owner, F_sharer, F_sleeper, F_leaver and F_arrival are in the [steps of each side](super). Words by their fields: `counts`, `status`,
//! `forgotten`. "Then" is what the one that comes second reads.
//!
//! # Tasks are shared while somebody falls asleep
//! | order | then |
//! |---|---|
//! | F_sleeper, F_sharer | `counts` has the sleeper as parked: the sharer wakes one, unless `counts` has a searcher or one that backs off, see below |
//! | F_sharer, F_sleeper | the sleeper's second look finds what was shared |
//!
//! # They are left to a searcher
//! `counts` had it as searching when the sharer looked, after F_sharer, and the bit of idle-5 was set then, or by the sharer. Whatever ends that
//! search comes later.
//!
//! | how it ends | then |
//! |---|---|
//! | it announces a sleep: F_sharer, F_sleeper (else `counts` would have had it as a sleeper) | its second look finds the tasks |
//! | it leaves as the last one, and finds the bit set: F_sharer, F_leaver | it sees the tasks, or what their owner keeps beside them, asked or not, and wakes a sleeper |
//! | it leaves as the last one, and finds it taken back by another, whose search was over before: F_sharer, F_leaver of that one | the other sees the tasks |
//! | it leaves, and another searches on | the same holds of that one (idle-5) |
//!
//! # They are left to a worker that is on the way
//! The word of the owner had it as coming when the sharer looked, after F_sharer.
//!
//! | what that one does | then |
//! |---|---|
//! | it says that it has arrived: F_sharer, F_arrival (else the word would have had it as arrived) | it sees what is left there |
//! | it has taken a task there, and sees more | it wakes the next, or others are on the way: the sharer counted them as well, or they were sent later, and so F_sharer, F_arrival of them |
//! | it has taken none, and sees some | it owes a look. If others search, the bit; its step out of `counts` comes between F_arrival and F_leaver of the last one, so F_sharer, F_leaver. Else it looks everywhere |
//! | it sees none | others have them |
//!
//! # They are left to an owner that has promised to wake somebody
//! The word of that owner had its promise when a worker that had arrived looked there.
//!
//! | what the owner does | then |
//! |---|---|
//! | it wakes one | that one is on the way, see above |
//! | it takes the promise back, and the same step tells it that others are on the way to all it has | these have yet to arrive: F_owner, F_arrival, and the promise is gone then |
//! | it takes it back, and looks at the counts | it is a sharer, and comes after F_owner: it wakes one, or leaves the tasks to a searcher, or nobody is parked |
//! | it takes it back, for nothing can be stolen from it | others have them |
//!
//! # They are left to a worker that backs off
//! At the end of its moment that worker searches.
//!
//! | how that ends | then |
//! |---|---|
//! | it finds a task | it leaves a search, and owes a look |
//! | it backs off again | it searches after that |
//! | it parks | it announces, passes F_sleeper, and asks everybody anew, also for those who parked before and whose requests were forgotten; its second look finds the tasks |
//!
//! # A request is forgotten while somebody parks
//! The same with F_owner for F_sharer, and with the sleeper's asking for its second look.
//!
//! | order | then |
//! |---|---|
//! | F_sleeper, F_owner | `counts` has somebody parked: the owner trips its limits again, unless somebody backs off as well, see below |
//! | F_owner, F_sleeper | the sleeper finds the limits reset, and trips them |
//!
//! # A request is forgotten while somebody backs off, or searches among more workers than processors
//! The owner puts `forgotten` up, passes F_owner, and looks at `counts` again.
//!
//! | `counts` | then |
//! |---|---|
//! | nobody does any more | the owner trips its limits |
//! | somebody backs off, or searches | the search of that one is not over, so F_owner, F_leaver: it sees `forgotten` when it leaves as the last one, and wakes a sleeper, who asks; or it parks, and asks |
//!
//! Who takes `forgotten` down does so before F_sleeper, and asks after it. A request that is forgotten after that puts it up again.
//!
//! # Jobs
//! | which | then |
//! |---|---|
//! | from outside | as shared tasks, with the caller as the sharer; but nobody who backs off is relied on |
//! | spawned by a worker | as shared tasks: whoever backs off looks at all jobs, too, before it sleeps again |
//! | for who is parked for jobs: F_sleeper, F_sharer | the caller rouses it |
//! | the same, but the caller saw a searcher: F_sleeper, F_sharer, F_leaver | the last one to leave rouses it |
