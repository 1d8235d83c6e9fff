//! Draws the background around the map, in the full look.

use bevy::prelude::*;
use bevy::sprite::Anchor;

use super::layers;
use super::textures::atlas::smooth_texture;
use crate::game::app_systems::AppSystems;
use crate::game::viewport::to_world;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use emberwalk_picture::iso::Projection;
use emberwalk_picture::scene::{Background, Look};

/// The map around which the background is drawn.
#[derive(Resource, Default)]
struct Drawn(Option<Projection>);

/// A sprite of the background.
#[derive(Component)]
struct BackgroundSprite;

pub(super) fn plugin(app: &mut App) {
    let may_differ = resource_changed::<OpenMap>.or_eager(resource_changed::<MapImages>);
    app.init_resource::<Drawn>().add_systems(Update, draw.run_if(may_differ).in_set(AppSystems::Show));
}

/// Draws the background if the map has another size or look.
fn draw(
    map: Res<OpenMap>,
    map_images: Res<MapImages>,
    old: Query<Entity, With<BackgroundSprite>>,
    mut drawn: ResMut<Drawn>,
    mut images: ResMut<Assets<Image>>,
    mut commands: Commands,
) {
    let wanted = (map_images.look() == Look::Full).then(|| map.projection());
    if std::mem::replace(&mut drawn.0, wanted) == wanted {
        return;
    }
    old.iter().for_each(|sprite| commands.entity(sprite).despawn());
    let Some(projection) = wanted else { return };
    let background = Background::new(projection);
    let image = images.add(smooth_texture(background.image().clone()));
    let vec = |(x, y): (f64, f64)| Vec2::new(x as f32, y as f32);
    for part in background.parts_around_map() {
        let corner = vec(part.corner_in_image);
        let sprite = Sprite {
            image: image.clone(),
            rect: Some(Rect::from_corners(corner, corner + vec(part.size_in_image))),
            custom_size: Some(vec(part.size)),
            ..default()
        };
        let at = to_world(vec(part.corner)).extend(layers::BACKGROUND);
        commands.spawn((sprite, Anchor::TOP_LEFT, Transform::from_translation(at), BackgroundSprite));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::world::loader::MapVersion;

    fn sprites(app: &mut App) -> usize {
        app.update();
        app.world_mut().query_filtered::<(), With<BackgroundSprite>>().iter(app.world()).count()
    }

    #[test]
    fn the_full_look_has_a_background_and_the_classic_look_none() {
        let mut app = App::new();
        app.init_resource::<Assets<Image>>().add_plugins(plugin);
        MapVersion::with_ground('G', (9, 7)).insert(&mut app, Look::Full);
        let count = sprites(&mut app);
        assert!(count > 2);
        MapVersion::with_ground('G', (30, 7)).insert(&mut app, Look::Full);
        assert_eq!(sprites(&mut app), count, "the background of the larger map is the only one");
        MapVersion::with_ground('G', (30, 7)).insert(&mut app, Look::Plain);
        assert_eq!(sprites(&mut app), 0);
    }
}
