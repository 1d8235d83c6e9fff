//! What the import of a Tiled map leaves out, in words.

use std::collections::BTreeSet;
use std::fmt;

use super::object::TiledObject;
use emberwalk_map::diagnostics::{counted, escape_invisible, listed};

/// The maximum number of names that are listed for each reason.
const MAX_NAMES: usize = 3;

/// What is left out. Displayed as a sentence without a full stop.
#[derive(Default)]
pub(super) struct LeftOut {
    objects: [Objects; Reason::ALL.len()],
    pub image_layers: usize,
}

/// Why an object is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// Neither its names nor its tile are those of a terrain.
    NoTerrain,
    /// It is a line, a polygon, a text, an area of several cells, or a copy of a template.
    Shape,
    /// It stands outside the map.
    Outside,
}

impl Reason {
    const ALL: [Self; 3] = [Self::NoTerrain, Self::Shape, Self::Outside];

    fn text(self) -> &'static str {
        match self {
            Self::NoTerrain => "without the name of a terrain",
            Self::Shape => "with a shape that is not one cell",
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
        let objects = &mut self.objects[reason as usize];
        objects.count += 1;
        objects.names.extend(object.names.last().cloned());
    }

    pub fn is_empty(&self) -> bool {
        self.image_layers == 0 && self.objects.iter().all(|objects| objects.count == 0)
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let objects = Reason::ALL.into_iter().zip(&self.objects).filter(|(_, objects)| objects.count > 0);
        let objects = objects.map(|(reason, Objects { count, names })| {
            let names = names.iter().map(|name| format!("{:?}", escape_invisible(name)));
            let names = listed(names.collect::<Vec<_>>().iter(), MAX_NAMES);
            let names = if names.is_empty() { names } else { format!(" ({names})") };
            format!("{} {}{names}", counted(*count, "object"), reason.text())
        });
        let layers = (self.image_layers > 0).then(|| counted(self.image_layers, "image layer"));
        write!(f, "left out: {}", objects.chain(layers).collect::<Vec<_>>().join("; "))
    }
}
