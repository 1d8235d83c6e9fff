//! The context of a generator: the size of the map, random generators, and a callback for progress.

use super::random::SeededRandom;
use emberwalk_path::grid::Size;

/// A callback that receives the progress of the generation of a map.
pub type OnProgress<'a> = &'a mut dyn FnMut(GenerateProgress);

/// The progress of the generation of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GenerateProgress {
    /// The stage that begins, such as `laying roads`.
    pub stage: &'static str,
    /// The overall progress, in per cent.
    pub percent: u32,
}

/// The context of a generator.
pub(super) struct GeneratorContext<'a> {
    pub size: Size,
    pub seed: u64,
    pub on_progress: OnProgress<'a>,
}

impl GeneratorContext<'_> {
    /// Creates the random generator for one purpose.
    pub fn random(&self, purpose: &str) -> SeededRandom {
        SeededRandom::new(self.seed, purpose)
    }

    /// Reports the stage that begins, and the overall progress in per cent.
    pub fn report(&mut self, stage: &'static str, percent: u32) {
        (self.on_progress)(GenerateProgress { stage, percent });
    }
}
