//! A probe is called where nothing may unwind: whoever writes one promises that it does not.
#[derive(Default)]
struct Mine;

impl lyocell::Probe for Mine {
    type Fork = ();
    type Group = ();
    type Start = ();
}

fn main() {
    let pool = lyocell::Pool::builder().probe::<Mine>().build().unwrap();
    pool.run(|w| w.join(|_| (), |_| ()));
}
