//! What the import of a Tiled map leaves out, in words.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::object::TiledObject;
use emberwalk_map::diagnostics::{counted, escape_invisible, listed};

/// The maximum number of names that are listed for each reason.
const MAX_NAMES: usize = 3;

/// What is left out. Displayed as a sentence without a full stop.
#[derive(Default)]
pub(super) struct LeftOut {
    objects: BTreeMap<Reason, Objects>,
    pub image_layers: usize,
}

/// Why an object is left out, in the order of the note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// Neither its names nor its tile are those of a terrain.
    NoTerrain,
    /// Only its property `terrain` could name one, but it has another type than string.
    Mistyped,
    /// It is a copy of a template whose file cannot be read.
    OfTemplate,
    /// It is a line, a polygon or a text.
    Drawn,
    /// It is an area of several cells.
    Large,
    /// Another one comes later on the same cell.
    Covered,
    /// It stands outside the map.
    Outside,
}

impl Reason {
    fn text(self) -> &'static str {
        match self {
            Self::NoTerrain => "without the name of a terrain",
            Self::Mistyped => "whose property `terrain` is not a string",
            Self::OfTemplate => "of templates that cannot be read",
            Self::Drawn => "drawn as lines, polygons or texts",
            Self::Large => "larger than a cell",
            Self::Covered => "under another object on the same cell",
            Self::Outside => "outside the map",
        }
    }
}

/// The objects that are left out for one reason.
#[derive(Default)]
struct Objects {
    count: usize,
    names: BTreeSet<String>,
}

impl LeftOut {
    /// Adds an object.
    pub fn add(&mut self, object: &TiledObject, reason: Reason) {
        let objects = self.objects.entry(reason).or_default();
        objects.count += 1;
        objects.names.extend(object.label().map(str::to_owned));
    }

    pub fn is_empty(&self) -> bool {
        self.image_layers == 0 && self.objects.is_empty()
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let objects = self.objects.iter().map(|(reason, Objects { count, names })| {
            let names = names.iter().map(|name| escape_invisible(&format!("{name:?}")).into_owned());
            let names = listed(names.collect::<Vec<_>>().iter(), MAX_NAMES);
            let names = if names.is_empty() { names } else { format!(" ({names})") };
            format!("{} {}{names}", counted(*count, "object"), reason.text())
        });
        let layers = (self.image_layers > 0).then(|| counted(self.image_layers, "image layer"));
        write!(f, "left out: {}", objects.chain(layers).collect::<Vec<_>>().join("; "))
    }
}
