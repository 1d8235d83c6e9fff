//! The brush and the tools.

use bevy::prelude::*;

use crate::game::action::{BrushChange, Tool};
use crate::game::world::open_map::{MapShown, OpenMap};
use emberwalk_map::Map;
use emberwalk_map::editing::{Brush, BrushSize, MissingCrossing};
use emberwalk_map::terrain::{TerrainGroup, TerrainId};
use emberwalk_path::grid::Cell;

/// The player's current brush.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldBrush {
    /// The terrain or the change that it paints.
    pub brush: Brush,
    /// Its size.
    pub size: BrushSize,
    /// The tool.
    pub tool: Tool,
    /// The brush that the eraser replaced.
    before_eraser: Brush,
}

impl Default for HeldBrush {
    fn default() -> Self {
        let brush = Brush::Terrain(TerrainId::FIRST);
        Self { brush, size: BrushSize::default(), tool: Tool::default(), before_eraser: brush }
    }
}

/// The crossing that the last stroke needs to be passable, so that the window can offer it; `None` once something else is
/// painted or chosen.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CrossingAdvice(pub Option<MissingCrossing>);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<HeldBrush>().init_resource::<CrossingAdvice>().add_observer(keep_to_tileset);
}

/// Takes the first terrain if the tileset no longer has the current one.
fn keep_to_tileset(
    _: On<MapShown>,
    map: Res<OpenMap>,
    mut held: ResMut<HeldBrush>,
    mut advice: ResMut<CrossingAdvice>,
) {
    advice.set_if_neq(CrossingAdvice(None));
    if !palette(&map).any(|brush| brush == held.brush) {
        held.brush = HeldBrush::default().brush;
    }
}

/// The terrains of a group, in the order of the tileset, each with its position there.
pub(in crate::game) fn group(map: &Map, group: TerrainGroup) -> impl Iterator<Item = (usize, TerrainId)> {
    let tileset = map.tileset();
    tileset.iter().map(|(id, _)| id).enumerate().filter(move |(_, id)| tileset.group(*id) == group)
}

/// The brushes of the palette, in its order: the terrains by their groups, the eraser, and the brushes for levels.
fn palette(map: &Map) -> impl Iterator<Item = Brush> {
    let terrains = TerrainGroup::ALL.into_iter().flat_map(|of| group(map, of)).map(|(_, id)| Brush::Terrain(id));
    terrains.chain([Brush::Eraser, Brush::Raise, Brush::Lower])
}

impl HeldBrush {
    /// The tool that is shown as selected; `None` if it is the eraser.
    pub(in crate::game) fn shown_tool(&self) -> Option<Tool> {
        Some(self.tool).filter(|tool| self.brush != Brush::Eraser || *tool == Tool::Select)
    }

    /// Changes it as the player asks. A pick takes the overlay of a cell, or else its ground.
    pub(super) fn change(&mut self, change: BrushChange, map: &Map, inspected: Option<Cell>) {
        if self.brush != Brush::Eraser {
            self.before_eraser = self.brush;
        }
        let count = palette(map).count();
        let position = palette(map).position(|brush| brush == self.brush).unwrap_or(0);
        let brush_at = |position: usize| palette(map).nth(position).unwrap_or(self.brush);
        match change {
            BrushChange::Take(position) => {
                let terrain = map.tileset().iter().nth(usize::from(position));
                self.brush = terrain.map_or(self.brush, |(id, _)| Brush::Terrain(id));
            }
            BrushChange::Previous => self.brush = brush_at((position + count - 1) % count),
            BrushChange::Next => self.brush = brush_at((position + 1) % count),
            BrushChange::Hold(brush) => self.brush = palette(map).find(|other| *other == brush).unwrap_or(self.brush),
            BrushChange::Pick(cell) => {
                let cell = cell.or(inspected).filter(|cell| map.size().contains(*cell));
                let terrain = cell.map(|cell| map.overlay()[cell].unwrap_or(map.base()[cell]));
                self.brush = terrain.map_or(self.brush, Brush::Terrain);
            }
            BrushChange::Size(index) => {
                self.size = BrushSize::ALL.get(usize::from(index)).copied().unwrap_or(self.size)
            }
            BrushChange::Smaller => self.size = self.size.smaller(),
            BrushChange::Larger => self.size = self.size.larger(),
            BrushChange::Tool(tool) => {
                self.tool = if self.shown_tool() == Some(tool) { Tool::Pencil } else { tool };
                // Choosing any other tool puts the eraser away.
                if self.brush == Brush::Eraser {
                    let before = palette(map).find(|brush| *brush == self.before_eraser);
                    self.brush = before.unwrap_or(Self::default().brush);
                }
            }
            BrushChange::NextTool => {
                // Filling has its own key, and is skipped. After it, and after the last tool, comes the default tool.
                let others = Tool::ALL.into_iter().filter(|tool| *tool != Tool::Fill);
                self.tool = others.skip_while(|tool| *tool != self.tool).nth(1).unwrap_or_default();
            }
        }
        // Choosing a brush starts painting.
        let takes = matches!(
            change,
            BrushChange::Take(_)
                | BrushChange::Previous
                | BrushChange::Next
                | BrushChange::Pick(_)
                | BrushChange::Hold(_)
        );
        if takes && self.tool == Tool::Select {
            self.tool = Tool::Pencil;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::world::loader::MapVersion;
    use emberwalk_picture::scene::Look;

    #[test]
    fn taking_another_tool_puts_the_eraser_away_and_brings_back_the_terrain() {
        let mut app = App::new();
        MapVersion::with_ground('G', (3, 3)).insert(&mut app, Look::Plain);
        let map = app.world().resource::<OpenMap>();
        let mut held = HeldBrush::default();
        let mut shown = |changes: &[BrushChange]| {
            changes.iter().for_each(|change| held.change(*change, map, None));
            (held.shown_tool(), held.brush)
        };
        let [erase, line] = [BrushChange::Hold(Brush::Eraser), BrushChange::Tool(Tool::Line)];
        let third = map.tileset().iter().nth(2).map(|(id, _)| Brush::Terrain(id)).unwrap();
        assert_eq!(shown(&[BrushChange::Take(2), line]), (Some(Tool::Line), third));
        assert_eq!(shown(&[erase]), (None, Brush::Eraser), "the eraser is on, and erases a line");
        assert_eq!(shown(&[line]), (Some(Tool::Line), third));
        assert_eq!(shown(&[erase, BrushChange::Tool(Tool::Select)]).0, Some(Tool::Select));
    }
}
