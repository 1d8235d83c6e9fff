//! The costs of map letters.

use std::collections::BTreeMap;
use std::str::FromStr;

use emberwalk_path::{CostError, EntryCost};

/// The cost of entering a cell, for each letter.
///
/// The default is the one of the unweighted benchmark sets: `.`, `G` and `S` cost 1 tile, and all other letters are
/// blocked. `E`, an endpoint in the maps of the League of Robot Runners, costs 1 tile, too.
///
/// It can be parsed from a list of terrain costs, such as `T=1.5,S=2,W=4`. Then a letter that is not in the list costs
/// 1 tile, and only `@` and `O`, which are out of bounds, are blocked.
///
/// ```
/// use emberwalk_formats::moving_ai::TerrainCosts;
/// let weighted: TerrainCosts = "T=1.5,W=4".parse()?;
/// let tiles = |costs: &TerrainCosts, letter| costs.cost(letter).map(|cost| cost.tiles());
/// assert_eq!((tiles(&weighted, b'W'), tiles(&weighted, b'S'), tiles(&weighted, b'@')), (Some(4.0), Some(1.0), None));
/// let plain = TerrainCosts::default();
/// assert_eq!((tiles(&plain, b'W'), tiles(&plain, b'S')), (None, Some(1.0)));
/// # Ok::<(), emberwalk_formats::moving_ai::TerrainCostsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TerrainCosts {
    /// The costs in the list; `None` if there is no list.
    listed: Option<BTreeMap<u8, EntryCost>>,
    /// Without a list, the only letter that is passable; `None` for the letters of [`PASSABLE`].
    only: Option<u8>,
}

/// The letters that are passable by default.
const PASSABLE: &[u8] = b".GSE";

/// The letters that can only be entered from the same letter.
const STAYING: &[u8] = b"WT";

/// The letters that are always blocked.
const OUT_OF_BOUNDS: &[u8] = b"@O";

/// Whether the benchmark sets have this letter.
pub(super) fn is_known(letter: u8) -> bool {
    [PASSABLE, STAYING, OUT_OF_BOUNDS].iter().any(|letters| letters.contains(&letter))
}

impl TerrainCosts {
    /// The costs for problems of the unweighted sets that start on this letter. In these sets one can swim, and pass
    /// through trees, but only from water to water and from trees to trees.
    ///
    /// ```
    /// use emberwalk_formats::moving_ai::TerrainCosts;
    /// let swimming = TerrainCosts::from_start(b'W');
    /// assert!(swimming.cost(b'W').is_some() && swimming.cost(b'.').is_none());
    /// assert_eq!(TerrainCosts::from_start(b'S'), TerrainCosts::default());
    /// ```
    pub fn from_start(letter: u8) -> Self {
        Self { listed: None, only: STAYING.contains(&letter).then_some(letter) }
    }

    /// The cost of entering a cell with that letter; `None` if it is blocked.
    pub fn cost(&self, letter: u8) -> Option<EntryCost> {
        match &self.listed {
            None => {
                let is_passable = self.only.map_or(PASSABLE.contains(&letter), |only| letter == only);
                is_passable.then_some(EntryCost::TILE)
            }
            Some(_) if OUT_OF_BOUNDS.contains(&letter) => None,
            Some(listed) => Some(listed.get(&letter).copied().unwrap_or(EntryCost::TILE)),
        }
    }

    /// The letters in the parsed list, in alphabetical order; none for the default.
    pub fn listed_letters(&self) -> impl Iterator<Item = u8> {
        self.listed.iter().flat_map(|listed| listed.keys().copied())
    }
}

/// Why a text is not a list of terrain costs.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TerrainCostsError {
    /// An item of the list is not a letter, `=` and a number.
    #[error("a terrain cost is written LETTER=TILES, such as T=1.5, not '{0}'")]
    Form(String),
    /// An item is only a number, like the text after the comma in `T=1,5`.
    #[error("a fraction is written with a point, such as T=1.5, not with a comma as before '{0}'")]
    Comma(String),
    /// The letter is always blocked.
    #[error("'{0}' is out of bounds and has no cost")]
    OutOfBounds(char),
    /// The letter has two costs.
    #[error("two costs for '{0}'")]
    Twice(char),
    /// The cost is not within the range of costs.
    #[error(transparent)]
    Cost(#[from] CostError),
}

impl FromStr for TerrainCosts {
    type Err = TerrainCostsError;

    fn from_str(text: &str) -> Result<Self, TerrainCostsError> {
        let mut listed = BTreeMap::new();
        for (k, item) in text.split(',').map(str::trim).enumerate() {
            let form = || TerrainCostsError::Form(item.to_owned());
            if k > 0 && !item.is_empty() && item.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(TerrainCostsError::Comma(item.to_owned()));
            }
            let (letter, tiles) = item.split_once('=').ok_or_else(form)?;
            let &[letter] = letter.trim().as_bytes() else { return Err(form()) };
            let char = char::from(letter);
            let tiles: f64 = tiles.trim().parse().map_err(|_| form())?;
            if !letter.is_ascii_graphic() {
                return Err(form());
            }
            if OUT_OF_BOUNDS.contains(&letter) {
                return Err(TerrainCostsError::OutOfBounds(char));
            }
            if listed.insert(letter, EntryCost::from_tiles(tiles)?).is_some() {
                return Err(TerrainCostsError::Twice(char));
            }
        }
        Ok(Self { listed: Some(listed), only: None })
    }
}
