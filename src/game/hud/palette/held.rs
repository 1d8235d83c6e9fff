//! Shows in the palette what the player holds, and why it cannot be painted.

use bevy::prelude::*;
use bevy::ui::UiGlobalTransform;

use crate::game::app_systems::AppSystems;
use crate::game::hud::widgets::{GOLD, TEXT, set_shown, set_text};
use crate::game::input::action::Tool;
use crate::game::input::scroll_area::{ScrollArea, scroll_range};
use crate::game::mode::GameMode;
use crate::game::painting::brush::HeldBrush;
use crate::game::painting::ghost::Ghost;
use crate::game::painting::selection::Selection;
use crate::game::world::open_map::OpenMap;
use emberwalk_map::editing::Brush;
use emberwalk_map::terrain::{Cost, Layer, Terrain};

use super::parts::{Entry, Line, ToolButton};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (reveal_brush.run_if(resource_changed::<HeldBrush>), show_brush, update_lines)
            .run_if(in_state(GameMode::Painting))
            .in_set(AppSystems::Show),
    );
}

/// Outlines what is chosen; to select nothing is held.
fn show_brush(
    held: Res<HeldBrush>,
    mut entries: Query<(&Entry, &mut Outline)>,
    tools: Query<(&ToolButton, &Children)>,
    mut colours: Query<&mut TextColor>,
) {
    for (Entry(brush), mut outline) in &mut entries {
        let is_held = *brush == held.brush && held.tool != Tool::Select;
        let color = if is_held { GOLD } else { Color::NONE };
        if outline.color != color {
            outline.color = color;
        }
    }
    for (ToolButton(tool), children) in &tools {
        for child in children.iter() {
            if let Ok(mut colour) = colours.get_mut(child) {
                colour.set_if_neq(TextColor(if *tool == held.tool { GOLD } else { TEXT }));
            }
        }
    }
}

/// Scrolls to the picture of what is held.
fn reveal_brush(
    held: Res<HeldBrush>,
    entries: Query<(Entity, &Entry, &ComputedNode, &UiGlobalTransform)>,
    parents: Query<&ChildOf>,
    mut areas: Query<(&ComputedNode, &UiGlobalTransform, &mut ScrollPosition), With<ScrollArea>>,
) {
    for (entity, _, node, at) in entries.iter().filter(|(_, entry, ..)| entry.0 == held.brush) {
        let Some(area) = parents.iter_ancestors(entity).find(|parent| areas.contains(*parent)) else { continue };
        let Ok((area, area_at, mut position)) = areas.get_mut(area) else { continue };
        let free = (area.size.y - node.size.y).max(0.0) / 2.0;
        let distance = at.translation.y - area_at.translation.y;
        let by = (distance - distance.clamp(-free, free)) * area.inverse_scale_factor;
        if by != 0.0 {
            position.y = (position.y + by).clamp(0.0, scroll_range(area));
        }
    }
}

fn update_lines(
    held: Res<HeldBrush>,
    map: Res<OpenMap>,
    ghost: Res<Ghost>,
    selection: Res<Selection>,
    mut lines: Query<(&Line, &mut Text, &mut Node)>,
) {
    for (line, mut text, mut node) in &mut lines {
        let content = match line {
            Line::Terrain => match held.brush {
                Brush::Terrain(id) => describe(&map.tileset()[id]),
                Brush::Eraser => "eraser: removes what is on the ground".into(),
                Brush::Raise => "raise: one level more, once in a stroke".into(),
                Brush::Lower => "lower: one level less, once in a stroke".into(),
            },
            Line::Brush if held.tool == Tool::Select => {
                selection.area.map_or_else(|| "nothing is selected".into(), |area| format!("selected: {}", area.size()))
            }
            Line::Brush => format!("brush {0} x {0}", held.size.cells()),
            Line::Refusal => ghost.painted.refusals.first().map_or_else(String::new, ToString::to_string),
        };
        set_shown(&mut node, !content.is_empty());
        set_text(&mut text, &content);
    }
}

/// Describes a terrain: its name, its character, its layer and its cost.
fn describe(terrain: &Terrain) -> String {
    let cost = match terrain.cost {
        Cost::Impassable => "impassable".to_owned(),
        Cost::Enter(tiles) => format!("cost {tiles}"),
        Cost::Times(factor) => format!("cost of the ground x {factor}"),
    };
    let layer = if terrain.layer == Layer::Base { "ground" } else { "on the ground" };
    format!("{} ({}), {layer}: {cost}", terrain.name, terrain.char)
}
