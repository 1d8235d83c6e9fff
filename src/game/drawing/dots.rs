//! Marks in place of people who are too small to be seen. They differ by shape and lightness, and not by hue alone.

use bevy::prelude::*;
use image::{Rgba, RgbaImage};

use crate::game::app_systems::AppSystems;
use crate::game::people::town::People;
use crate::game::viewport::{Viewport, feet_point, to_world};
use crate::game::world::open_map::OpenMap;
use crate::town::TownFigure;
use emberwalk_map::terrain;

use super::atlas::texture;
use super::layers;

/// People are drawn as dots below this zoom.
const MIN_ZOOM: f32 = 1.0 / 3.0;

/// The shapes, in rows: `#` is the dark rim, `o` the fill.
const PLAYER: [&str; 7] = [" ##### ", "#ooooo#", "#o###o#", "#o#o#o#", "#o###o#", "#ooooo#", " ##### "];
const ROUND: [&str; 5] = [" ### ", "#ooo#", "#ooo#", "#ooo#", " ### "];
const DIAMOND: [&str; 5] = ["  #  ", " #o# ", "#ooo#", " #o# ", "  #  "];
const BAR: [&str; 4] = [" ##### ", "#ooooo#", "#ooooo#", " ##### "];
const WAITS: [&str; 5] = [" ### ", "#ooo#", "#o#o#", "#ooo#", " ### "];

const RIM: [u8; 4] = [26, 18, 22, 255];

/// The images of the dots.
#[derive(Resource)]
struct DotImages {
    player: Handle<Image>,
    waits: Handle<Image>,
    round: Handle<Image>,
    diamond: Handle<Image>,
    bar: Handle<Image>,
}

impl FromWorld for DotImages {
    fn from_world(world: &mut World) -> Self {
        let mut images = world.resource_mut::<Assets<Image>>();
        let mut draw = |rows: &[&str], fill: [u8; 3]| images.add(texture(picture(rows, fill)));
        Self {
            player: draw(&PLAYER, [255, 226, 160]),
            waits: draw(&WAITS, [232, 98, 60]),
            round: draw(&ROUND, [255, 246, 220]),
            diamond: draw(&DIAMOND, [130, 180, 240]),
            bar: draw(&BAR, [250, 190, 70]),
        }
    }
}

/// A dot. Those that are not needed are hidden, and used again later.
#[derive(Component)]
struct DotSprite;

/// The sprites of dots.
#[derive(Resource, Default)]
struct Dots(Vec<Entity>);

/// Whether people are too small to be seen.
pub(super) fn are_shown(view: &Viewport) -> bool {
    view.zoom() < MIN_ZOOM
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Dots>().init_resource::<DotImages>().add_systems(
        Update,
        update.run_if(resource_changed::<People>.or_else(resource_changed::<Viewport>)).in_set(AppSystems::Show),
    );
}

fn picture(rows: &[&str], [red, green, blue]: [u8; 3]) -> RgbaImage {
    let mut picture = RgbaImage::new(rows[0].len() as u32, rows.len() as u32);
    for (pixel, shape) in picture.pixels_mut().zip(rows.iter().flat_map(|row| row.chars())) {
        *pixel = Rgba(match shape {
            '#' => RIM,
            'o' => [red, green, blue, 255],
            _ => [0; 4],
        });
    }
    picture
}

fn update(
    map: Res<OpenMap>,
    people: Res<People>,
    view: Res<Viewport>,
    images: Res<DotImages>,
    mut dots: ResMut<Dots>,
    mut drawn: Query<(&mut Sprite, &mut Transform, &mut Visibility), With<DotSprite>>,
    mut commands: Commands,
) {
    let town = people.town().filter(|_| are_shown(&view));
    let shape_of = |figure: &TownFigure| match figure.kind {
        None => &images.player,
        Some(_) if figure.is_waiting => &images.waits,
        Some(kind) => match map.tileset().people().get(kind).map(|kind| kind.dot).unwrap_or_default() {
            terrain::Dot::Round => &images.round,
            terrain::Dot::Diamond => &images.diamond,
            terrain::Dot::Bar => &images.bar,
        },
    };
    let near = view.visible_rect();
    // On whole pixels of the window.
    let scale = 1.0 / view.zoom();
    let mut shown = 0;
    for figure in town.into_iter().flat_map(|town| town.figures()) {
        let point = feet_point(figure.feet(), &map);
        if !near.contains(point) {
            continue;
        }
        let sprite = Sprite::from_image(shape_of(&figure).clone());
        let z = if figure.kind.is_none() { layers::PLAYER_DOT } else { layers::DOTS };
        let at = Transform::from_translation(to_world(point).extend(z)).with_scale(Vec3::new(scale, scale, 1.0));
        match dots.0.get(shown) {
            Some(dot) => {
                if let Ok((mut old, mut transform, mut visibility)) = drawn.get_mut(*dot) {
                    (*old, *transform) = (sprite, at);
                    visibility.set_if_neq(Visibility::Inherited);
                }
            }
            None => dots.0.push(commands.spawn((DotSprite, sprite, at)).id()),
        }
        shown += 1;
    }
    for unused in dots.0.iter().skip(shown) {
        if let Ok((_, _, mut visibility)) = drawn.get_mut(*unused) {
            visibility.set_if_neq(Visibility::Hidden);
        }
    }
}
