//! The dialog for a new map: its name, its size, and its content.

use emberwalk_generate::{MapKind, NewContent, NewMap};
use emberwalk_map::terrain::Layer;
use emberwalk_map::{MAX_SIDE, Map, MapText};
use emberwalk_path::grid::Size;

use crate::game::platform::random_seed;
use emberwalk_map::diagnostics::as_sentence;

use super::form::{Field, Form};

/// The indices of the fields.
const NAME: usize = 0;
const WIDTH: usize = 1;
const HEIGHT: usize = 2;
const CONTENT: usize = 3;
const GROUND: usize = 4;
const SEED: usize = 5;

/// The size of a new map, unless the player wants another.
const SIZE: Size = Size::new(32, 24);

/// The fields. The grounds come from the open map's tileset.
pub(super) fn form(open: &Map) -> Form {
    let sides = 1..=i64::from(MAX_SIDE);
    let kinds = MapKind::NAMES.iter().map(|(name, _)| (*name).to_owned());
    let grounds = open.tileset().layer(Layer::Base).map(|(_, terrain)| terrain.name.clone()).collect();
    let mut form = Form::new(vec![
        Field::text("Name", "", MapText::Name.max_chars()),
        Field::number("Columns", SIZE.width.into(), sides.clone()),
        Field::number("Rows", SIZE.height.into(), sides),
        Field::choice("Content", ["empty".to_owned()].into_iter().chain(kinds).collect(), 0),
        Field::choice("Ground", grounds, 0),
        Field::number("Seed", short_seed(), 0..=999_999_999),
    ]);
    refresh(&mut form);
    form
}

/// Shows the relevant fields.
pub(super) fn refresh(form: &mut Form) {
    let is_generated = form.fields[CONTENT].as_choice() > 0;
    form.fields[GROUND].is_shown = !is_generated;
    form.fields[SEED].is_shown = is_generated;
}

/// The map that the player wants, or why it is not possible.
pub(super) fn read(form: &Form, open: &Map) -> Result<NewMap, String> {
    let fields = &form.fields;
    let side = |field: usize| Ok::<u32, String>(u32::try_from(fields[field].as_number()?).unwrap_or_default());
    let size = Size::new(side(WIDTH)?, side(HEIGHT)?);
    let content = match fields[CONTENT].as_choice().checked_sub(1).and_then(|kind| MapKind::NAMES.get(kind)) {
        Some(&(_, kind)) if size.area() > 1 => {
            NewContent::Generated(kind, u64::try_from(fields[SEED].as_number()?).unwrap_or_default())
        }
        Some(_) => return Err("A generated map has a tent and a castle, so it needs two cells.".into()),
        None => {
            let ground = open.tileset().layer(Layer::Base).nth(fields[GROUND].as_choice());
            NewContent::Empty(ground.ok_or("The tileset has no ground.")?.1.char)
        }
    };
    let name = fields[NAME].as_text().trim().to_owned();
    MapText::Name.check(&name).map_err(as_sentence)?;
    Ok(NewMap { name, size, content })
}

/// Describes the new map.
pub(super) fn describe(new: &NewMap) -> String {
    match new.content {
        NewContent::Empty(_) => format!("Makes an empty map of {} cells. Save (Ctrl+S) keeps it.", new.size),
        NewContent::Generated(kind, seed) => {
            format!("Generates a map of {} cells: {kind}, seed {seed}. Save (Ctrl+S) keeps it.", new.size)
        }
    }
}

/// Takes another seed.
pub(super) fn roll(form: &mut Form) {
    form.fields[SEED].set_text(&short_seed().to_string());
}

/// A random seed of at most nine digits, which is easy to type.
fn short_seed() -> i64 {
    i64::from(random_seed() % 1_000_000_000)
}
