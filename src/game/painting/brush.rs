//! What is painted, and with which tool.

use bevy::prelude::*;

use crate::game::action::{BrushChange, Tool};
use crate::game::world::open_map::{MapShown, OpenMap};
use emberwalk_map::Map;
use emberwalk_map::editing::{Brush, BrushSize};
use emberwalk_map::terrain::TerrainId;
use emberwalk_path::grid::Cell;

/// The brush in the hand of the player.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldBrush {
    /// What it paints.
    pub brush: Brush,
    /// How much it paints at once.
    pub size: BrushSize,
    /// What a stroke does.
    pub tool: Tool,
}

impl Default for HeldBrush {
    fn default() -> Self {
        Self { brush: Brush::Terrain(TerrainId::FIRST), size: BrushSize::default(), tool: Tool::default() }
    }
}

/// The brush that the player is offered, because the last stroke has made a crossing impassable that this brush paints;
/// `None` if there is nothing to offer, or once something else is painted or taken.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfferedBrush(pub Option<Brush>);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<HeldBrush>().init_resource::<OfferedBrush>().add_observer(keep_to_tileset);
}

/// Takes the first terrain if the tileset no longer has the current one.
fn keep_to_tileset(_: On<MapShown>, map: Res<OpenMap>, mut held: ResMut<HeldBrush>, mut offered: ResMut<OfferedBrush>) {
    offered.set_if_neq(OfferedBrush(None));
    if !palette(&map).any(|brush| brush == held.brush) {
        held.brush = HeldBrush::default().brush;
    }
}

/// The brushes of the palette, in its order: all terrains of the tileset, the eraser, and those for levels.
pub(in crate::game) fn palette(map: &Map) -> impl Iterator<Item = Brush> {
    map.tileset().iter().map(|(id, _)| Brush::Terrain(id)).chain([Brush::Eraser, Brush::Raise, Brush::Lower])
}

impl HeldBrush {
    /// Changes it as the player asks. A pick takes the overlay of a cell, or else its ground.
    pub(super) fn change(&mut self, change: BrushChange, map: &Map, inspected: Option<Cell>) {
        let count = palette(map).count();
        let position = palette(map).position(|brush| brush == self.brush).unwrap_or(0);
        let brush_at = |position: usize| palette(map).nth(position).unwrap_or(self.brush);
        match change {
            BrushChange::Take(position) => self.brush = brush_at(usize::from(position)),
            BrushChange::Previous => self.brush = brush_at((position + count - 1) % count),
            BrushChange::Next => self.brush = brush_at((position + 1) % count),
            BrushChange::Hold(brush) => self.brush = palette(map).find(|other| *other == brush).unwrap_or(self.brush),
            BrushChange::Pick(cell) => {
                let cell = cell.or(inspected).filter(|cell| map.size().contains(*cell));
                let terrain = cell.map(|cell| map.overlay()[cell].unwrap_or(map.base()[cell]));
                self.brush = terrain.map_or(self.brush, Brush::Terrain);
            }
            BrushChange::Smaller => self.size = self.size.smaller(),
            BrushChange::Larger => self.size = self.size.larger(),
            BrushChange::Tool(tool) => self.tool = if self.tool == tool { Tool::Pencil } else { tool },
            BrushChange::NextTool => {
                // Filling has a key of its own. After it comes the default tool, as after the last one.
                let mut others = Tool::all().filter(|tool| *tool != Tool::Fill).skip_while(|tool| *tool != self.tool);
                self.tool = others.nth(1).unwrap_or_default();
            }
        }
        // Whoever takes something to paint with wants to paint.
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
