//! How much detail is drawn.

/// How much detail is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Look {
    /// With only the first image of each terrain.
    Plain,
    /// With variants, edges, shading, animation frames and the slab.
    #[default]
    Full,
}
