//! The time line of a recording that is played.

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::{Action, Playback};
use crate::game::app_systems::AppSystems;
use crate::game::replay::WatchedReplay;
use crate::game::ui::element::{
    Element, Slider, Style, action_button, bold, boxed, button, icon, icon_button, row, slider, spans, words,
};
use crate::game::ui::regions::{Places, Regions, Room};
use crate::game::ui::show::show_in;
use crate::game::ui::theme::{EMBER, INK, LARGE, SECOND, SMALL, Size, TEXT};
use crate::game::world::open_map::OpenMap;
use emberwalk_map::format_number;
use emberwalk_path::time::CrowdTime;

/// The width of the times.
const TIMES: f32 = 168.0;

pub(super) fn plugin(app: &mut App) {
    let place = app.world().resource::<Places>().time_line;
    app.add_systems(Update, replay_line.pipe(show_in(place)).in_set(AppSystems::Show));
}

fn replay_line(watched: Option<Res<WatchedReplay>>, map: Res<OpenMap>, regions: Res<Regions>) -> Vec<Element> {
    let Some(watched) = watched else { return Vec::new() };
    let (time, end) = (watched.time().seconds(), watched.duration().seconds());
    let (symbol, name) = if watched.is_playing() { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
    let play = button(Action::Playback(Playback::Toggle), Style::Gold, vec![icon(symbol, 20, INK)]);
    let move_button = |playback, symbol, name| icon_button(Action::Playback(playback), symbol, name);
    // Its thumb is where it was moved, even while the time there is not shown yet: steps and drags begin there.
    let share = if end > 0.0 { (watched.asked().seconds() / end) as f32 } else { 0.0 };
    let step = (1.0 / end.max(1.0)) as f32;
    let times = spans(vec![
        bold(clock(time), Size::Text, TEXT),
        words(format!(" / {}, {}×", clock(end), format_number(watched.speed())), Size::Text, SECOND),
    ]);
    let mut parts = vec![
        move_button(Playback::Start, Icon::SkipBack, "To the start"),
        play.named(name).width(38.0).with(|node| node.padding = UiRect::ZERO),
        track(&watched, &map, share, step),
        row(vec![times]).width(TIMES).with(|node| node.flex_shrink = 0.0),
        move_button(Playback::Slower, Icon::ChevronsLeft, "Half as fast"),
        move_button(Playback::Faster, Icon::ChevronsRight, "Twice as fast"),
    ];
    if let Some(difference) = map.timeline().difference() {
        let text = format!("differs from {} on", clock(difference.time.seconds()));
        parts.push(spans(vec![words(text, Size::Text, EMBER)]).with(|node| node.flex_shrink = 0.0));
    }
    let play_on = action_button(Action::PlayOn, Style::Plain, None, "Play on from here");
    parts.push(play_on.with(|node| node.flex_shrink = 0.0));
    let side = if regions.room == Room::Wide { LARGE } else { SMALL };
    vec![row(parts).pad(side, 0.0).gap(SMALL).grow()]
}

/// The slider, on which a lighter part shows how far the recording was played ahead, and a mark where it differs.
fn track(watched: &WatchedReplay, map: &OpenMap, share: f32, step: f32) -> Element {
    let end = watched.duration().seconds().max(f64::MIN_POSITIVE);
    let share_of = |time: CrowdTime| (time.seconds() / end) as f32;
    let at = |from: f32, to: f32, top: f32, height: f32| Node {
        position_type: PositionType::Absolute,
        left: percent(100.0 * from),
        width: percent(100.0 * (to - from)),
        min_width: px(2),
        top: px(top),
        height: px(height),
        ..default()
    };
    let mut slider = slider(Slider::TimeLine, "Time", share, (0.0, 1.0), step).grow();
    if let Some(rail) = slider.children.first_mut() {
        let played = share_of(map.timeline().played());
        rail.children.insert(1, boxed(at(0.0, played, 8.0, 4.0)).back(SECOND));
        let thumb = rail.children.len() - 1;
        let mark = map.timeline().difference().map(|difference| share_of(difference.time));
        rail.children.splice(thumb..thumb, mark.map(|mark| boxed(at(mark, mark, 4.0, 12.0)).back(EMBER)));
    }
    slider
}

/// A time in minutes and seconds.
fn clock(seconds: f64) -> String {
    let tenths = (seconds * 10.0).floor() as u64;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}
