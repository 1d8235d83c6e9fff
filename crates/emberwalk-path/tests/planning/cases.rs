//! How many random cases the tests try.

/// How many of `all` random cases to try: a tenth, or all as many times as the variable `EMBERWALK_ALL_CASES` says.
pub fn cases<N: TryFrom<u64>>(all: u64) -> N {
    let cases = match std::env::var("EMBERWALK_ALL_CASES") {
        Ok(times) => all * times.parse::<u64>().expect("EMBERWALK_ALL_CASES is a whole number"),
        Err(_) => all / 10,
    };
    N::try_from(cases).ok().expect("a number of cases fits its type")
}
