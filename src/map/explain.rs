//! Where the cost of a cell comes from.

use std::fmt;

use super::Map;
use crate::grid::Cell;
use crate::path::EntryCost;
use crate::terrain::{Cost, Effect, TerrainId};

/// How the cost of entering one cell comes about.
///
/// Its `Display` reads like `snow 3 x volcano 1/4.34 = 0.69`.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// What takes part, in the order in which it counts: what lies on the cell, then the influences.
    pub parts: Vec<Part>,
    /// How many of the parts lie on the cell itself; the rest are influences.
    pub laid: usize,
    /// What it comes to; `None`: nobody can enter.
    pub cost: Option<EntryCost>,
}

/// One terrain's part in the cost of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The terrain.
    pub terrain: TerrainId,
    /// What people call it.
    pub name: String,
    /// What it does to the cost.
    pub share: Share,
}

/// What a part does to the cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Share {
    /// Nobody enters.
    Closed,
    /// Costs so many tiles.
    Tiles(f64),
    /// Multiplies what came before.
    Times(f64),
    /// Divides what came before.
    Divided(f64),
}

impl Share {
    /// What this share makes of `tiles`, what the parts before it come to.
    pub fn of(self, tiles: f64) -> f64 {
        match self {
            Self::Closed => tiles,
            Self::Tiles(own) => own,
            Self::Times(factor) => tiles * factor,
            Self::Divided(by) => tiles / by,
        }
    }
}

impl Map {
    /// How the cost of entering `cell` comes about; `None` off the map.
    ///
    /// ```
    /// use emberwalk::map::Map;
    /// use emberwalk::terrain::Tileset;
    /// let text = r#"(name: "Warm", base: ["SSSS"], overlay: ["R..V"])"#;
    /// let map = Map::parse("warm.ron", text, &Tileset::load(None)?.into())?;
    /// let told = map.explain((0, 0).into()).unwrap().to_string();
    /// assert_eq!(told, "snow 3 x road 1/2 x volcano 1/4 = 0.38");
    /// # Ok::<(), emberwalk::diagnostics::Diagnostics>(())
    /// ```
    pub fn explain(&self, cell: Cell) -> Option<Explanation> {
        let (tileset, layers) = (self.tileset(), &self.layers);
        let part = |terrain, share| Part { terrain, name: tileset[terrain].name.clone(), share };
        let lies = |terrain| {
            let share = match tileset[terrain].cost {
                Cost::Impassable => Share::Closed,
                Cost::Enter(tiles) => Share::Tiles(tiles),
                Cost::Times(factor) => Share::Times(factor),
            };
            part(terrain, share)
        };
        let ground = lies(*layers.base.get(cell)?);
        let overlay = layers.overlay[cell].map(lies);
        let mut parts = match overlay {
            // What closes the cell, or has a cost of its own, leaves nothing of the ground to count.
            Some(overlay) if matches!(overlay.share, Share::Closed | Share::Tiles(_)) => vec![overlay],
            Some(overlay) if overlay.share != Share::Times(1.0) && ground.share != Share::Closed => {
                vec![ground, overlay]
            }
            _ => vec![ground],
        };
        let laid = parts.len();
        let cost = self.cost(cell);
        if cost.is_some() {
            parts.extend(layers.felt(cell).map(|felt| {
                let share = match felt.effect {
                    Effect::Divide => Share::Divided(felt.factor),
                    Effect::Multiply => Share::Times(felt.factor),
                };
                part(felt.from, share)
            }));
        }
        Some(Explanation { parts, laid, cost })
    }
}

impl Explanation {
    /// What the parts come to, in tiles, before it is held in the range that costs have.
    fn product(&self) -> f64 {
        self.parts.iter().fold(1.0, |tiles, part| part.share.of(tiles))
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, part) in self.parts.iter().enumerate() {
            write!(f, "{}{part}", if k > 0 { " x " } else { "" })?;
        }
        let Some(cost) = self.cost.filter(|_| self.parts.len() > 1) else { return Ok(()) };
        write!(f, " = {}", short(cost.tiles()))?;
        match self.product() {
            product if product < EntryCost::MIN.tiles() => f.write_str(", the least there is"),
            product if product > EntryCost::MAX.tiles() => f.write_str(", the most there is"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match self.share {
            Share::Closed => f.write_str(", closed"),
            Share::Tiles(tiles) => write!(f, " {}", short(tiles)),
            Share::Times(factor) if factor < 1.0 => write!(f, " 1/{}", short(1.0 / factor)),
            Share::Times(factor) => write!(f, " {}", short(factor)),
            Share::Divided(by) => write!(f, " 1/{}", short(by)),
        }
    }
}

/// A number of tiles as people read it: two decimals, or two digits that count, and no zeros at the end.
///
/// ```
/// use emberwalk::map::short;
/// assert_eq!([3.0, 0.5, 0.7143, 0.00390625].map(short), ["3", "0.5", "0.71", "0.0039"]);
/// ```
pub fn short(number: f64) -> String {
    let decimals = if number == 0.0 { 0 } else { (1.0 - number.abs().log10().floor()).clamp(2.0, 12.0) as usize };
    let text = format!("{number:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
