//! The panel that lists the faults of a file until they are fixed.

use std::ffi::OsStr;
use std::path::Path;

use bevy::prelude::*;
use bevy::text::LineBreak;
use bevy::window::PrimaryWindow;

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::game::app_systems::AppSystems;
use crate::game::world::file_faults::FileFaults;
use crate::game::world::live_reload::AwaitedMap;
use crate::game::world::open_map::OpenMap;

use super::bottom_column::{BottomColumn, HudSystems};
use super::scale::ui_scale;
use super::widgets::{MUTED, PANEL, SMALL, TEXT, panel, text, text_column};

/// The maximum length of a text in characters; longer texts are cut.
const MAX_CHARS: usize = 240;

/// The colour of the lines that say that a file has faults.
const WARNING: Color = Color::srgb(1.0, 0.58, 0.45);

#[derive(Component)]
struct FaultsPanel;

pub(super) fn plugin(app: &mut App) {
    let changed = resource_changed::<FileFaults>.or_eager(resized);
    app.add_systems(Startup, spawn.in_set(HudSystems::Faults))
        .add_systems(Update, update_panel.run_if(changed).in_set(AppSystems::Show));
}

fn spawn(column: Res<BottomColumn>, mut commands: Commands) {
    let node = Node {
        margin: UiRect::left(px(10)),
        align_self: AlignSelf::FlexStart,
        max_height: vh(60),
        overflow: Overflow::clip(),
        display: Display::None,
        ..default()
    };
    commands.entity(column.0).with_children(|column| {
        // Opaque, because the map behind it would make it hard to read.
        let hidden = (BackgroundColor(PANEL.with_alpha(1.0)), Visibility::Hidden, Pickable::IGNORE, FaultsPanel);
        column.spawn(panel(text_column(node))).insert(hidden);
    });
}

/// Returns whether the size of the window has changed since the last call.
fn resized(window: Query<&Window, With<PrimaryWindow>>, mut previous: Local<Vec2>) -> bool {
    let size = window.single().map(Window::size).unwrap_or_default();
    std::mem::replace(&mut *previous, size) != size
}

fn update_panel(
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
    let space = PanelSpace::in_window(
        window.single().map_or(Vec2::new(1280.0, 720.0), |window| window.size() / ui_scale(window)),
    );
    node.max_width = px(space.width);
    if file_faults.shown().is_none() {
        panel.with_child(line(summary(faults), WARNING));
        return;
    }
    let shown = if awaited.is_some() { format!("\"{}\"", map.name()) } else { "the previous version".to_owned() };
    panel.with_children(|rows| {
        rows.spawn(line(heading(faults), WARNING));
        let fitting = space.fitting(faults);
        for fault in &faults.list()[..fitting] {
            rows.spawn(line(message(fault), TEXT));
            if let Some(help) = &fault.help {
                let indent = Node { margin: UiRect::left(px(INDENT)), ..default() };
                rows.spawn(line(printable(help), MUTED)).insert(indent);
            }
        }
        if let Some(remaining) = faults.list().len().checked_sub(fitting).filter(|remaining| *remaining > 0) {
            rows.spawn(line(format!("{remaining} more, see: emberwalk check {}", shorten(faults.file())), TEXT));
        }
        rows.spawn(line(format!("Showing {shown} until this is fixed. Esc: hide this."), MUTED));
    });
}

/// The indentation of the help for a fault, in pixels.
const INDENT: f32 = 14.0;

/// The space that the window leaves for the panel.
struct PanelSpace {
    /// The width in logical pixels.
    width: f32,
    /// The number of text lines for faults.
    lines: usize,
}

impl PanelSpace {
    /// Returns the space in a window of this size in logical pixels. The panel leaves the right half of a wide window
    /// free, and the upper half of a small one.
    fn in_window(window: Vec2) -> Self {
        const LINE: f32 = 1.2 * SMALL + 3.0;
        /// The height of the hint, the notice and the buttons below.
        const BELOW: f32 = 150.0;
        /// The height of the heading, the number of remaining faults, the last line and the padding.
        const FRAME: f32 = 3.0 * LINE + 16.0;
        let wide = window.x >= 1000.0;
        let height = if wide { window.y * 0.55 } else { window.y / 2.0 - BELOW };
        let width = if wide { window.x / 2.0 - 20.0 } else { window.x - 20.0 };
        Self { width: width.max(100.0), lines: ((height - FRAME) / LINE).max(0.0) as usize }
    }

    /// Returns how many faults fit, at least one.
    fn fitting(&self, faults: &Diagnostics) -> usize {
        // The width of a character; the font is monospaced.
        const CHAR_WIDTH: f32 = 0.6 * SMALL;
        let columns = (((self.width - 22.0 - INDENT) / CHAR_WIDTH) as usize).max(1);
        let lines = |text: &str| text.len().div_ceil(columns).max(1);
        let used = faults.list().iter().scan(0, |used, fault| {
            *used += lines(&message(fault)) + fault.help.as_ref().map_or(0, |help| lines(&printable(help)));
            Some(*used)
        });
        used.take_while(|used| *used <= self.lines).count().max(1)
    }
}

/// Returns a line of text that may wrap inside a word, because a file name may have no spaces.
fn line(content: String, colour: Color) -> impl Bundle {
    (text(content, SMALL, colour), TextLayout::linebreak(LineBreak::WordOrCharacter), Pickable::IGNORE)
}

/// Returns the file to fix and its number of faults.
fn heading(faults: &Diagnostics) -> String {
    format!("{}: {}", shorten(faults.file_to_fix()), count(faults))
}

/// Returns the one line that remains after the player has hidden the list.
fn summary(faults: &Diagnostics) -> String {
    let file = faults.file_to_fix();
    format!("{} has {}", shorten(Path::new(file).file_name().and_then(OsStr::to_str).unwrap_or(file)), count(faults))
}

fn count(faults: &Diagnostics) -> String {
    match faults.list().len() {
        1 => "1 fault".to_owned(),
        count => format!("{count} faults"),
    }
}

/// Shortens a long file name to its end, which says more than its beginning.
fn shorten(file: &str) -> String {
    let cut = file.char_indices().rev().nth(MAX_CHARS / 2).map_or(0, |(at, _)| at);
    let dots = if cut > 0 { "..." } else { "" };
    format!("{dots}{}", printable(&file[cut..]))
}

/// Returns the message of a fault, with its location in a text file.
fn message(fault: &Diagnostic) -> String {
    let text = printable(&fault.message);
    // The other file is an image, which has no lines.
    match fault.location.as_ref().filter(|_| fault.other_file.is_none()) {
        Some(location) => format!("line {}, column {}: {text}", location.line, location.column),
        None => text,
    }
}

/// Returns a text as a single line of limited length. Characters that the font of the window lacks are escaped.
fn printable(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars().take(MAX_CHARS) {
        match character {
            ' '..='~' => shown.push(character),
            '…' => shown += "...",
            _ if character.is_whitespace() => shown.push(' '),
            _ => shown.extend(character.escape_unicode()),
        }
    }
    if text.chars().nth(MAX_CHARS).is_some() {
        shown += "...";
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_faults_fit_into_the_default_window_and_fewer_into_a_small_one() {
        let tileset = std::sync::Arc::new(crate::terrain::Tileset::load(None).unwrap());
        let rows: String = ('a'..='z').map(|wrong| format!("\"{wrong}\",")).collect();
        let map = format!("(name: \"x\", base: [{rows}], overlay: [])");
        let faults = crate::map::Map::parse("x.ron", &map, &tileset).unwrap_err();
        let fitting = [(1280.0, 720.0), (914.0, 686.0), (427.0, 320.0)]
            .map(|size| PanelSpace::in_window(size.into()).fitting(&faults));
        assert!(fitting[0] >= 6 && fitting[1] >= 3 && fitting[1] < fitting[0] && fitting[2] == 1, "{fitting:?}");
        assert_eq!(summary(&faults), format!("x.ron has {} faults", faults.list().len()));
    }
}
