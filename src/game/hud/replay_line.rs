//! The time line of a recording that is played.

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::{Action, Playback};
use crate::game::replay::WatchedReplay;
use crate::game::ui::element::{Element, Slider, Style, absolute, action_button, boxed, coloured, slider};
use crate::game::ui::regions::Regions;
use crate::game::ui::theme::{EMBER, SECOND};
use crate::game::world::open_map::OpenMap;
use emberwalk_map::format_number;
use emberwalk_path::time::CrowdTime;

use super::playback::{controls, mark, marked, move_button, play_button, position_text};

/// The width of the times.
const TIMES: f32 = 168.0;

pub(super) fn replay_line(
    watched: Option<Res<WatchedReplay>>,
    map: Res<OpenMap>,
    regions: Res<Regions>,
) -> Vec<Element> {
    let Some(watched) = watched else { return Vec::new() };
    let (time, end) = (watched.time().seconds(), watched.duration().seconds());
    // Its thumb is where it was moved, even while the time there is not shown yet: steps and drags begin there.
    let share = if end > 0.0 { (watched.asked().seconds() / end) as f32 } else { 0.0 };
    let step = (1.0 / end.max(1.0)) as f32;
    let mut parts = vec![
        move_button(Playback::Start, Icon::SkipBack, "To the start"),
        play_button(watched.is_playing(), false),
        track(&watched, &map, share, step),
        position_text(clock(time), format!(" / {}, {}×", clock(end), format_number(watched.speed())), TIMES),
        move_button(Playback::Slower, Icon::ChevronsLeft, "Half as fast"),
        move_button(Playback::Faster, Icon::ChevronsRight, "Twice as fast"),
    ];
    if let Some(difference) = map.timeline().difference() {
        let text = format!("differs from {} on", clock(difference.time.seconds()));
        parts.push(coloured(text, EMBER).rigid());
    }
    parts.push(action_button(Action::PlayOn, Style::Plain, None, "Play on from here").rigid());
    controls(parts, None, regions.room)
}

/// The slider, on which a lighter part shows how far the recording was played ahead, and a mark where it differs.
fn track(watched: &WatchedReplay, map: &OpenMap, share: f32, step: f32) -> Element {
    let end = watched.duration().seconds().max(f64::MIN_POSITIVE);
    let share_of = |time: CrowdTime| (time.seconds() / end) as f32;
    let mut slider = slider(Slider::TimeLine, "Time", share, (0.0, 1.0), step).grow();
    if let Some(rail) = slider.children.first_mut() {
        let played = Node {
            width: percent(100.0 * share_of(map.timeline().played())),
            min_width: px(2),
            top: px(8),
            height: px(4),
            ..absolute()
        };
        rail.children.insert(1, boxed(played).back(SECOND));
    }
    marked(slider, map.timeline().difference().map(|difference| mark(share_of(difference.time), EMBER)))
}

/// A time in minutes and seconds.
fn clock(seconds: f64) -> String {
    let tenths = (seconds * 10.0).floor() as u64;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}
