//! The objects of a Tiled map, and which cells they stand on.

use std::rc::Rc;

use super::orientation::Arrangement;
use super::properties::TerrainProperty;
use super::xml::{Element, XmlError};
use emberwalk_path::grid::Cell;

/// The bits of a global tile id that flip or rotate the tile.
pub(super) const FLIP_BITS: u32 = 0xf000_0000;

/// An object of an object layer.
#[derive(Clone, Debug, Default)]
pub(super) struct TiledObject {
    /// Its property `terrain`. Copies of a template share it, as there can be very many.
    pub terrain: Rc<TerrainProperty>,
    /// Its class, also as older files write it, and its name or else the file of its template. They can be empty.
    pub names: [Rc<str>; 3],
    /// The global id of its tile, if it is drawn as one.
    pub tile: Option<u32>,
    pub shape: Shape,
    /// Its place, in the pixels of Tiled's objects.
    place: (f64, f64),
    /// Its width and height, in the same pixels, or in pixels of the screen if it has a tile.
    size: (f64, f64),
    /// The angle by which it is turned clockwise on the screen, about its place, in degrees.
    rotation: f64,
    /// How far its layer is moved to the right and down, in pixels of the screen.
    offset: (f64, f64),
}

/// The shape of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Shape {
    /// A point, a tile, or a rectangle or an ellipse.
    #[default]
    Solid,
    /// A line, a polygon or a text.
    Drawn,
    /// It is not known, because the template cannot be read.
    OfTemplate,
}

/// Which point of an object with a tile is its place, as shares of its width and height from its upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Alignment(Option<(f64, f64)>);

impl Alignment {
    /// The alignment that a tileset names. If it names none, it depends on the map.
    pub fn of_name(name: &str) -> Self {
        // 0 at the left or the top, 1 at the right or the bottom, and one half between them.
        let share = |is_first: bool, is_last: bool| (1.0 + f64::from(is_last) - f64::from(is_first)) / 2.0;
        let across = share(name.ends_with("left"), name.ends_with("right"));
        let down = share(name.starts_with("top"), name.starts_with("bottom"));
        let is_named = !matches!(name, "" | "unspecified");
        Self(is_named.then_some((across, down)))
    }

    fn on(self, arrangement: Arrangement) -> (f64, f64) {
        let across = if arrangement == Arrangement::Isometric { 0.5 } else { 0.0 };
        self.0.unwrap_or((across, 1.0))
    }
}

impl TiledObject {
    /// Reads an `object` element of a layer that is moved by `offset` pixels. Missing attributes are taken from `template`.
    ///
    /// # Errors
    /// An attribute that does not follow the format.
    pub fn read(object: &Element<'_>, offset: (f64, f64), template: Self) -> Result<Self, XmlError> {
        let pixels = |name, inherited| if object.get(name).is_empty() { Ok(inherited) } else { object.pixels(name) };
        let mut names = template.names;
        let written = ["class", "type", "name"].map(|name| object.get(name));
        // Both are the class, in files of different versions of Tiled.
        if written[..2].iter().any(|class| !class.trim().is_empty()) {
            names[..2].fill(Rc::default());
        }
        for (name, written) in names.iter_mut().zip(written) {
            if !written.trim().is_empty() {
                *name = written.into();
            }
        }
        let tile = object.number("gid", 0, u32::MAX)? & !FLIP_BITS;
        let tile = if object.get("gid").is_empty() { template.tile } else { (tile != 0).then_some(tile) };
        let is_drawn = |child: &Element<'_>| ["polygon", "polyline", "text"].contains(&child.name.as_str());
        let shape = if object.children.iter().any(is_drawn) { Shape::Drawn } else { template.shape };
        let own = TerrainProperty::of(object);
        let terrain = if own == TerrainProperty::Missing { template.terrain } else { own.into() };
        let place = (object.pixels("x")?, object.pixels("y")?);
        let size = (pixels("width", template.size.0)?, pixels("height", template.size.1)?);
        let rotation =
            if object.get("rotation").is_empty() { template.rotation } else { object.degrees("rotation")? };
        Ok(Self { terrain, names, tile, shape, place, size, rotation, offset })
    }

    /// The object of a template whose file, which the map calls `source`, cannot be read.
    pub fn of_lost_template(source: &str) -> Self {
        let names = [Rc::default(), Rc::default(), source.into()];
        Self { shape: Shape::OfTemplate, names, ..Self::default() }
    }

    /// What its author calls it: its name, or else its class or its property `terrain`.
    pub fn label(&self) -> Option<&str> {
        let name = self.names.iter().rev().find(|name| !name.trim().is_empty());
        name.map(|name| &**name).or(self.terrain.text().map(String::as_str))
    }

    /// Whether the object is not larger than a cell, so that it stands on one. What a tile shows stands on one, however
    /// large its image is.
    pub fn is_on_one_cell(&self, arrangement: Arrangement, tile: (f64, f64)) -> bool {
        let (width, height) = arrangement.pixels_of_cell(tile);
        self.tile.is_some() || self.size.0 <= width && self.size.1 <= height
    }

    /// Tiled's column and row of the object in a map with cells of this size: where its centre is, or its foot if it is
    /// higher than a cell. `alignment` is the one of the tileset of its tile.
    pub fn position(&self, arrangement: Arrangement, tile: (f64, f64), alignment: Alignment) -> Cell {
        let ((x, y), (width, height)) = (self.place, self.size);
        // What is drawn as a tile has its size on the screen; any other shape has it in the pixels of objects.
        if self.tile.is_some() {
            let (across, down) = alignment.on(arrangement);
            // Old files leave out the size of a tile. It is mostly the one of a cell.
            let (width, height) = if self.size == (0.0, 0.0) { tile } else { self.size };
            let foot = ((0.5 - across) * width, (1.0 - down) * height - tile.1 / 2.0);
            let foot = turned(foot, self.rotation);
            return arrangement.position((x, y), (self.offset.0 + foot.0, self.offset.1 + foot.1), tile);
        }
        let (_, cell_height) = arrangement.pixels_of_cell(tile);
        let is_high = height > cell_height && arrangement != Arrangement::Isometric;
        let down = if is_high { height - cell_height / 2.0 } else { height / 2.0 };
        let mut middle = (width / 2.0, down);
        if self.rotation != 0.0 {
            let on_screen = arrangement.on_screen(middle, tile);
            middle = arrangement.of_screen(turned(on_screen, self.rotation), tile);
        }
        arrangement.position((x + middle.0, y + middle.1), self.offset, tile)
    }
}

/// A vector that is turned clockwise, where y points down. Quarter turns are exact.
fn turned((x, y): (f64, f64), degrees: f64) -> (f64, f64) {
    let degrees = degrees.rem_euclid(360.0);
    match degrees {
        0.0 => (x, y),
        90.0 => (-y, x),
        180.0 => (-x, -y),
        270.0 => (y, -x),
        _ => {
            let (sin, cos) = degrees.to_radians().sin_cos();
            (x * cos - y * sin, x * sin + y * cos)
        }
    }
}
