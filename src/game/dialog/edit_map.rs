//! The dialog for the size, the name, the description and the hours of the open map.

use std::error::Error;

use crate::game::world::open_map::OpenMap;
use emberwalk_map::diagnostics::{as_sentence, counted};
use emberwalk_map::editing::Area;
use emberwalk_map::terrain::{Layer, TerrainId};
use emberwalk_map::{DayLengthError, DayTime, Edges, HourError, MAX_SIDE, MapText};
use emberwalk_path::grid::{Cell, Size};

use super::form::{Field, Form};

/// The indices of the fields.
const NAME: usize = 0;
const ABOUT: usize = 1;
const NORTH: usize = 2;
const GROUND: usize = 6;
const HOUR: usize = 7;
const DAY: usize = 8;

/// The maximum length of an hour and of a number of seconds, in characters.
const MAX_HOUR: usize = 5;

/// The changes that the player wants.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MapEdit {
    pub name: String,
    pub about: Option<String>,
    pub edges: Edges,
    pub ground: TerrainId,
    pub day_time: DayTime,
}

/// The fields.
pub(super) fn form(open: &OpenMap) -> Form {
    let edges = -i64::from(MAX_SIDE)..=i64::from(MAX_SIDE);
    let grounds = open.tileset().layer(Layer::Base).map(|(_, terrain)| terrain.name.clone()).collect();
    let edge = |label| Field::number(label, 0, edges.clone());
    Form::new(vec![
        Field::text("Name", open.name(), MapText::Name.max_chars()),
        Field::text("About", open.about().unwrap_or_default(), MapText::About.max_chars()),
        edge("Rows north"),
        edge("Columns east"),
        edge("Rows south"),
        edge("Columns west"),
        Field::choice("New ground", grounds, 0),
        Field::text("Begins at", open.day_time().start.to_string(), MAX_HOUR),
        Field::text(
            "Seconds per day",
            open.day_time().day.map_or(String::new(), |day| day.seconds().to_string()),
            MAX_HOUR,
        ),
    ])
}

/// The cells that the map would have, relative to its current first cell; `None` if the fields describe no valid map.
pub(super) fn area(form: &Form, open: &OpenMap) -> Option<Area> {
    let edges = edges(form).ok()?;
    let size = edges.resized(open.size())?;
    Some(Area::new(edges.reversed().moved(Cell::default()), size))
}

fn edges(form: &Form) -> Result<Edges, String> {
    let count = |edge: usize| {
        let count = form.fields[NORTH + edge].as_number()?;
        Ok::<i32, String>(count.try_into().unwrap_or_default())
    };
    Ok(Edges { north: count(0)?, east: count(1)?, south: count(2)?, west: count(3)? })
}

/// Shows the field for the ground only if cells are added.
pub(super) fn refresh(form: &mut Form) {
    let adds = (NORTH..GROUND).any(|field| form.fields[field].as_number().is_ok_and(|count| count > 0));
    form.fields[GROUND].is_shown = adds;
}

/// The hour at which the map begins, and the length of its days. Without a length, the hour stands still.
fn day_time(form: &Form, open: &OpenMap) -> Result<DayTime, String> {
    let [hour, day] = [HOUR, DAY].map(|field| &form.fields[field]);
    let error = |field: &Field, error: &dyn Error| format!("{}: {error}.", field.label);
    let before = open.day_time();
    let start = match hour.as_text().trim() {
        // Its seconds are not shown.
        text if text == before.start.to_string() => before.start,
        text => text.parse().map_err(|why: HourError| error(hour, &why))?,
    };
    let day = match day.as_text().trim() {
        "" => None,
        text => Some(text.parse().map_err(|why: DayLengthError| error(day, &why))?),
    };
    Ok(DayTime { start, day })
}

/// The changes that the player wants, or why they are not possible.
pub(super) fn read(form: &Form, open: &OpenMap) -> Result<MapEdit, String> {
    let fields = &form.fields;
    let edges = edges(form)?;
    let name = fields[NAME].as_text().to_owned();
    if name.trim().is_empty() {
        return Err("A map needs a name.".into());
    }
    let about = fields[ABOUT].as_text();
    let checked = MapText::Name.check(&name).and_then(|()| MapText::About.check(about));
    checked.map_err(as_sentence)?;
    // A description that was empty stays as it is written.
    let about = Some(about.to_owned()).filter(|about| !about.trim().is_empty() || open.about() == Some(about));
    let ground = open.tileset().layer(Layer::Base).nth(fields[GROUND].as_choice());
    let ground = ground.ok_or("The tileset has no ground.")?.0;
    let Some(size) = edges.resized(open.size()) else {
        let Size { width, height } = open.size();
        let side = |side: u32, added: [i32; 2]| i64::from(side) + i64::from(added[0]) + i64::from(added[1]);
        let width = side(width, [edges.west, edges.east]);
        let height = side(height, [edges.north, edges.south]);
        return Err(format!("A map has 1 to {MAX_SIDE} columns and rows, not {width} x {height}."));
    };
    for at in [open.tent(), open.castle()].into_iter().flatten() {
        if !size.contains(edges.moved(at)) {
            let name = open.overlay_at(at).map_or("tent", |terrain| &terrain.name);
            return Err(format!("The {name} at {at} would be cut off. Move it first."));
        }
    }
    Ok(MapEdit { name, about, edges, ground, day_time: day_time(form, open)? })
}

/// Describes the changes.
pub(super) fn describe(edit: &MapEdit, open: &OpenMap) -> String {
    let before = open.size();
    let after = edit.edges.resized(open.size()).unwrap_or(open.size());
    if edit.edges == Edges::default() {
        return format!("The map has {before} cells. Negative numbers remove cells.{}", hours(edit.day_time, open));
    }
    let is_cut = |(cell, _): &(Cell, _)| !after.contains(edit.edges.moved(*cell));
    let mut cells = 0;
    let mut things = 0;
    for (_, overlay) in open.overlay().iter().filter(is_cut) {
        cells += 1;
        things += usize::from(overlay.is_some());
    }
    let lost = match (cells, things) {
        (0, _) => String::new(),
        (cells, 0) => format!(" It loses {}.", counted(cells, "cell")),
        (cells, things) => format!(" It loses {}; {things} of them are not empty.", counted(cells, "cell")),
    };
    format!("{before} cells become {after}.{lost}")
}

/// The opening hours on the map, which belong to the terrain; empty without any.
fn hours(day_time: DayTime, open: &OpenMap) -> String {
    let mut hours = Vec::new();
    for cell in open.timed_cells() {
        for terrain in [open.overlay_at(cell), open.base_at(cell)].into_iter().flatten() {
            let Some(open) = terrain.open else { continue };
            let text = format!("{}, {open}", terrain.name);
            if !hours.contains(&text) {
                hours.push(text);
            }
        }
    }
    match (hours.join("; "), day_time.day) {
        (hours, _) if hours.is_empty() => String::new(),
        (hours, Some(_)) => format!(" Opening hours (from the tileset): {hours}."),
        (hours, None) => format!(" Opening hours count only if the day passes: {hours}."),
    }
}
