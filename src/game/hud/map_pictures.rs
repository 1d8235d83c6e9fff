//! The small pictures of the maps that a dialog is about.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::app_systems::AppSystems;
use crate::game::dialog::pictures::{MAX_CELLS, MapPictures, PREVIEW, Picture};
use crate::game::drawing::textures::atlas::smooth_texture;
use crate::game::ui::element::{Element, caption, centred_in, icon, picture};
use crate::game::ui::theme::{DIVIDER, ERROR, RADIUS, SECOND, WELL};
use crate::game::world::request::MapSource;

/// How many pixels of a picture, in each direction, a logical pixel shows.
pub(super) const PIXELS: f32 = 2.0;

/// The textures of the pictures, and their sizes in logical pixels.
#[derive(Resource, Default)]
struct Textures(Vec<(MapSource, Handle<Image>, Vec2)>);

/// The pictures that can be shown.
#[derive(SystemParam)]
pub(super) struct ShownPictures<'w> {
    pictures: Res<'w, MapPictures>,
    textures: Res<'w, Textures>,
}

pub(super) fn plugin(app: &mut App) {
    let make = make_textures.run_if(resource_changed::<MapPictures>);
    app.init_resource::<Textures>().add_systems(Update, make.after(AppSystems::Act).before(AppSystems::Show));
}

fn make_textures(pictures: Res<MapPictures>, mut images: ResMut<Assets<Image>>, mut textures: ResMut<Textures>) {
    textures.0.retain(|(map, ..)| pictures.of(map).is_some());
    for (map, picture) in pictures.known() {
        if let Picture::Painted(picture) = picture
            && !textures.0.iter().any(|(known, ..)| known == map)
        {
            let size = UVec2::from(picture.dimensions());
            let texture = images.add(smooth_texture(picture.clone()));
            textures.0.push((map.clone(), texture, size.as_vec2() / PIXELS));
        }
    }
}

impl ShownPictures<'_> {
    /// The picture of a new map, or why there is none. Its height stays the same while the picture is being drawn.
    pub fn preview(&self, map: Option<&MapSource>) -> Element {
        let too_large = || caption(format!("No preview: generating more than {MAX_CELLS} cells takes too long."));
        let content = map.and_then(|map| match self.pictures.of(map)? {
            Picture::TooLarge => Some(too_large()),
            _ => self.image(map),
        });
        let frame = Node {
            height: px(PREVIEW.y as f32 / PIXELS + 10.0),
            flex_shrink: 0.0,
            border: UiRect::all(px(1)),
            border_radius: BorderRadius::all(px(RADIUS)),
            ..default()
        };
        centred_in(frame, content).back(WELL).border(DIVIDER).named("Preview")
    }

    /// The picture of a map in a list, or an icon in its place, in a frame of this size in logical pixels.
    pub(in crate::game) fn thumbnail(&self, map: &MapSource, room: Vec2) -> Element {
        let instead = || match (self.pictures.of(map), map) {
            (Some(Picture::Unreadable), _) => icon(Icon::FileWarning, 24, ERROR),
            (Some(Picture::TooLarge), _) => caption("Too large for a picture"),
            (_, MapSource::Bundled(_)) => icon(Icon::Map, 24, SECOND),
            _ => icon(Icon::File, 24, SECOND),
        };
        let place = Node {
            height: px(room.y),
            flex_shrink: 0.0,
            overflow: Overflow::clip(),
            border_radius: BorderRadius::all(px(RADIUS / 2.0)),
            ..default()
        };
        centred_in(place, Some(self.image(map).unwrap_or_else(instead))).back(WELL)
    }

    fn image(&self, of: &MapSource) -> Option<Element> {
        let (_, image, size) = self.textures.0.iter().find(|(map, ..)| map == of)?;
        Some(picture(image, *size))
    }
}
