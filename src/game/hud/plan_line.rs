//! The time line of a plan that is played, with its first conflict.

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::Playback;
use crate::game::people::plan::WatchedPlan;
use crate::game::screen::mode::Screen;
use crate::game::ui::element::{Element, Slider, slider, spans, words};
use crate::game::ui::regions::{Regions, Room};
use crate::game::ui::theme::{EMBER, ERROR, GOOD, SECOND, Size};
use emberwalk_map::diagnostics::counted;
use emberwalk_map::format_number;

use super::playback::{controls, line_above, mark, marked, move_button, play_button, position_text};

/// The width of the ticks.
const TICKS: f32 = 132.0;

pub(super) fn plan_line(plan: Option<Res<WatchedPlan>>, screen: Res<Screen>, regions: Res<Regions>) -> Vec<Element> {
    let Some(plan) = plan.filter(|_| !screen.plays_search()) else { return Vec::new() };
    let (tick, end) = (plan.time().floor(), plan.duration().max(1) as f32);
    let slider = slider(Slider::TimeLine, "Tick", plan.time() as f32 / end, (0.0, 1.0), 1.0 / end).grow();
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
        play_button(plan.is_playing(), false),
        move_button(Playback::StepOn, Icon::StepForward, "One tick forward"),
        marked(slider, plan.conflict_tick().map(|tick| mark(tick as f32 / end, ERROR))),
        position_text(
            format!("tick {tick}"),
            format!(" / {}, {}×", plan.duration(), format_number(plan.speed())),
            TICKS,
        ),
    ];
    let verdict = vec![words(verdict, Size::Text, colour)];
    let above = match regions.room {
        Room::Wide => {
            parts.push(spans(verdict));
            None
        }
        _ => regions.dock.is_empty().then(|| line_above(verdict)),
    };
    controls(parts, above, regions.room)
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
