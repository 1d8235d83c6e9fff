//! The types of Moving AI maps that can be read.

/// The kinds of maps with octile grids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OctileKind {
    Octile,
    /// The map may have the heights of the cells' corners before the letters.
    OctileCorner,
}

impl OctileKind {
    /// The kinds by their names in the line `type`.
    pub const NAMES: [(&str, Self); 3] =
        [("octile", Self::Octile), ("tile", Self::Octile), ("octile-corner", Self::OctileCorner)];

    pub fn of_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(other, _)| *other == name).map(|&(_, kind)| kind)
    }
}

/// The help for maps of other types.
pub(crate) const KINDS_HELP: &str =
    "a map of another type has other cells or neighbours; the types `octile`, `tile` and `octile-corner` can be read";
