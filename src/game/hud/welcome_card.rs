//! The card for a first visit: the description of the map, and the first steps.

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::{Action, Fold};
use crate::game::input::touch::UsesFingers;
use crate::game::people::selected::SelectedPeople;
use crate::game::replay::WatchedReplay;
use crate::game::screen::mode::Screen;
use crate::game::search_view::lesson::OpenLesson;
use crate::game::ui::element::{Element, coloured, icon, row, title};
use crate::game::ui::fold::{Cards, WIDTH, fold_line};
use crate::game::ui::font::text_width::lines;
use crate::game::ui::menu::close_button;
use crate::game::ui::theme::{GOLD, LARGE, MEDIUM, SECOND, SMALL, Size, TEXT};
use crate::game::viewport::Viewport;
use crate::game::world::open_map::OpenMap;
use crate::game::world::reader::MapReader;

use super::bar::printable;

/// The maximum length of a map's description, in characters; longer texts are cut.
const MAX_ABOUT: usize = 220;

/// How far the slab reaches below the southern edge of the map, in rows.
const SLAB: f64 = 0.5;

/// The card, until the player does something else or closes it. It appears again for another map.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
pub(super) fn welcome(
    mut actions: MessageReader<Action>,
    screen: Res<Screen>,
    lesson: Res<OpenLesson>,
    cards: Cards,
    fingers: Res<UsesFingers>,
    reader: Res<MapReader>,
    map: Res<OpenMap>,
    view: Res<Viewport>,
    scale: Res<UiScale>,
    replay: Option<Res<WatchedReplay>>,
    selected: Res<SelectedPeople>,
    mut has_begun: Local<bool>,
    // The map whose card was closed.
    mut closed: Local<Option<u64>>,
) -> Vec<Element> {
    use Action::{CloseWelcome, Go, GoToCastle, GoToCursor, TogglePainting, ToggleRace, ToggleSearchView};
    let closes = |action: &Action| {
        let walks = matches!(action, Go(_) | GoToCursor { .. } | GoToCastle);
        walks || matches!(action, CloseWelcome | TogglePainting | ToggleRace | ToggleSearchView)
    };
    let opened = map.frame().opened;
    // The card about people is in the same corner.
    let has_selected = !selected.agents().is_empty();
    if actions.read().filter(|action| closes(action)).count() > 0 || has_selected {
        *has_begun = true;
        *closed = Some(opened);
    }
    let is_wanted = screen.is_walking() && lesson.get().is_none() && replay.is_none();
    if *closed == Some(opened) || !is_wanted || reader.awaited().is_some() || cards.regions.is_bare() {
        return Vec::new();
    }
    let about = map.about().filter(|about| !about.trim().is_empty()).map(|about| printable(about, MAX_ABOUT));
    let volcano = map.has_volcano().then(|| volcano_hint(map.any_dormant()));
    let hints = if *has_begun { Vec::new() } else { hints(volcano, fingers.0) };
    let hides_about = !cards.regions.is_compact()
        && !cards.open.has(Fold::Welcome)
        && covers_map(&map, &view, cards.regions.map, height(about.as_deref(), &hints), scale.0);
    let name = match cards.is_folded(Fold::Welcome) {
        true => coloured("About this map", TEXT),
        false => title(printable(map.name(), 28)),
    };
    let head = cards.head(Fold::Welcome, "map", vec![name]).grow();
    let mut rows = vec![row(vec![head, close_button(Action::CloseWelcome)])];
    if let Some(about) = about {
        rows.push(match hides_about {
            true => fold_line(Fold::Welcome, false, vec![coloured("About this map", SECOND)]),
            false => coloured(about, SECOND),
        });
    }
    let hint = |(symbol, text): &(Icon, &str)| row(vec![icon(*symbol, 16, GOLD), coloured(*text, SECOND).grow()]);
    rows.extend(hints.iter().map(hint));
    if rows.len() == 1 {
        return Vec::new();
    }
    if cards.is_folded(Fold::Welcome) {
        rows.truncate(1);
    }
    vec![cards.frame(Fold::Welcome, rows)]
}

/// The first steps. A map without volcanoes has nothing to erupt.
fn hints(volcano: Option<&'static str>, has_fingers: bool) -> Vec<(Icon, &'static str)> {
    let [walk, more] = match has_fingers {
        false => ["Click a cell to walk there.", "Search shows how the route is found."],
        true => ["Tap a cell to walk there.", "Rest a finger on a cell to see its cost."],
    };
    let volcano = volcano.map(|hint| (Icon::Flame, hint));
    [Some((Icon::Footprints, walk)), volcano, Some((Icon::Route, more))].into_iter().flatten().collect()
}

/// What the player can do with the volcanoes of a map.
fn volcano_hint(any_dormant: bool) -> &'static str {
    match any_dormant {
        true => "Erupt: warm ground is quick to cross, and the route bends.",
        false => "Calm: the ground cools down, and the route bends back.",
    }
}

/// The height of the open card in logical pixels.
fn height(about: Option<&str>, hints: &[(Icon, &str)]) -> f32 {
    const GAP: f32 = 6.0;
    const BESIDE_HINT: f32 = 16.0 + SMALL;
    let width = WIDTH - 2.0 * MEDIUM;
    let text = |text: &str, width: f32| GAP + 20.0 * lines(text, Size::Text, width) as f32;
    let about = about.map_or(0.0, |about| text(about, width));
    let hints: f32 = hints.iter().map(|(_, hint)| text(hint, width - BESIDE_HINT)).sum();
    2.0 * MEDIUM + 32.0 + about + hints
}

/// Whether a card of this height in the lower right corner of the free rectangle `free` would cover some of the map.
fn covers_map(map: &OpenMap, view: &Viewport, free: Rect, height: f32, scale: f32) -> bool {
    let corner = (free.max - LARGE - Vec2::new(WIDTH, height)) * scale;
    // Of all of the card this point is the nearest to the map, whose lower right edge is the southern one.
    let (_, y) = map.projection().position_at(view.map_point(corner).as_dvec2().into());
    y < f64::from(map.size().height) + SLAB
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_card_says_what_an_eruption_does_and_is_as_high_as_its_lines() {
        let [none, dormant] = [None, Some(volcano_hint(true))].map(|volcano| hints(volcano, false));
        assert_eq!((none.len(), dormant.len()), (2, 3));
        assert!(dormant[1].1.starts_with("Erupt: warm ground is quick to cross"));
        let added = height(None, &dormant) - height(None, &none);
        let lines = lines(dormant[1].1, Size::Text, WIDTH - 2.0 * MEDIUM - 16.0 - SMALL);
        assert!(lines > 1 && added == 6.0 + 20.0 * lines as f32, "{lines} lines: {added}");
    }
}
