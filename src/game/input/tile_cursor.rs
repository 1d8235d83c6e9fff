//! The cell that the player looks at, by pointer or by keyboard, and the way that going there would take.

use bevy::prelude::*;

use crate::grid::Cell;

use crate::game::AppSystems;
use crate::game::input::action::Action;
use crate::game::journey::planning::{Planning, Reach, Route, Search};
use crate::game::journey::traveller::Traveller;
use crate::game::view::camera::View;
use crate::game::view::images::{Marks, Pictures, PicturesChanged};
use crate::game::view::layers;
use crate::game::world::open_map::{Land, MapOpened};

/// The cell whose ground is under the pointer.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pointed(pub Option<Cell>);

/// The cell that the arrow keys move; there is none before the first arrow key.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TileCursor(pub Option<Cell>);

/// The cell that is explained: the pointer's or the tile cursor's, whichever moved last.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looked(pub Option<Cell>);

/// The way that a click would take.
#[derive(Resource, Default)]
pub struct Preview {
    reach: Reach,
    route: Route,
}

impl Preview {
    /// The route; empty where there is none to show.
    pub fn cells(&self) -> &[Cell] {
        if self.reach == Reach::Nowhere { &[] } else { &self.route.cells }
    }

    /// How far it leads.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// What it costs, in grass tiles.
    pub fn cost(&self) -> f64 {
        self.route.cost.tiles()
    }
}

/// What needs no picture.
pub(in crate::game) fn rules(app: &mut App) {
    app.init_resource::<Pointed>()
        .init_resource::<TileCursor>()
        .init_resource::<Looked>()
        .init_resource::<Preview>()
        .add_observer(forget)
        .add_systems(
            Update,
            (
                move_tile_cursor.in_set(AppSystems::Act),
                look.in_set(AppSystems::Plan),
                preview.in_set(AppSystems::Walk).run_if(to_preview),
            ),
        );
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn).add_observer(spawn_again).add_systems(Update, outline.in_set(AppSystems::Show));
}

fn forget(_: On<MapOpened>, mut cursor: ResMut<TileCursor>, mut looked: ResMut<Looked>, mut pointed: ResMut<Pointed>) {
    cursor.0 = None;
    looked.0 = None;
    pointed.0 = None;
}

/// Moves the tile cursor, which begins where the traveller is.
pub(in crate::game) fn move_tile_cursor(
    mut actions: MessageReader<Action>,
    land: Res<Land>,
    traveller: Res<Traveller>,
    mut cursor: ResMut<TileCursor>,
    mut view: ResMut<View>,
) {
    for action in actions.read() {
        let Action::MoveCursor(direction) = *action else { continue };
        let moved = match cursor.0 {
            Some(cell) => cell + direction,
            None => traveller.origin().unwrap_or_default(),
        };
        if land.map().size().contains(moved) {
            cursor.0 = Some(moved);
            view.reveal(moved, land.projection());
        }
    }
}

fn look(pointed: Res<Pointed>, cursor: Res<TileCursor>, mut looked: ResMut<Looked>) {
    if cursor.is_changed() && cursor.0.is_some() {
        looked.set_if_neq(Looked(cursor.0));
    } else if pointed.is_changed() {
        looked.set_if_neq(Looked(pointed.0));
    }
}

/// The preview is another when what is looked at, the land, or the cell to start from is another.
fn to_preview(looked: Res<Looked>, land: Res<Land>, traveller: Res<Traveller>, mut from: Local<Option<Cell>>) -> bool {
    let moved = *from != traveller.origin();
    *from = traveller.origin();
    moved || looked.is_changed() || land.is_changed()
}

/// Plans the way that a click would take.
fn preview(
    looked: Res<Looked>,
    land: Res<Land>,
    traveller: Res<Traveller>,
    planning: Res<Planning>,
    mut search: ResMut<Search>,
    mut preview: ResMut<Preview>,
) {
    let preview = &mut *preview;
    let (Some(from), Some(to)) = (traveller.origin(), looked.0) else {
        preview.reach = Reach::Nowhere;
        return;
    };
    let found = search.plan(&land, from, to, planning.0, &mut preview.route).is_some();
    preview.reach = if found { Reach::Goal } else { Reach::Nearest };
    if !found {
        search.plan_nearest(&land, from, to, planning.0, &mut preview.route);
    }
}

/// The outline of the cell under the pointer, or of the tile cursor.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
enum Outline {
    Pointer,
    Keyboard,
}

fn spawn(marks: Res<Marks>, pictures: Res<Pictures>, mut commands: Commands) {
    for (outline, image) in [(Outline::Pointer, marks.cursor), (Outline::Keyboard, marks.tile_cursor)] {
        if let Some(image) = image {
            commands.spawn((pictures.sprite(image), Visibility::Hidden, outline));
        }
    }
}

fn spawn_again(_: On<PicturesChanged>, old: Query<Entity, With<Outline>>, mut commands: Commands) {
    old.iter().for_each(|outline| commands.entity(outline).despawn());
    commands.run_system_cached(spawn);
}

/// Draws the outlines over everything, so that the picked cell is seen behind whatever stands.
fn outline(
    pointed: Res<Pointed>,
    cursor: Res<TileCursor>,
    land: Res<Land>,
    marks: Res<Marks>,
    pictures: Res<Pictures>,
    mut outlines: Query<(&Outline, &mut Sprite, &mut Transform, &mut Visibility)>,
) {
    if !(pointed.is_changed() || cursor.is_changed() || land.is_changed()) {
        return;
    }
    for (outline, mut sprite, mut transform, mut visibility) in &mut outlines {
        let (cell, image) = match outline {
            Outline::Keyboard => (cursor.0, marks.tile_cursor),
            Outline::Pointer => {
                let closed = pointed.0.is_some_and(|cell| !land.map().costs().is_passable(cell));
                (pointed.0, marks.blocked.filter(|_| closed).or(marks.cursor))
            }
        };
        let shown = cell.zip(image);
        visibility.set_if_neq(if shown.is_some() { Visibility::Visible } else { Visibility::Hidden });
        if let Some((cell, image)) = shown {
            sprite.rect = Some(pictures.rect(image));
            *transform = pictures.stand(image, land.projection().corner(cell), layers::OUTLINE);
        }
    }
}
