//! The maps that can be opened: each with its picture, its name and its claim.

use bevy::prelude::*;

use crate::game::action::{Action, DialogInput};
use crate::game::dialog::form::{Entry, List};
use crate::game::dialog::pictures::THUMBNAIL;
use crate::game::ui::element::{Control, Element, Style, bold, boxed, button, caption, column, row, spans, words};
use crate::game::ui::font::text_width::{fitted, fitted_end, width};
use crate::game::ui::theme::{GOLD, LARGE, MEDIUM, SECOND, SMALL, Size, TEXT, TIGHT};
use crate::game::world::request::MapSource;

use super::bar::printable;
use super::map_pictures::{PIXELS, ShownPictures};

/// The largest width of the card, in logical pixels: four maps beside each other.
pub(super) const WIDTH: f32 = 984.0;

/// The space around a map, within its border.
const PADDING: f32 = SMALL;

/// The lines of the claim, and the longest claim that they contain, in characters.
const CLAIM_LINES: f32 = 3.0;
const MAX_CLAIM: usize = 100;

/// The maximum length of a map's name, in characters.
const MAX_NAME: usize = 48;

/// The maps in a dialog that is this wide inside. A press opens one.
pub(super) fn gallery(list: &List, maps: &[MapSource], pictures: &ShownPictures, width: f32) -> Element {
    let picture = THUMBNAIL.as_vec2() / PIXELS;
    let least = picture.x + 2.0 * (PADDING + 1.0);
    let columns = ((width + SMALL) / (least + SMALL)).floor().max(1.0);
    let tile_width = ((width + SMALL) / columns).floor() - SMALL;
    let mut folders = list.entries.iter().zip(maps).filter(|(_, map)| !matches!(map, MapSource::Bundled(_)));
    let first = folders.next().map(|(entry, _)| &entry.detail);
    let has_folders = folders.any(|(entry, _)| Some(&entry.detail) != first);
    let tiles = list.entries.iter().zip(maps).enumerate().map(|(index, (entry, map))| {
        let has_folder = has_folders && !matches!(map, MapSource::Bundled(_));
        let picture = pictures.thumbnail(map, picture.min(Vec2::splat(tile_width)));
        let room = tile_width - 2.0 * (PADDING + 1.0);
        tile(index, entry, index == list.chosen, has_folder, picture, room).width(tile_width)
    });
    let grid = row(tiles.collect()).gap(SMALL).wrapping().rigid().controlled(Control::Grid).named("Maps");
    grid.with(|node| node.align_items = AlignItems::Stretch)
}

/// The width for the maps in a card of this width.
pub(super) fn inner_width(card: f32) -> f32 {
    // A border at each side, room for the scroll bar, and for the ring of the focus.
    card - 2.0 * (LARGE + 1.0) - MEDIUM - TIGHT
}

/// `room` is the width within its border.
fn tile(index: usize, entry: &Entry, is_chosen: bool, has_folder: bool, picture: Element, room: f32) -> Element {
    let title = entry.title.as_ref();
    let name = title.map_or(&entry.text, |title| &title.name);
    let claim = title.map_or("", |title| first_sentence(&title.about));
    let colour = if is_chosen { GOLD } else { TEXT };
    // A name of several words may need two lines. A file name would break anywhere.
    let name_line = match title {
        Some(_) => printable(name, MAX_NAME),
        None => fitted(&printable(name, usize::MAX), Size::Text, true, room),
    };
    let name_text = spans(vec![bold(name_line, Size::Text, colour)]);
    let claim = spans(vec![words(printable(claim, MAX_CLAIM), Size::Caption, SECOND)]);
    let (_, line) = Size::Caption.px();
    let claim_room = boxed(Node { min_height: px(CLAIM_LINES * line), ..default() });
    let claim = Element { children: vec![claim], ..claim_room };
    let content = column(vec![picture, name_text, claim, last_line(entry, has_folder, room)]).gap(TIGHT).grow();
    let style = if is_chosen { Style::Outlined } else { Style::Quiet };
    let spoken = if *name == entry.text { name.clone() } else { format!("{name}, {}", entry.text) };
    let tile = button(Action::Dialog(DialogInput::Pick(index)), style, vec![content]).named(spoken);
    tile.pad(PADDING, PADDING).with(|node| {
        node.border = UiRect::all(px(1));
        node.align_items = AlignItems::Stretch;
    })
}

/// The file, or its folder if its name is above, and how long ago it was written.
fn last_line(entry: &Entry, has_folder: bool, room: f32) -> Element {
    let Entry { text, detail, age, title } = entry;
    let place = match (title, has_folder) {
        (Some(_), true) => format!("{detail}/{text}"),
        (Some(_), false) => text.clone(),
        (None, true) => detail.clone(),
        (None, false) => String::new(),
    };
    let left = room - if age.is_empty() { 0.0 } else { width(age, Size::Caption, false) + SMALL };
    let place = fitted_end(&printable(&place, usize::MAX), Size::Caption, false, left);
    let mut parts = vec![caption(place).grow()];
    parts.extend((!age.is_empty()).then(|| caption(age).rigid()));
    row(parts)
}

/// The first sentence of a description, or all of it if it has no end.
fn first_sentence(about: &str) -> &str {
    let end = about.match_indices(['.', '!', '?']).map(|(at, end)| at + end.len());
    let mut end = end.filter(|end| about[*end..].chars().next().is_none_or(char::is_whitespace));
    end.next().map_or(about, |end| &about[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_one_sentence() {
        assert_eq!(first_sentence("A climb costs 1.5. It goes round."), "A climb costs 1.5.");
        assert_eq!(first_sentence("Who knows?"), "Who knows?");
        assert_eq!(first_sentence("no end"), "no end");
    }
}
