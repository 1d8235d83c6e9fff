//! The panel that says what is wrong with a file, until it is mended.

use std::ffi::OsStr;
use std::path::Path;

use bevy::prelude::*;
use bevy::text::LineBreak;
use bevy::window::PrimaryWindow;

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::game::AppSystems;
use crate::game::world::file_faults::FileFaults;
use crate::game::world::live_reload::AwaitedMap;
use crate::game::world::open_map::OpenMap;

use super::{Foot, HudSystems, PANEL, QUIET, SMALL, TEXT, lines, panel, text, ui_scale};

/// Texts are cut to so many characters.
const LONGEST: usize = 240;

/// What is wrong.
const ALARM: Color = Color::srgb(1.0, 0.58, 0.45);

#[derive(Component)]
struct FaultsPanel;

pub(super) fn plugin(app: &mut App) {
    let changed = resource_changed::<FileFaults>.or_eager(resized);
    app.add_systems(Startup, spawn.in_set(HudSystems::Diagnostics))
        .add_systems(Update, show.run_if(changed).in_set(AppSystems::Show));
}

fn spawn(foot: Res<Foot>, mut commands: Commands) {
    let node = Node {
        margin: UiRect::left(px(10)),
        align_self: AlignSelf::FlexStart,
        max_height: vh(60),
        overflow: Overflow::clip(),
        display: Display::None,
        ..default()
    };
    commands.entity(foot.0).with_children(|foot| {
        // What lies below would make it hard to read.
        let hidden = (BackgroundColor(PANEL.with_alpha(1.0)), Visibility::Hidden, Pickable::IGNORE, FaultsPanel);
        foot.spawn(panel(lines(node))).insert(hidden);
    });
}

/// Whether the window has another size than when this was last asked.
fn resized(window: Query<&Window, With<PrimaryWindow>>, mut before: Local<Vec2>) -> bool {
    let size = window.single().map(Window::size).unwrap_or_default();
    std::mem::replace(&mut *before, size) != size
}

fn show(
    file_faults: Res<FileFaults>,
    awaited: Res<AwaitedMap>,
    map: Res<OpenMap>,
    window: Query<&Window, With<PrimaryWindow>>,
    mut panel: Query<(Entity, &mut Node, &mut Visibility), With<FaultsPanel>>,
    mut commands: Commands,
) {
    let Ok((panel, mut node, mut visibility)) = panel.single_mut() else { return };
    let mut panel = commands.entity(panel);
    panel.despawn_children();
    let all = file_faults.all();
    node.display = if all.is_some() { Display::Flex } else { Display::None };
    *visibility = if all.is_some() { Visibility::Inherited } else { Visibility::Hidden };
    let Some(faults) = all else { return };
    let room = Room::of(window.single().map_or(Vec2::new(1280.0, 720.0), |window| window.size() / ui_scale(window)));
    node.max_width = px(room.width);
    if file_faults.shown().is_none() {
        panel.with_child(line(mark(faults), ALARM));
        return;
    }
    let shown = if awaited.is_some() { format!("\"{}\"", map.name()) } else { "the version before".to_owned() };
    panel.with_children(|rows| {
        rows.spawn(line(heading(faults), ALARM));
        let fitting = room.fitting(faults);
        for fault in &faults.list()[..fitting] {
            rows.spawn(line(message(fault), TEXT));
            if let Some(help) = &fault.help {
                let indent = Node { margin: UiRect::left(px(INDENT)), ..default() };
                rows.spawn(line(readable(help), QUIET)).insert(indent);
            }
        }
        if let Some(more) = faults.list().len().checked_sub(fitting).filter(|more| *more > 0) {
            rows.spawn(line(format!("and {more} more: emberwalk check {}", short(faults.file())), TEXT));
        }
        rows.spawn(line(format!("Until this is mended {shown} is shown. Esc: hide this."), QUIET));
    });
}

/// How far a fault's help is indented, in pixels.
const INDENT: f32 = 14.0;

/// The room that the panel has.
struct Room {
    /// In pixels of the panel.
    width: f32,
    /// Lines of text for faults.
    lines: usize,
}

impl Room {
    /// Of a window of this size, in pixels of the panel. In a wide one the panel leaves the right half free, in a small one
    /// the upper half.
    fn of(window: Vec2) -> Self {
        const LINE: f32 = 1.2 * SMALL + 3.0;
        /// What stands below.
        const BELOW: f32 = 150.0;
        /// The heading, how many more there are, what is shown meanwhile, and the panel's padding.
        const FRAME: f32 = 3.0 * LINE + 16.0;
        let wide = window.x >= 1000.0;
        let height = if wide { window.y * 0.55 } else { window.y / 2.0 - BELOW };
        let width = if wide { window.x / 2.0 - 20.0 } else { window.x - 20.0 };
        Self { width: width.max(100.0), lines: ((height - FRAME) / LINE).max(0.0) as usize }
    }

    /// How many faults fit: one at least.
    fn fitting(&self, faults: &Diagnostics) -> usize {
        // Each letter of the font is this wide.
        const LETTER: f32 = 0.6 * SMALL;
        let columns = (((self.width - 22.0 - INDENT) / LETTER) as usize).max(1);
        let lines = |words: &str| words.len().div_ceil(columns).max(1);
        let taken = faults.list().iter().scan(0, |taken, fault| {
            *taken += lines(&message(fault)) + fault.help.as_ref().map_or(0, |help| lines(&readable(help)));
            Some(*taken)
        });
        taken.take_while(|taken| *taken <= self.lines).count().max(1)
    }
}

/// A text that is broken anywhere if need be: a path may have no space in it.
fn line(words: String, colour: Color) -> impl Bundle {
    (text(words, SMALL, colour), TextLayout::linebreak(LineBreak::WordOrCharacter), Pickable::IGNORE)
}

/// The file, and how much is wrong with it.
fn heading(faults: &Diagnostics) -> String {
    format!("{}: {}", short(faults.file_to_fix()), count(faults))
}

/// What is left of the panel when the player has read enough.
fn mark(faults: &Diagnostics) -> String {
    let file = faults.file_to_fix();
    format!("{} has {}", short(Path::new(file).file_name().and_then(OsStr::to_str).unwrap_or(file)), count(faults))
}

fn count(faults: &Diagnostics) -> String {
    match faults.list().len() {
        1 => "a fault".to_owned(),
        count => format!("{count} faults"),
    }
}

/// A file's name, or the end of it, which tells more than the beginning.
fn short(file: &str) -> String {
    let cut = file.char_indices().rev().nth(LONGEST / 2).map_or(0, |(at, _)| at);
    let dots = if cut > 0 { "..." } else { "" };
    format!("{dots}{}", readable(&file[cut..]))
}

fn message(fault: &Diagnostic) -> String {
    let words = readable(&fault.message);
    // A picture has no lines.
    match fault.location.as_ref().filter(|_| fault.other_file.is_none()) {
        Some(place) => format!("line {}, column {}: {words}", place.line, place.column),
        None => words,
    }
}

/// Text in one line that is not too long, with the signs that the window's font has: others by their number.
fn readable(text: &str) -> String {
    let mut shown = String::new();
    for sign in text.chars().take(LONGEST) {
        match sign {
            ' '..='~' => shown.push(sign),
            '…' => shown += "...",
            _ if sign.is_whitespace() => shown.push(' '),
            _ => shown.extend(sign.escape_unicode()),
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        shown += "...";
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_faults_fit_into_the_first_window_and_fewer_into_a_small_one() {
        let tileset = std::sync::Arc::new(crate::terrain::Tileset::load(None).unwrap());
        let rows: String = ('a'..='z').map(|wrong| format!("\"{wrong}\",")).collect();
        let map = format!("(name: \"x\", base: [{rows}], overlay: [])");
        let faults = crate::map::Map::parse("x.ron", &map, &tileset).unwrap_err();
        let fitting =
            [(1280.0, 720.0), (914.0, 686.0), (427.0, 320.0)].map(|size| Room::of(size.into()).fitting(&faults));
        assert!(fitting[0] >= 6 && fitting[1] >= 3 && fitting[1] < fitting[0] && fitting[2] == 1, "{fitting:?}");
        assert_eq!(mark(&faults), format!("x.ron has {} faults", faults.list().len()));
    }
}
