//! The panel that says why the route does not lead through the inspected cell.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::search_view::detour::{Detour, Routes};
use crate::game::world::open_map::OpenMap;
use crate::grid::Cell;
use crate::map::side_by_side;

use super::places::Places;
use super::widgets::{GOLD, MUTED, SMALL, TEXT, panel, set_shown, set_text, text, text_column, wrapping};

#[derive(Component)]
struct DetourPanel;

#[derive(Component, Clone, Copy)]
enum Line {
    Sentence,
    Table,
    Advice,
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn)
        .add_systems(Update, update.run_if(resource_changed::<Detour>).in_set(AppSystems::Show));
}

fn spawn(places: Res<Places>, mut commands: Commands) {
    let node = Node { display: Display::None, ..text_column(default()) };
    let bundle = (panel(node), DetourPanel, ChildOf(places.top_right));
    commands.spawn(bundle).insert(Pickable::IGNORE).with_children(|rows| {
        for (line, colour) in [(Line::Sentence, GOLD), (Line::Table, TEXT), (Line::Advice, MUTED)] {
            rows.spawn((text("", SMALL, colour), wrapping(), line, Pickable::IGNORE));
        }
    });
}

fn update(
    detour: Res<Detour>,
    map: Res<OpenMap>,
    mut panel: Query<&mut Node, With<DetourPanel>>,
    mut lines: Query<(&Line, &mut Text)>,
) {
    let routes = detour.routes();
    for mut node in &mut panel {
        set_shown(&mut node, routes.is_some());
    }
    let Some((cell, routes)) = routes else { return };
    for (line, mut text) in &mut lines {
        let content = match line {
            Line::Sentence => sentence(cell, routes),
            Line::Table => table(&map, routes),
            Line::Advice => "why not here: Y ends this".to_owned(),
        };
        set_text(&mut text, &content);
    }
}

fn sentence(cell: Cell, routes: &Routes) -> String {
    let (Some(free), Some(through)) = (&routes.free, &routes.through) else {
        return format!("No route leads through {cell} to the goal.");
    };
    let difference = through.cost.tiles() - free.cost.tiles();
    let (cost, best) = (through.cost.tiles(), free.cost.tiles());
    if through.cost == free.cost {
        return format!("Through {cell} it costs the same: {cost:.2}.");
    }
    let more = if difference > 0.0 { "more" } else { "less" };
    format!("Through {cell}: cost {cost:.2}, {:.2} {more} than the route, {best:.2}.", difference.abs())
}

/// Sets the sums by terrain of both routes side by side.
fn table(map: &OpenMap, routes: &Routes) -> String {
    let (Some(free), Some(through)) = (&routes.free, &routes.through) else { return String::new() };
    let shares = |cells: &[Cell]| map.cost_shares(cells);
    let pairs = side_by_side(&shares(&free.cells), &shares(&through.cells));
    let row = |name: &str, free: f64, through: f64| {
        format!(
            "{:<16} {free:>8.2} {through:>8.2} {:>+8.2}\n",
            name.chars().take(16).collect::<String>(),
            through - free
        )
    };
    let heading = format!("{:<16} {:>8} {:>8} {:>8}\n", "", "route", "here", "");
    let rows: String = pairs.iter().map(|[free, through]| row(&free.name, free.tiles(), through.tiles())).collect();
    format!("{heading}{rows}{}", row("in all", free.cost.tiles(), through.cost.tiles()).trim_end())
}
