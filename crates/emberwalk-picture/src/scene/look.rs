//! How much detail is drawn.

/// How much detail is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Look {
    /// The classic look: only the first image of each terrain.
    Plain,
    /// The full look: variants, edges, shading, animation frames and the slab.
    #[default]
    Full,
}
