//! The ground around a volcano whose eruption is announced: cracks, which brighten as it draws near, and slush where there
//! is snow.

use super::eruption::LAST_STAGE;
use super::layers::Scene;
use super::look::Look;
use super::shading::ShadingKey;
use emberwalk_map::Layers;
use emberwalk_path::grid::Cell;

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
}

impl Scene {
    /// The key of the [shading](Self::shading_image) that an announced eruption adds to the ground of `cell`, above its own;
    /// `None` beyond its reach, and in the classic look.
    pub fn warming_key(&self, map: &Layers, cell: Cell, warming: Warming) -> Option<ShadingKey> {
        let ground = map.base_id(cell).filter(|_| self.look == Look::Full)?;
        let near = self.nearby_volcanoes(map, cell, |terrain| map.tileset().erupted(terrain));
        self.key_of_warming(map, cell, ground, near.collect(), warming.0)
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
