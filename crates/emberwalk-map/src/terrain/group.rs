//! Groups of terrains, for palettes: they follow from what the tileset declares.

use std::fmt;

use super::{Cost, Layer, TerrainId, Tileset};

/// A group of terrains of a tileset. `Display` gives its heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TerrainGroup {
    /// The ground.
    Ground,
    /// Things that grow or stand in the open, such as forests, and everything that changes the costs around it.
    Nature,
    /// Roads and crossings.
    Roads,
    /// Start and goal, places of people, and everything that joins its neighbours or is lit at certain hours.
    Town,
    /// Everything else.
    Other,
}

impl TerrainGroup {
    /// All groups, in the order in which palettes show them.
    pub const ALL: [Self; 5] = [Self::Ground, Self::Nature, Self::Roads, Self::Town, Self::Other];
}

impl fmt::Display for TerrainGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ground => "Ground",
            Self::Nature => "Nature",
            Self::Roads => "Roads",
            Self::Town => "Town",
            Self::Other => "Other",
        })
    }
}

impl Tileset {
    /// The group of a terrain.
    ///
    /// ```
    /// use emberwalk_map::terrain::{TerrainGroup, Tileset};
    /// let tileset = Tileset::load(None)?;
    /// let group = |char| tileset.group(tileset.find(char).unwrap());
    /// assert_eq!(['G', 'F', 'V', 't'].map(group)[1..], [TerrainGroup::Nature; 3]);
    /// assert_eq!(['R', 'B'].map(group), [TerrainGroup::Roads; 2]);
    /// assert_eq!(['1', 'W', 'g', 'H', 'C'].map(group), [TerrainGroup::Town; 5]);
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    pub fn group(&self, id: TerrainId) -> TerrainGroup {
        let terrain = &self[id];
        let is_lit_at_hours = terrain.light.is_some_and(|light| light.from != light.to);
        let hinders = match terrain.cost {
            Cost::Impassable => true,
            Cost::Times(factor) => factor > 1.0,
            Cost::Enter(_) => false,
        };
        match terrain.layer {
            Layer::Base => TerrainGroup::Ground,
            Layer::Overlay if terrain.role.is_some() || terrain.place.is_some() || is_lit_at_hours => {
                TerrainGroup::Town
            }
            Layer::Overlay if terrain.road || matches!(terrain.cost, Cost::Enter(_)) => TerrainGroup::Roads,
            Layer::Overlay if !terrain.joins.is_empty() => TerrainGroup::Town,
            Layer::Overlay if self.is_volcano(id) || terrain.influence.is_some() || hinders => TerrainGroup::Nature,
            Layer::Overlay => TerrainGroup::Other,
        }
    }
}
