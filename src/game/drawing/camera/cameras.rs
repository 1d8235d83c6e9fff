//! The cameras: one draws the window. Unless the zoom is a whole number, another camera draws the world into an image,
//! which is averaged into the rectangle of the window that shows the map. In a race, two cameras do this at any zoom, one
//! for each half.

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{CameraMainTextureUsages, CameraUpdateSystems, Projection, RenderTarget};
use bevy::math::DVec2;
use bevy::prelude::*;
use bevy::render::render_resource::TextureUsages;
use bevy::render::renderer::RenderAdapterInfo;
use bevy::window::PrimaryWindow;
use wgpu::DeviceType;

use crate::game::action::half::Half;

use super::averaging::{self, Averaged, ShowsImages};
use crate::game::drawing::far::pictures::FarPictures;
use crate::game::drawing::layers;
use crate::game::drawing::textures::atlas::MAX_SIDE;
use crate::game::viewport::{Viewport, to_world};

/// The maximum number of image pixels per window pixel, in each direction. With two, every map pixel is drawn from zoom
/// 1/2 up.
const SAMPLES: f64 = 2.0;

/// The same for a graphics card, while the image has at most [`MAX_PIXELS`].
const FINE_SAMPLES: f64 = 4.0;

/// The maximum number of pixels of an image that has more than [`SAMPLES`].
const MAX_PIXELS: f64 = (1 << 24) as f64;

/// The camera of the window and the HUD.
#[derive(Component)]
struct WindowCamera;

/// The camera of the world image shown in one half of the map area. Without a race, the left half is the whole area.
#[derive(Component, PartialEq, Eq)]
struct ImageCamera(Half);

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(averaging::plugin).add_systems(Startup, spawn_window_camera).add_systems(
        PostUpdate,
        (place_window_camera, place_image_cameras)
            .run_if(is_anything_changed)
            .before(CameraUpdateSystems)
            .before(TransformSystems::Propagate),
    );
}

fn spawn_window_camera(mut commands: Commands) {
    commands.spawn((Camera2d, Msaa::Off, layers::seen_on(Half::Left), WindowCamera));
}

fn is_anything_changed(
    view: Res<Viewport>,
    far_pictures: Res<FarPictures>,
    window: Query<(), (With<PrimaryWindow>, Changed<Window>)>,
) -> bool {
    view.is_changed() || far_pictures.is_changed() || !window.is_empty()
}

/// Moves the window's camera to the view.
fn place_window_camera(
    view: Res<Viewport>,
    window: Query<&Window, With<PrimaryWindow>>,
    mut camera: Query<(&mut Transform, &mut Projection), With<WindowCamera>>,
) {
    let Ok((mut transform, mut projection)) = camera.single_mut() else { return };
    let scale_factor = window.single().map_or(1.0, |window| window.scale_factor());
    let corner = view.corner().as_vec2() - view.layout().half_rect(Half::Left).min.as_vec2();
    let centre = (corner + view.layout().window.as_vec2() / 2.0) / view.zoom();
    let translation = to_world(centre).extend(transform.translation.z);
    transform.set_if_neq(Transform { translation, ..*transform });
    let scale = scale_factor / view.zoom();
    if matches!(&*projection, Projection::Orthographic(now) if now.scale != scale)
        && let Projection::Orthographic(projection) = &mut *projection
    {
        projection.scale = scale;
    }
}

/// In a race, and unless the zoom is a whole number, makes other cameras draw the world, and the window's camera only
/// their images.
fn place_image_cameras(
    view: Res<Viewport>,
    far_pictures: Res<FarPictures>,
    adapter: Res<RenderAdapterInfo>,
    window_camera: Query<Entity, With<WindowCamera>>,
    image_cameras: Query<(Entity, &ImageCamera)>,
    mut commands: Commands,
) {
    let Ok(window_camera) = window_camera.single() else { return };
    let halves: &[Half] = match view.zoom() {
        _ if view.layout().is_split => &Half::BOTH,
        zoom if zoom.fract() != 0.0 => &[Half::Left],
        _ => &[],
    };
    let mut window_camera = commands.entity(window_camera);
    if halves.is_empty() {
        window_camera.insert(layers::seen_on(Half::Left)).remove::<ShowsImages>();
    } else {
        window_camera.insert((RenderLayers::none(), ShowsImages));
    }
    for (camera, _) in image_cameras.iter().filter(|(_, ImageCamera(half))| !halves.contains(half)) {
        commands.entity(camera).despawn();
    }
    for half in halves {
        let is_software = adapter.device_type == DeviceType::Cpu;
        let image = WorldImage::of(&view, *half, is_software, far_pictures.shown_reduction());
        let mut camera = match image_cameras.iter().find(|(_, ImageCamera(of))| of == half) {
            Some((camera, _)) => commands.entity(camera),
            None => commands.spawn((image_camera(*half), ImageCamera(*half))),
        };
        camera.insert((
            RenderTarget::None { size: image.size },
            // The engine reads the size of the target only when the projection changes.
            Projection::Orthographic(OrthographicProjection {
                scale: image.spacing,
                ..OrthographicProjection::default_2d()
            }),
            Transform::from_translation(to_world(image.centre).extend(0.0)),
            image.averaged,
        ));
    }
}

/// The constant components of an image's camera.
fn image_camera(half: Half) -> impl Bundle {
    let (order, usages) = match half {
        Half::Left => (-1, TextureUsages::empty()),
        // Cameras without a target share a texture of the same size and usages; this one needs its own texture.
        Half::Right => (-2, TextureUsages::COPY_DST),
    };
    let camera = Camera { order, clear_color: ClearColorConfig::None, ..default() };
    (Camera2d, camera, Msaa::Off, CameraMainTextureUsages::default().with(usages), layers::seen_on(half))
}

/// The image of the world, which the window shows at another scale.
#[derive(Debug, PartialEq)]
struct WorldImage {
    /// Map pixels per image pixel. Below zoom 1 this is 1, or more if the image would be too large; the image then
    /// skips map pixels, or shows pictures that have averaged them. From zoom 1 up, a map pixel is a square of as many
    /// image pixels as the whole part of the zoom says, so that no image pixel shows two map pixels.
    /// The grid of image pixels is fixed to the map, so that nothing shimmers when the view is panned.
    spacing: f32,
    /// The size in pixels.
    size: UVec2,
    /// The map point in the centre.
    centre: Vec2,
    /// Where the window shows it.
    averaged: Averaged,
}

impl WorldImage {
    /// The image for a half. If the half shows overview pictures with this reduction, the image has their pixels.
    fn of(view: &Viewport, half: Half, is_software: bool, reduction: Option<u32>) -> Self {
        let area = view.layout().area().as_dvec2();
        let zoom = f64::from(view.zoom());
        let fine = (MAX_PIXELS / area.element_product()).sqrt().clamp(SAMPLES, FINE_SAMPLES);
        let samples = if is_software { SAMPLES } else { fine };
        let max_samples = samples.min(f64::from(MAX_SIDE - 1) / area.max_element()).max(1.0);
        let of_pictures = reduction.map(f64::from).filter(|side| (1.0..=max_samples).contains(&(1.0 / (zoom * side))));
        let spacing = match of_pictures {
            Some(side) => side,
            None if zoom < 1.0 => round_up((1.0 / (zoom * max_samples)).max(1.0)),
            None => 1.0 / zoom.floor(),
        };
        let pixel = 1.0 / (zoom * spacing);
        let corner = view.corner().as_dvec2() * pixel;
        let size = (area * pixel).ceil() + 1.0;
        // The centres of the image's pixels must not lie between two pixels of the map, or rounding would choose one.
        let offset = if spacing > 1.0 { 1.0 / 32.0 } else { 0.0 };
        let centre = (corner.floor() + size / 2.0) * spacing - DVec2::splat(offset);
        let rect = view.layout().half_rect(half).as_rect();
        let averaged = Averaged {
            corner: (corner - corner.floor()).as_vec2(),
            pixel: pixel as f32,
            first: rect.min,
            end: rect.max,
        };
        Self { spacing: spacing as f32, size: size.as_uvec2(), centre: centre.as_vec2(), averaged }
    }
}

/// Rounds a positive number up to four binary digits, so that its multiples are exact as world coordinates.
fn round_up(value: f64) -> f64 {
    let unit = value.log2().floor().exp2() / 8.0;
    (value / unit).ceil() * unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::action::Zoom;
    use crate::game::drawing::far::parts::FarParts;
    use crate::game::viewport::layout::Insets;
    use emberwalk_map::terrain::TileMetrics;
    use emberwalk_path::grid::Size;
    use emberwalk_picture::iso::Projection as MapProjection;

    /// Views below zoom 1, fitted and stepped, in windows of several sizes, some with panels.
    fn views() -> impl Iterator<Item = (Viewport, MapProjection)> {
        let windows = [(800, 600), (1280, 720), (333, 777), (2560, 1440), (3840, 2160), (7680, 4320), (9000, 50)];
        windows
            .into_iter()
            .flat_map(|window| [20, 97, 4096].map(|side| (UVec2::from(window), side)))
            .flat_map(|(window, side)| {
                let map = MapProjection::new(Size::new(side, side + 9), TileMetrics::CLASSIC);
                let mut view = Viewport::default();
                view.resize(window, map, Vec2::ZERO);
                if side == 97 {
                    view.set_insets(Insets { left: 56, top: 48, bottom: 1, ..default() }, 0, map, Vec2::ZERO);
                }
                view.fit(map);
                (0..9).map(move |steps| {
                    let mut view = view;
                    (0..steps).for_each(|_| view.zoom_towards(Zoom::Out, Some(Vec2::new(7.5, 30.5))));
                    (view, map)
                })
            })
            .filter(|(view, _)| view.zoom() < 1.0)
    }

    #[test]
    fn the_image_covers_what_shows_the_map_and_is_no_larger_than_a_texture() {
        let mut fine = 0;
        for ((view, _), is_software) in views().flat_map(|view| [(view, false), (view, true)]) {
            let image = WorldImage::of(&view, Half::Left, is_software, None);
            let Averaged { corner, pixel, .. } = image.averaged;
            let area = view.layout().area().as_vec2();
            let size = image.size.as_vec2();
            assert!(corner.min_element() >= 0.0 && corner.max_element() <= 1.0, "{image:?}");
            assert!((corner + area * pixel).cmple(size + 0.01).all(), "{image:?} in {area}");
            assert!(area.max_element() > MAX_SIDE as f32 || image.size.max_element() <= MAX_SIDE, "{image:?}");
            assert!(!is_software || pixel <= 2.0, "a software driver draws no more than four samples: {image:?}");
            assert!(size.element_product() < 2.5 * MAX_PIXELS as f32, "{image:?}");
            let all = image.spacing == 1.0;
            assert!(all || pixel > 1.75 || area.max_element() > MAX_SIDE as f32 / 2.0, "{image:?} in {area}");
            assert!(all || view.zoom() < 0.5 || area.max_element() > MAX_SIDE as f32 / 2.0, "{image:?} in {area}");
            fine += usize::from(pixel > 2.0);
        }
        assert!(fine > 20, "{fine} images have more samples");
    }

    #[test]
    fn the_image_is_shown_where_no_panel_is() {
        let map = MapProjection::new(Size::new(97, 97), TileMetrics::CLASSIC);
        let mut view = Viewport::default();
        view.set_insets(Insets { left: 56, top: 48, right: 296, bottom: 57, ..default() }, 0, map, Vec2::ZERO);
        let place = |view: &Viewport, half: Half| {
            let Averaged { first, end, .. } = WorldImage::of(view, half, false, None).averaged;
            Rect { min: first, max: end }
        };
        assert_eq!(place(&view, Half::Left), Rect::new(56.0, 48.0, 984.0, 663.0));
        view.split(true, map, Vec2::ZERO);
        let halves = Half::BOTH.map(|half| place(&view, half));
        assert_eq!(halves, [Rect::new(56.0, 48.0, 519.0, 663.0), Rect::new(521.0, 48.0, 984.0, 663.0)]);
        view.resize(UVec2::new(752, 1280), map, Vec2::ZERO);
        let halves = Half::BOTH.map(|half| place(&view, half));
        assert_eq!(halves, [Rect::new(56.0, 48.0, 456.0, 634.0), Rect::new(56.0, 637.0, 456.0, 1223.0)]);
    }

    #[test]
    fn the_camera_of_the_window_shows_the_map_where_the_view_has_it() {
        let map = MapProjection::new(Size::new(5, 5), TileMetrics::CLASSIC);
        let mut view = Viewport::default();
        view.set_insets(Insets { left: 57, top: 48, right: 296, ..default() }, 0, map, Vec2::ZERO);
        view.fit(map);
        let mut app = App::new();
        let projection = Projection::Orthographic(OrthographicProjection::default_2d());
        let camera = app.insert_resource(view).world_mut().spawn((Transform::default(), projection, WindowCamera)).id();
        app.add_systems(Update, place_window_camera).update();
        let at = to_world(app.world().get::<Transform>(camera).unwrap().translation.truncate());
        assert_eq!(at, view.map_point(Vec2::new(640.0, 360.0)));
    }

    #[test]
    fn pixels_of_zoomed_out_pictures_equal_pixels_of_the_image() {
        let mut count = 0;
        for (view, map) in views() {
            let Some(reduction) = FarParts::of_view(map, &view).map(FarParts::reduction) else { continue };
            let image = WorldImage::of(&view, Half::Left, true, Some(reduction));
            if image.spacing == reduction as f32 {
                assert!((1.0..=2.0).contains(&image.averaged.pixel), "{image:?}");
                let largest = MAX_SIDE.max(view.layout().area().max_element() + 1);
                assert!(image.size.max_element() <= largest, "{image:?}");
                count += 1;
            } else {
                let is_as_without = image == WorldImage::of(&view, Half::Left, true, None);
                let is_too_large = view.layout().area().max_element() > MAX_SIDE / 2;
                assert!(is_as_without && is_too_large, "{image:?} in {}", view.layout().area());
            }
        }
        assert!(count > 20, "{count}");
    }

    #[test]
    fn the_pixels_of_the_image_stay_on_the_pixels_of_the_map_when_the_view_is_panned() {
        for (view, map) in views() {
            let before = WorldImage::of(&view, Half::Left, true, None);
            for by in [IVec2::new(-1, 0), IVec2::new(3, 17), IVec2::new(-40, 1)] {
                let mut panned = view;
                panned.pan(by, map);
                let by = view.corner() - panned.corner();
                let image = WorldImage::of(&panned, Half::Left, true, None);
                assert_eq!((image.spacing, image.size), (before.spacing, before.size));
                // From corner to corner in whole image pixels; the remainder is in `averaged`.
                let moved = (image.centre - before.centre).as_dvec2() / f64::from(image.spacing);
                assert_eq!(moved, moved.round(), "{by}");
                let corner = |image: &WorldImage| image.averaged.corner.as_dvec2() / f64::from(image.averaged.pixel);
                let shown = moved / f64::from(image.averaged.pixel) + corner(&image) - corner(&before);
                assert!((shown + by.as_dvec2()).abs().max_element() < 0.01, "{shown} instead of {by}");
            }
        }
    }
}
