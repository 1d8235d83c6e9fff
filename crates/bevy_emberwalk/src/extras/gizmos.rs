//! Draws routes and held cells of agents, for debugging.

use bevy_app::{App, Plugin, PostUpdate};
use bevy_color::{Alpha, Color, Hsla};
use bevy_ecs::prelude::*;
use bevy_gizmos::config::{GizmoConfigGroup, GizmoConfigStore};
use bevy_gizmos::gizmos::Gizmos;
use bevy_gizmos::{AppGizmoBuilder, GizmoPlugin};
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use emberwalk_path::grid::Cell;
use emberwalk_path::{Components, EntryCost, Field, Stamp};

use crate::component::Placement;
use crate::{GridPosition, NavGrid, Solid};

/// Draws what [`NavGizmos`] asks for. Without the engine's own plugin for gizmos, such as on a server, it does nothing.
pub struct EmberwalkGizmosPlugin;

impl Plugin for EmberwalkGizmosPlugin {
    fn build(&self, _: &mut App) {}

    /// When all plugins are there, whatever their order.
    fn finish(&self, app: &mut App) {
        if app.is_plugin_added::<GizmoPlugin>() {
            app.init_gizmo_group::<NavGizmos>();
            app.add_systems(PostUpdate, (draw_cells, draw_agents));
        }
    }
}

/// The settings of the drawn parts, in the engine's store of gizmo settings. Each part has a color, or is not drawn.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_emberwalk::NavGizmos;
/// use bevy_gizmos::config::GizmoConfigStore;
/// fn show_components(mut store: ResMut<GizmoConfigStore>) {
///     store.config_mut::<NavGizmos>().1.components = true;
/// }
/// # let _ = show_components;
/// ```
#[derive(Reflect, GizmoConfigGroup, Clone, Debug)]
#[reflect(Default, Clone, Debug)]
pub struct NavGizmos {
    /// The routes of agents that pass through each other.
    pub routes: Option<Color>,
    /// The cells that solid agents are in, or enter.
    pub held: Option<Color>,
    /// The blocked cells, and cells that cost more than a tile: the more, the brighter.
    pub costs: Option<Color>,
    /// The connected components: cells of one color can reach each other.
    pub components: bool,
    /// The goal of a field, and its color: each cell has an arrow to the next cell of its route.
    pub field: Option<(Cell, Color)>,
}

impl Default for NavGizmos {
    fn default() -> Self {
        let [routes, held] = [Color::srgb(1.0, 0.8, 0.2), Color::srgb(0.3, 0.8, 1.0)].map(Some);
        Self { routes, held, costs: None, components: false, field: None }
    }
}

/// The outline of a cell, a little smaller than the cell.
fn outline(gizmos: &mut Gizmos<NavGizmos>, grid: &NavGrid, cell: Cell, color: Color) {
    gizmos.lineloop(corners(grid, cell, 0.9), color);
}

/// Cached data about a grid, until it changes.
#[derive(Default)]
struct Known {
    components: Option<Components>,
    field: Option<(Cell, Stamp, Field)>,
}

fn draw_cells(
    mut gizmos: Gizmos<NavGizmos>,
    store: Res<GizmoConfigStore>,
    grids: Query<(Entity, &NavGrid)>,
    mut known: Local<bevy_ecs::entity::EntityHashMap<Known>>,
) {
    let (_, shown) = store.config::<NavGizmos>();
    known.retain(|&grid, _| grids.contains(grid));
    for (entity, grid) in &grids {
        let (costs, size) = (grid.costs(), grid.size());
        let known = known.entry(entity).or_default();
        if let Some(color) = shown.costs {
            for cell in size.cells() {
                match costs.get(cell) {
                    None => {
                        let corners: Vec<_> = corners(grid, cell, 0.6).collect();
                        let (one, other) = corners.split_at(corners.len() / 2);
                        one.iter().zip(other).for_each(|(&one, &other)| gizmos.line(one, other, color));
                    }
                    Some(cost) if cost > EntryCost::TILE => {
                        let strength = (cost.tiles().log2() / 4.0).min(1.0) as f32;
                        outline(&mut gizmos, grid, cell, color.with_alpha(strength));
                    }
                    Some(_) => {}
                }
            }
        }
        if shown.components {
            let components = known.components.get_or_insert_with(|| Components::new(grid.crowd().rules()));
            components.update(costs);
            for cell in size.cells() {
                if let Some(component) = components.component(costs, cell) {
                    // Colors far apart for numbers near each other.
                    let hue = (component as f32 * 137.5) % 360.0;
                    outline(&mut gizmos, grid, cell, Hsla::new(hue, 0.8, 0.6, 0.7).into());
                }
            }
        }
        if let Some((goal, color)) = shown.field {
            if !matches!(known.field, Some((cell, stamp, _)) if (cell, stamp) == (goal, costs.stamp())) {
                known.field = grid.field(goal).map(|field| (goal, costs.stamp(), field));
            }
            let Some((.., field)) = &known.field else { continue };
            for cell in size.cells() {
                if let Some(next) = field.next(cell) {
                    let [from, to] = [cell, next].map(|cell| grid.to_3d(cell));
                    gizmos.arrow(from.lerp(to, 0.1), from.lerp(to, 0.7), color);
                }
            }
        }
    }
}

/// The points at a share of the way from the middle of a cell to its corners, in turn.
fn corners(grid: &NavGrid, cell: Cell, share: f32) -> impl Iterator<Item = Vec3> {
    let middle = grid.to_3d(cell);
    grid.layout().corners(cell).map(move |corner| middle.lerp(grid.layout().to_3d(corner, grid.level_of(cell)), share))
}

fn draw_agents(
    mut gizmos: Gizmos<NavGizmos>,
    store: Res<GizmoConfigStore>,
    grids: Query<&NavGrid>,
    passing: Query<(&GridPosition, &Placement), Without<Solid>>,
    solid: Query<(&GridPosition, &Placement), With<Solid>>,
) {
    let (_, shown) = store.config::<NavGizmos>();
    let grid_of = |placement: &Placement| placement.grid.and_then(|grid| grids.get(grid).ok());
    if let Some(color) = shown.routes {
        for (position, placement) in &passing {
            let (Some(grid), Some(id)) = (grid_of(placement), placement.id) else { continue };
            let route = grid.crowd().route(id);
            let at = grid.point_of(position, grid.now());
            gizmos.linestrip(std::iter::once(at).chain(route.into_iter().map(|cell| grid.to_3d(cell))), color);
        }
    }
    if let Some(color) = shown.held {
        for (position, placement) in &solid {
            let Some(grid) = grid_of(placement) else { continue };
            outline(&mut gizmos, grid, position.entered(), color);
            if position.step.is_some_and(|step| step.from == position.cell) {
                outline(&mut gizmos, grid, position.cell, color);
            }
        }
    }
}
