//! The time line of a plan that is played, with its first conflict.

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::{Action, Playback};
use crate::game::app_systems::AppSystems;
use crate::game::people::plan::WatchedPlan;
use crate::game::screen::mode::Screen;
use crate::game::ui::element::{
    Element, Slider, Style, bold, button, column, icon, icon_button, row, slider, spans, words,
};
use crate::game::ui::regions::{Places, Regions, Room};
use crate::game::ui::show::show_in;
use crate::game::ui::theme::{EMBER, ERROR, GOOD, INK, LARGE, SECOND, SMALL, Size, TEXT};
use emberwalk_map::diagnostics::counted;
use emberwalk_map::format_number;

use super::time_line::{line_above, mark};

/// The width of the ticks.
const TICKS: f32 = 132.0;

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().time_line;
    app.add_systems(Update, plan_line.pipe(show_in(place)).in_set(AppSystems::Show));
}

fn plan_line(plan: Option<Res<WatchedPlan>>, screen: Res<Screen>, regions: Res<Regions>) -> Vec<Element> {
    let Some(plan) = plan.filter(|_| !screen.plays_search()) else { return Vec::new() };
    let (tick, end) = (plan.time().floor(), plan.duration().max(1) as f32);
    let (symbol, name) = if plan.is_playing() { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
    let play = button(Action::Playback(Playback::Toggle), Style::Gold, vec![icon(symbol, 20, INK)]);
    let move_button = |playback, symbol, name| icon_button(Action::Playback(playback), symbol, name);
    let mut track = slider(Slider::TimeLine, "Tick", plan.time() as f32 / end, (0.0, 1.0), 1.0 / end).grow();
    if let Some(rail) = track.children.first_mut() {
        let thumb = rail.children.len().saturating_sub(1);
        rail.children.splice(thumb..thumb, plan.conflict_tick().map(|tick| mark(tick as f32 / end, ERROR)));
    }
    let ticks = spans(vec![
        bold(format!("tick {tick}"), Size::Text, TEXT),
        words(format!(" / {}, {}×", plan.duration(), format_number(plan.speed())), Size::Text, SECOND),
    ]);
    let (verdict, colour) = match plan.verdict().map(|verdict| (verdict.conflict, verdict)) {
        Some((Some(conflict), _)) => (conflict.to_string(), EMBER),
        Some((None, verdict)) => {
            (format!("no conflict, sum of costs {}, makespan {}", verdict.sum_of_costs, verdict.makespan), GOOD)
        }
        None => (String::new(), SECOND),
    };
    let verdict = format!("{}: {verdict}", counted(plan.agents(), "agent"));
    let mut parts = vec![
        move_button(Playback::Start, Icon::SkipBack, "To the start"),
        move_button(Playback::StepBack, Icon::StepBack, "One tick back"),
        play.named(name).width(38.0).with(|node| node.padding = UiRect::ZERO),
        move_button(Playback::StepOn, Icon::StepForward, "One tick forward"),
        track,
        row(vec![ticks]).width(TICKS).with(|node| node.flex_shrink = 0.0),
    ];
    let verdict = vec![words(verdict, Size::Text, colour)];
    if regions.room == Room::Wide {
        parts.push(spans(verdict));
        return vec![row(parts).pad(LARGE, 0.0).gap(SMALL).grow()];
    }
    let mut lines = vec![row(parts).pad(SMALL, 0.0).gap(SMALL).grow()];
    if regions.dock.is_empty() {
        lines.push(line_above(verdict));
    }
    // The controls come first, so that they keep their entities when the line above them comes and goes.
    vec![column(lines).grow().with(|node| node.flex_direction = FlexDirection::ColumnReverse)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::ecs::system::RunSystemOnce;
    use emberwalk_path::grid::Cell;

    #[test]
    fn the_verdict_is_shown_in_windows_of_all_widths() {
        let mut world = World::new();
        world.insert_resource(WatchedPlan::new(vec![vec![Cell::new(0, 0)]]));
        world.init_resource::<Screen>();
        for room in [Room::Wide, Room::Medium, Room::Narrow] {
            world.insert_resource(Regions { room, ..default() });
            let shown: Vec<_> = world.run_system_once(plan_line).unwrap().iter().flat_map(Element::read).collect();
            assert!(shown.iter().any(|text| text.starts_with("1 agent: ")), "{room:?}: {shown:?}");
        }
    }
}
