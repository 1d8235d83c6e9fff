//! The traveller as it is seen: a figure that walks, and its shadow.

use bevy::prelude::*;

use super::land::Land;
use super::motion::Frame;
use super::pictures::{Marks, Pictures};
use super::traveller::Traveller;
use super::{AppSystems, depth};

/// Frames of the walk that pass while the figure covers the width of a cell.
const FRAMES_A_CELL: f64 = 8.0;

/// Beats that an idle frame stands.
const IDLE_BEATS: u64 = 4;

/// The traveller's sprite.
#[derive(Component)]
struct Figure;

/// The traveller's shadow on the ground.
#[derive(Component)]
struct FigureShadow;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn).add_systems(
        Update,
        place
            .run_if(
                resource_changed::<Traveller>.or_eager(resource_changed::<Land>).or_eager(resource_changed::<Frame>),
            )
            .in_set(AppSystems::Show),
    );
}

fn spawn(marks: Res<Marks>, pictures: Res<Pictures>, mut commands: Commands) {
    if let Some(image) = marks.idle(Traveller::default().facing(), 0) {
        commands.spawn((pictures.sprite(image), Visibility::Hidden, Figure));
    }
    if let Some(image) = marks.shadow {
        commands.spawn((pictures.sprite(image), Visibility::Hidden, FigureShadow));
    }
}

/// Puts the figure where the traveller's feet are, in the frame of its stride.
fn place(
    land: Res<Land>,
    traveller: Res<Traveller>,
    frame: Res<Frame>,
    marks: Res<Marks>,
    pictures: Res<Pictures>,
    mut figure: Query<(&mut Sprite, &mut Transform, &mut Visibility), (With<Figure>, Without<FigureShadow>)>,
    mut shadow: Query<(&mut Transform, &mut Visibility), With<FigureShadow>>,
) {
    let visible = if traveller.exists() { Visibility::Visible } else { Visibility::Hidden };
    let feet = traveller.feet();
    let image = match traveller.leaving() {
        Some((from, done)) => {
            let (dx, dy) = traveller.origin().unwrap_or(from) - from;
            let stride = done * f64::from(dx * dx + dy * dy).sqrt() * FRAMES_A_CELL;
            marks.walk(traveller.facing(), stride as usize)
        }
        None => marks.idle(traveller.facing(), frame.slowly(IDLE_BEATS)),
    };
    if let (Ok((mut sprite, mut transform, mut visibility)), Some(image)) = (figure.single_mut(), image) {
        sprite.rect = Some(pictures.rect(image));
        *transform = pictures.stand_at(image, feet, &land);
        visibility.set_if_neq(visible);
    }
    if let (Ok((mut transform, mut visibility)), Some(image)) = (shadow.single_mut(), marks.shadow) {
        *transform = pictures.stand(image, land.projection().corner_at(feet), depth::MOVING_SHADE);
        visibility.set_if_neq(visible);
    }
}
