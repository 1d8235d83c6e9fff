//! Marks in place of people and of the traveller where they are too small to be seen. They differ by shape and
//! lightness, and not by hue alone.

use bevy::prelude::*;
use image::{Rgba, RgbaImage};

use crate::game::app_systems::AppSystems;
use crate::game::colours::{BAR_DOT, DIAMOND_DOT, DOT_RIM, DOT_RING, PLAYER_DOT, ROUND_DOT, WAITING_DOT};
use crate::game::journey::traveller::{TravellerPlace, player_changed};
use crate::game::people::plan::WatchedPlan;
use crate::game::people::selected::SelectedPeople;
use crate::game::people::town::People;
use crate::game::search_view::overlay_cells::Overlays;
use crate::game::viewport::{Viewport, figure_point, to_world};
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use emberwalk_map::terrain;
use emberwalk_picture::light::sky_light;
use emberwalk_world::town::TownFigure;

use crate::game::drawing::far::{self, pictures::FarPictures};
use crate::game::drawing::layers;
use crate::game::drawing::textures::atlas::texture;

/// People are drawn as dots below this zoom.
const MIN_ZOOM: f32 = 0.25;

/// The share of their light that the dots of people keep in the darkest night, so that they do not outshine the lamps
/// of the town, and can still be found.
const NIGHT_SHARE: f32 = 0.4;

/// The shapes, in rows: `#` is the dark rim, `o` the fill.
const PLAYER: [&str; 9] = [
    "  #####  ",
    " #ooooo# ",
    "#oo###oo#",
    "#o#   #o#",
    "#o# o #o#",
    "#o#   #o#",
    "#oo###oo#",
    " #ooooo# ",
    "  #####  ",
];
const ROUND: [&str; 5] = [" ### ", "#ooo#", "#ooo#", "#ooo#", " ### "];
const DIAMOND: [&str; 5] = ["  #  ", " #o# ", "#ooo#", " #o# ", "  #  "];
const BAR: [&str; 4] = [" ##### ", "#ooooo#", "#ooooo#", " ##### "];
const WAITS: [&str; 5] = [" ### ", "#ooo#", "#o#o#", "#ooo#", " ### "];

/// The ring around the dot of a selected person.
const RING: [&str; 11] = [
    "   #####   ",
    " ##ooooo## ",
    " #o#####o# ",
    "#o##   ##o#",
    "#o#     #o#",
    "#o#     #o#",
    "#o#     #o#",
    "#o##   ##o#",
    " #o#####o# ",
    " ##ooooo## ",
    "   #####   ",
];

/// The images of the dots.
#[derive(Resource)]
struct DotImages {
    player: Shape,
    waits: Shape,
    round: Shape,
    diamond: Shape,
    bar: Shape,
    ring: Shape,
}

/// The image of a dot, and its size in pixels of the window.
struct Shape {
    image: Handle<Image>,
    size: Vec2,
}

impl FromWorld for DotImages {
    fn from_world(world: &mut World) -> Self {
        let mut images = world.resource_mut::<Assets<Image>>();
        let mut draw = |rows: &[&str], fill: Color| {
            let picture = picture(rows, fill);
            let size = UVec2::from(picture.dimensions()).as_vec2();
            Shape { image: images.add(texture(picture)), size }
        };
        Self {
            player: draw(&PLAYER, PLAYER_DOT),
            waits: draw(&WAITS, WAITING_DOT),
            round: draw(&ROUND, ROUND_DOT),
            diamond: draw(&DIAMOND, DIAMOND_DOT),
            bar: draw(&BAR, BAR_DOT),
            ring: draw(&RING, DOT_RING),
        }
    }
}

impl Shape {
    /// The middle of the image at this zoom, near a map point: on whole pixels of the window, or its rim would be lost
    /// between them.
    fn middle_at(&self, point: Vec2, zoom: f32) -> Vec2 {
        let half = self.size / 2.0;
        ((point * zoom - half).round() + half) / zoom
    }
}

/// A dot. Unneeded dots are hidden, and used again later.
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
    let is_outdated = resource_changed::<People>
        .or_eager(resource_changed::<Viewport>)
        .or_eager(resource_changed::<SelectedPeople>)
        .or_eager(resource_changed::<Overlays>)
        .or_eager(resource_exists_and_changed::<WatchedPlan>)
        .or_eager(resource_changed::<OpenMap>)
        .or_eager(player_changed::<TravellerPlace>);
    app.init_resource::<Dots>()
        .init_resource::<DotImages>()
        .add_systems(Update, update.run_if(is_outdated).after(far::pictures::update).in_set(AppSystems::Show));
}

fn picture(rows: &[&str], fill: Color) -> RgbaImage {
    let mut picture = RgbaImage::new(rows[0].len() as u32, rows.len() as u32);
    for (pixel, shape) in picture.pixels_mut().zip(rows.iter().flat_map(|row| row.chars())) {
        *pixel = Rgba(match shape {
            '#' => DOT_RIM.to_srgba().to_u8_array(),
            'o' => fill.to_srgba().to_u8_array(),
            _ => [0; 4],
        });
    }
    picture
}

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn update(
    map: Res<OpenMap>,
    selected: Res<SelectedPeople>,
    view: Res<Viewport>,
    far: Res<FarPictures>,
    (map_images, overlays): (Res<MapImages>, Res<Overlays>),
    plan: Option<Res<WatchedPlan>>,
    images: Res<DotImages>,
    mut dots: ResMut<Dots>,
    mut drawn: Query<(&mut Sprite, &mut Transform, &mut Visibility), With<DotSprite>>,
    mut commands: Commands,
) {
    let town = map.town().filter(|_| are_shown(&view));
    let planned = plan.iter().filter(|_| are_shown(&view)).flat_map(|plan| plan.figures(&map));
    // The traveller is visible as long as it is drawn, which may be zoomed out farther.
    let alone = map.world().figure().filter(|_| far.are_wanted() && town.is_none());
    let shape_of = |figure: &TownFigure| match figure.kind {
        None => &images.player,
        Some(_) if figure.is_waiting => &images.waits,
        Some(kind) => match map.tileset().people().get(kind).map(|kind| kind.dot).unwrap_or_default() {
            terrain::Dot::Round => &images.round,
            terrain::Dot::Diamond => &images.diamond,
            terrain::Dot::Bar => &images.bar,
        },
    };
    let [red, green, blue] =
        map_images.hour_of_light(map.day().start).filter(|_| !overlays.cover_map()).map_or([1.0; 3], sky_light);
    let in_hour = Color::from(LinearRgba::rgb(red, green, blue).mix(&LinearRgba::WHITE, NIGHT_SHARE));
    let near = view.visible_rect();
    let scale = 1.0 / view.zoom();
    let mut shown = 0;
    for figure in town.into_iter().flat_map(|town| town.figures()).chain(planned).chain(alone) {
        let point = figure_point(&figure, &map);
        if !near.contains(point) {
            continue;
        }
        let is_selected = selected.has(figure.agent);
        let z = if figure.kind.is_none() { layers::PLAYER_DOT } else { layers::DOTS };
        let ring = is_selected.then_some((&images.ring, layers::DOT_RING));
        for (shape, z) in ring.into_iter().chain([(shape_of(&figure), z)]) {
            let colour = if z == layers::DOTS { in_hour } else { Color::WHITE };
            let sprite = Sprite { color: colour, ..Sprite::from_image(shape.image.clone()) };
            let middle = to_world(shape.middle_at(point, view.zoom()));
            let at = Transform::from_translation(middle.extend(z)).with_scale(Vec3::new(scale, scale, 1.0));
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
    }
    for unused in dots.0.iter().skip(shown) {
        if let Ok((_, _, mut visibility)) = drawn.get_mut(*unused) {
            visibility.set_if_neq(Visibility::Hidden);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pixels_of_a_dot_align_with_the_window_at_every_zoom() {
        for zoom in [0.25, 0.125, 0.31] {
            for size in [Vec2::new(5.0, 5.0), Vec2::new(7.0, 4.0)] {
                let shape = Shape { image: Handle::default(), size };
                for point in [Vec2::new(100.3, 41.7), Vec2::new(-3.9, 0.0)] {
                    let middle = shape.middle_at(point, zoom);
                    let corner = middle * zoom - size / 2.0;
                    assert!(corner.distance(corner.round()) < 1e-4, "{point} at {zoom}: {corner}");
                    assert!((middle - point).abs().max_element() * zoom <= 0.51, "{point} at {zoom}: {middle}");
                }
            }
        }
    }
}
