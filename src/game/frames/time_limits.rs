//! Time limits for hands and machines, which tests on a busy machine lengthen.

use std::sync::OnceLock;
use std::time::Duration;

/// The environment variable with the number by which limits are multiplied.
const FACTOR: &str = "EMBERWALK_TIME_LIMITS";

/// The largest factor.
const MAX_FACTOR: u32 = 1000;

/// A time limit, multiplied by `EMBERWALK_TIME_LIMITS` if it is a number from 1 to 1000. It is read once.
pub(in crate::game) fn lengthened(limit: Duration) -> Duration {
    static READ: OnceLock<u32> = OnceLock::new();
    limit * *READ.get_or_init(|| factor(std::env::var(FACTOR).ok().as_deref()))
}

fn factor(text: Option<&str>) -> u32 {
    let factor = text.and_then(|text| text.parse().ok());
    factor.filter(|factor| (1..=MAX_FACTOR).contains(factor)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::factor;

    #[test]
    fn only_numbers_in_range_lengthen_limits() {
        assert_eq!(factor(Some("30")), 30);
        for other in [None, Some(""), Some("0"), Some("-1"), Some("x"), Some("4000000000"), Some("1001")] {
            assert_eq!(factor(other), 1, "{other:?}");
        }
    }
}
