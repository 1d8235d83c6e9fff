//! The pictures of the maps that the open dialog is about. They are made in the background, one after another, and
//! dropped as soon as the dialog is about other maps.

use std::sync::Arc;

use bevy::prelude::*;
use image::{RgbaImage, imageops};

use crate::game::app_systems::AppSystems;
use crate::game::jobs::Jobs;
use crate::game::world::loader::{parse_text, read_source};
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use crate::game::world::request::{MapSource, SourceText};
use emberwalk_jobs::Latest;
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::terrain::Tileset;
use emberwalk_map::{Layers, files};
use emberwalk_picture::paint::{PicturePart, paint_overview, paint_part};
use emberwalk_picture::scene::{Scene, projection};

use super::{Dialog, DialogSystems, OpenDialog};

/// The largest pictures of a new map, and of a map in the list, in pixels.
pub(in crate::game) const PREVIEW: UVec2 = UVec2::new(896, 320);
pub(in crate::game) const THUMBNAIL: UVec2 = UVec2::new(416, 224);

/// Of a longer list, only the first maps have pictures.
const MAX_PICTURES: usize = 30;

/// The largest new map that is generated for its picture, in cells, and the longest text of a map that is parsed for
/// it, in bytes. Both take some tenths of a second.
pub(in crate::game) const MAX_CELLS: usize = 1 << 16;
const MAX_TEXT: u64 = 1 << 20;

/// The largest map whose images are painted, in pixels at zoom 1. Larger ones are shown by the colours of their terrain.
const MAX_PAINTED: u64 = 6_000_000;

/// The number of samples, in each direction, that are averaged into a pixel of terrain colours.
const SAMPLES: u32 = 2;

/// The preview of a map before it is opened.
#[derive(Clone, Debug, PartialEq)]
pub enum Picture {
    /// The map.
    Painted(RgbaImage),
    /// It has errors.
    Unreadable,
    /// It would take too long to generate or read it.
    TooLarge,
}

/// The finished pictures of the maps that the open dialog is about.
#[derive(Resource, Default)]
pub struct MapPictures {
    known: Vec<(MapSource, Picture)>,
    last: Latest<MapSource, Picture>,
}

impl MapPictures {
    /// The maps whose pictures are finished, and the pictures.
    pub fn known(&self) -> &[(MapSource, Picture)] {
        &self.known
    }

    /// The picture of a map; `None` if it is not finished.
    pub fn of(&self, map: &MapSource) -> Option<&Picture> {
        self.known.iter().find(|(known, _)| known == map).map(|(_, picture)| picture)
    }

    /// The map of which a picture is being made.
    pub fn next(&self) -> Option<&MapSource> {
        self.last.next()
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<MapPictures>().add_systems(Update, make.in_set(AppSystems::Act).after(DialogSystems));
}

fn make(
    open: Res<OpenDialog>,
    map: Res<OpenMap>,
    images: Res<MapImages>,
    jobs: Res<Jobs>,
    mut pictures: ResMut<MapPictures>,
) {
    let wanted = open.get().map_or(&[][..], Dialog::maps);
    let wanted = &wanted[..wanted.len().min(MAX_PICTURES)];
    if pictures.known.iter().any(|(known, _)| !wanted.contains(known)) {
        pictures.known.retain(|(known, _)| wanted.contains(known));
    }
    loop {
        // A picture that is being made and still wanted comes first.
        let is_missing = |map: &&MapSource| wanted.contains(map) && pictures.of(map).is_none();
        let next = pictures.next().into_iter().chain(wanted).find(is_missing).cloned();
        let last = pictures.reborrow().map_unchanged(|pictures| &mut pictures.last);
        let is_made = Latest::follow(last, next, &jobs, |next| {
            let next = next.clone();
            let tileset = map.tileset().clone();
            let scene = images.scene().clone();
            jobs.start("Drawing a small picture of a map", move |_| {
                picture_of(&next, &tileset, &scene).unwrap_or(Picture::Unreadable)
            })
        });
        if !is_made {
            return;
        }
        let made = pictures.last.take();
        pictures.known.extend(made.map(|(map, picture)| (map, picture.unwrap_or(Picture::Unreadable))));
    }
}

fn picture_of(map: &MapSource, tileset: &Arc<Tileset>, scene: &Scene) -> Result<Picture, Diagnostics> {
    // A file that is too long is not even read.
    let is_too_large = match map {
        MapSource::New(new) => new.size.area() > MAX_CELLS,
        _ => map.file().and_then(files::length).is_some_and(|length| length > MAX_TEXT),
    };
    if is_too_large {
        return Ok(Picture::TooLarge);
    }
    let SourceText { name, text, .. } = read_source(map, tileset, &|_| {})?;
    if text.len() as u64 > MAX_TEXT {
        return Ok(Picture::TooLarge);
    }
    let is_new = matches!(map, MapSource::New(_));
    let (content, _) = parse_text(&name, &text, tileset)?;
    Ok(Picture::Painted(paint(&content, scene, if is_new { PREVIEW } else { THUMBNAIL })))
}

/// The largest picture of a map that fits into a size.
fn paint(map: &Layers, scene: &Scene, limit: UVec2) -> RgbaImage {
    let (width, height) = projection(map).picture_size();
    let by = (width as f32 / limit.x as f32).max(height as f32 / limit.y as f32).max(1.0);
    // A larger picture is reduced by a whole factor first.
    let downscale = 1 << (by.log2() as u32);
    let size = (width.div_ceil(downscale), height.div_ceil(downscale));
    let part = PicturePart { corner: (0, 0), size, downscale };
    let picture = if u64::from(width) * u64::from(height) <= MAX_PAINTED {
        paint_part(map, scene, part)
    } else {
        paint_overview(map, scene, part, SAMPLES)
    };
    let fitting = |side: u32| ((side as f32 / by) as u32).max(1);
    imageops::thumbnail(&picture, fitting(width), fitting(height))
}
