//! The ground around a volcano whose eruption is announced: cracks, which brighten as it draws near, and slush where there
//! is snow.

/// The last stage before an eruption.
const LAST_STAGE: u8 = 5;

/// How near an announced eruption of all dormant volcanoes is, in stages that become shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Warming(u8);

impl Warming {
    /// Somewhere before an eruption.
    pub const HALFWAY: Self = Self(LAST_STAGE / 2);

    /// Some seconds before the eruption.
    pub fn before(seconds: f64) -> Self {
        let begun = [1.0, 2.0, 3.5, 6.0, 10.0].into_iter().filter(|begins| seconds < *begins);
        Self((begun.count() as u8).min(LAST_STAGE))
    }

    /// How hot the ground is, from 0 to 1 in the last stage.
    pub(super) fn heat(self) -> f64 {
        f64::from(self.0) / f64::from(LAST_STAGE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stages_follow_each_other_until_the_eruption() {
        let stages = [20.0, 9.0, 5.0, 3.0, 1.5, 0.5, 0.0].map(|seconds| Warming::before(seconds).0);
        assert_eq!(stages, [0, 1, 2, 3, 4, LAST_STAGE, LAST_STAGE]);
    }
}
