//! What the letters of a map mean: which cells are passable, and what entering them costs.

use std::str::FromStr;

use crate::path::{CostError, EntryCost};

/// What entering a cell costs, by its letter.
///
/// The default is the meaning in the plain sets: `.`, `G` and `S` cost 1 tile and nothing else is passable.
///
/// As a text it is a list of terrain costs, such as `T=1.5,S=2,W=4`: then all but `@` and `O`, which are out of bounds,
/// is passable, and what is not named costs 1 tile.
///
/// ```
/// use emberwalk::moving_ai::TerrainCosts;
/// let weighted: TerrainCosts = "T=1.5,W=4".parse()?;
/// let tiles = |costs: &TerrainCosts, letter| costs.of(letter).map(|cost| cost.tiles());
/// assert_eq!((tiles(&weighted, b'W'), tiles(&weighted, b'S'), tiles(&weighted, b'@')), (Some(4.0), Some(1.0), None));
/// let plain = TerrainCosts::default();
/// assert_eq!((tiles(&plain, b'W'), tiles(&plain, b'S')), (None, Some(1.0)));
/// # Ok::<(), emberwalk::moving_ai::TerrainCostsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerrainCosts(Box<[Option<EntryCost>; 256]>);

/// The letters that are passable in the plain sets.
const GROUND: &[u8] = b".GS";

/// The letters that nothing makes passable.
const OUT_OF_BOUNDS: &[u8] = b"@O";

impl TerrainCosts {
    /// What entering a cell of that letter costs; `None` if it is blocked.
    pub fn of(&self, letter: u8) -> Option<EntryCost> {
        self.0[usize::from(letter)]
    }
}

impl Default for TerrainCosts {
    fn default() -> Self {
        let mut costs = [None; 256];
        GROUND.iter().for_each(|&letter| costs[usize::from(letter)] = Some(EntryCost::TILE));
        Self(costs.into())
    }
}

/// Why a text is no list of terrain costs.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TerrainCostsError {
    /// A part of the list is not a letter, `=` and a number.
    #[error("a terrain cost is written LETTER=TILES, such as T=1.5, not '{0}'")]
    Form(String),
    /// The letter is one of those that are never passable.
    #[error("'{0}' is out of bounds and has no cost")]
    OutOfBounds(char),
    /// A letter has two costs.
    #[error("two costs for '{0}'")]
    Twice(char),
    /// The cost is none that a cell can have.
    #[error(transparent)]
    Cost(#[from] CostError),
}

impl FromStr for TerrainCosts {
    type Err = TerrainCostsError;

    fn from_str(text: &str) -> Result<Self, TerrainCostsError> {
        let mut named = [None; 256];
        for part in text.split(',').map(str::trim) {
            let form = || TerrainCostsError::Form(part.to_owned());
            let (letter, tiles) = part.split_once('=').ok_or_else(form)?;
            let &[letter] = letter.trim().as_bytes() else { return Err(form()) };
            let sign = char::from(letter);
            let tiles: f64 = tiles.trim().parse().map_err(|_| form())?;
            if !letter.is_ascii_graphic() {
                return Err(form());
            }
            if OUT_OF_BOUNDS.contains(&letter) {
                return Err(TerrainCostsError::OutOfBounds(sign));
            }
            if named[usize::from(letter)].replace(EntryCost::from_tiles(tiles)?).is_some() {
                return Err(TerrainCostsError::Twice(sign));
            }
        }
        let mut costs = named.map(|cost| cost.or(Some(EntryCost::TILE)));
        OUT_OF_BOUNDS.iter().for_each(|&letter| costs[usize::from(letter)] = None);
        Ok(Self(costs.into()))
    }
}
