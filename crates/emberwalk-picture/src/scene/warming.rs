//! The ground around a volcano whose eruption is announced: cracks, which brighten as it draws near, and slush where there
//! is snow.

use super::eruption::LAST_STAGE;
use super::layers::Scene;
use super::look::Look;
use super::shading::ShadingKey;
use emberwalk_map::Layers;
use emberwalk_path::grid::Cell;

/// An announced eruption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warming<'a> {
    /// The volcanoes that are going to erupt, which are dormant.
    pub volcanoes: &'a [Cell],
    /// How near the eruption is, from 0 to [`LAST_STAGE`](Self::LAST_STAGE).
    pub stage: u8,
}

impl Warming<'_> {
    /// The last stage.
    pub const LAST_STAGE: u8 = LAST_STAGE;

    /// The stage some seconds before the eruption. Stages become shorter.
    pub fn stage_at(seconds: f64) -> u8 {
        [1.0, 2.0, 3.5, 6.0, 10.0].into_iter().filter(|begins| seconds < *begins).count() as u8
    }
}

impl Scene {
    /// The key of the [shading](Self::shading_image) that an announced eruption adds to the ground of `cell`, above its own;
    /// `None` beyond its reach, and in the classic look.
    pub fn warming_key(&self, map: &Layers, cell: Cell, warming: Warming<'_>) -> Option<ShadingKey> {
        let ground = map.base_id(cell).filter(|_| self.look == Look::Full)?;
        let near = warming.volcanoes.iter().filter_map(|volcano| {
            let offset = (volcano.x.checked_sub(cell.x)?, volcano.y.checked_sub(cell.y)?);
            let is_in_reach = offset.0.abs().max(offset.1.abs()) <= self.shading_reach.max_offset;
            let erupted = map.tileset().erupted(map.overlay_id(*volcano)?)?;
            let is_near = is_in_reach && self.shading_reach.light_sources.contains(&offset);
            is_near.then_some((erupted, offset.0 as i8, offset.1 as i8))
        });
        self.key_of_warming(map, cell, ground, near.collect(), warming.stage.min(Warming::LAST_STAGE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stages_follow_each_other_until_the_eruption() {
        let stages: Vec<_> = [20.0, 9.0, 5.0, 3.0, 1.5, 0.5, 0.0].map(Warming::stage_at).into();
        assert_eq!(stages, [0, 1, 2, 3, 4, 5, 5]);
        assert_eq!(stages.last(), Some(&Warming::LAST_STAGE));
    }
}
