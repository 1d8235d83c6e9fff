//! The panel that says what is wrong with a file, until it is mended.

use bevy::prelude::*;
use bevy::text::LineBreak;

use crate::fault::{Fault, Faults};
use crate::game::AppSystems;
use crate::game::land::Land;
use crate::game::reload::{Awaited, Rejected};

use super::{Foot, HudSystems, PANEL, QUIET, SMALL, TEXT, lines, panel, text};

/// So many faults are shown, and how many more there are.
const SHOWN: usize = 3;

/// Texts are cut to so many characters.
const LONGEST: usize = 240;

/// What is wrong.
const ALARM: Color = Color::srgb(1.0, 0.58, 0.45);

#[derive(Component)]
struct FaultsPanel;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn.in_set(HudSystems::Faults))
        .add_systems(Update, show.run_if(resource_changed::<Rejected>).in_set(AppSystems::Show));
}

fn spawn(foot: Res<Foot>, mut commands: Commands) {
    let node = Node {
        margin: UiRect::left(px(10)),
        align_self: AlignSelf::FlexStart,
        max_width: percent(55),
        max_height: vh(50),
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

fn show(
    rejected: Res<Rejected>,
    awaited: Res<Awaited>,
    land: Res<Land>,
    mut panel: Query<(Entity, &mut Node, &mut Visibility), With<FaultsPanel>>,
    mut commands: Commands,
) {
    let Ok((panel, mut node, mut visibility)) = panel.single_mut() else { return };
    let mut panel = commands.entity(panel);
    panel.despawn_children();
    let faults = rejected.faults();
    node.display = if faults.is_some() { Display::Flex } else { Display::None };
    *visibility = if faults.is_some() { Visibility::Inherited } else { Visibility::Hidden };
    let Some(faults) = faults else { return };
    let shown = if awaited.is_some() { format!("\"{}\"", land.map().name()) } else { "the version before".to_owned() };
    panel.with_children(|rows| {
        rows.spawn(line(heading(faults), ALARM));
        for fault in faults.list().iter().take(SHOWN) {
            rows.spawn(line(message(fault), TEXT));
            if let Some(help) = &fault.help {
                let indent = Node { margin: UiRect::left(px(14)), ..default() };
                rows.spawn(line(readable(help), QUIET)).insert(indent);
            }
        }
        if let Some(more) = faults.list().len().checked_sub(SHOWN).filter(|more| *more > 0) {
            rows.spawn(line(format!("and {more} more"), TEXT));
        }
        rows.spawn(line(format!("Until this is mended {shown} is shown. Esc: hide this."), QUIET));
    });
}

/// A text that is broken anywhere if need be: a path may have no space in it.
fn line(words: String, colour: Color) -> impl Bundle {
    (text(words, SMALL, colour), TextLayout::linebreak(LineBreak::WordOrCharacter), Pickable::IGNORE)
}

/// The file, and how much is wrong with it.
fn heading(faults: &Faults) -> String {
    let file = faults.file();
    // The end of a long path tells more than its beginning.
    let cut = file.char_indices().rev().nth(LONGEST / 2).map_or(0, |(at, _)| at);
    let dots = if cut > 0 { "..." } else { "" };
    let count = match faults.list().len() {
        1 => "a fault".to_owned(),
        count => format!("{count} faults"),
    };
    format!("{dots}{}: {count}", readable(&file[cut..]))
}

fn message(fault: &Fault) -> String {
    let words = readable(&fault.message);
    match &fault.place {
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
