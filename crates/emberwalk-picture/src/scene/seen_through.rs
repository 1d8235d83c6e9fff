//! Marks and figures that shine through the standing images of the full look, which hide them.

use std::collections::HashMap;

use image::{Rgba, RgbaImage};

use super::Footing;
use super::layers::Scene;
use super::linear_light::SrgbTables;
use super::look::Look;
use super::pixel_box::PixelBox;
use super::standing_near::{StandingImage, alpha_at};
use crate::iso::Depth;
use crate::tiles::{ImageId, TileImages};
use emberwalk_map::Layers;
use emberwalk_path::grid::Cell;

/// The opacity of hidden marks.
const MARK_OPACITY: f32 = 0.4;

/// The colour of the silhouette of a hidden figure, and its opacity.
const SILHOUETTE: Rgba<u8> = Rgba([255, 75, 105, 120]);

/// A mark on the ground of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedMark {
    /// The image that is drawn.
    pub image: ImageId,
    /// Where it lies.
    pub footing: Footing,
    /// The tint of the image: linear factors of red, green and blue, and the opacity, 0 to 1.
    pub tint: [f32; 4],
}

/// The marks that are hidden by a cell's standing image and shine through it. Equal values have equal pictures.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShineThrough {
    standing: ImageId,
    /// The marks, the lowest first: the image, its offset from the corner of the standing image, and the bits of the
    /// tint.
    marks: Vec<(ImageId, (i32, i32), [u32; 4])>,
}

impl Scene {
    /// The marks that shine through the standing images of a map in the full look, by cell. `marks` are all marks that
    /// are drawn on the ground, the lowest first. An animated image counts with its first frame.
    pub fn shine_through(
        &self,
        map: &Layers,
        marks: impl IntoIterator<Item = PlacedMark>,
    ) -> HashMap<Cell, ShineThrough> {
        let mut through: HashMap<Cell, ShineThrough> = HashMap::new();
        if self.look == Look::Plain {
            return through;
        }
        for PlacedMark { image: id, footing, tint } in marks {
            let image = self.images.image(id);
            let runs = &self.shapes.of(&self.images, id).runs;
            let (left, top) = self.images.tile().align_image(footing.corner, image.dimensions());
            let pixels = || runs.iter().flat_map(|(y, columns)| columns.clone().map(move |x| (left + x, top + y)));
            let near = PixelBox::of_size((left, top), image.dimensions());
            for StandingImage { cell, image: standing, bounds } in self.standing_near(map, near) {
                let hiding = self.images.image(standing);
                let mut hidden = pixels().filter(|at| alpha_at(hiding, bounds, *at) > 0).peekable();
                if hidden.peek().is_none() {
                    continue;
                }
                let cover = self.cover_of_image(map, standing, Footing::in_cell(map, cell));
                let at_corner = |(x, y): (i32, i32)| (x - bounds.left, y - bounds.top);
                if hidden.any(|at| cover.as_ref().is_none_or(|cover| !cover.hides(at_corner(at)))) {
                    let entry = through.entry(cell).or_insert_with(|| ShineThrough { standing, marks: Vec::new() });
                    entry.marks.push((id, at_corner((left, top)), tint.map(f32::to_bits)));
                }
            }
        }
        through
    }

    /// The silhouette of a figure where standing images or terrain hide it, as an image of the figure's size that is
    /// drawn over all of them; `None` if nothing is hidden, and in the classic look. `feet` is the position of the
    /// figure in columns and rows, which decides which images are in front of it; `footing` is the place where it is
    /// drawn. Of animated images, the first frame counts.
    pub fn silhouette(&self, map: &Layers, figure: ImageId, feet: (f64, f64), footing: Footing) -> Option<RgbaImage> {
        if self.look == Look::Plain {
            return None;
        }
        let image = self.images.image(figure);
        let depth = Depth::of_figure(feet);
        let corner = self.images.tile().align_image(footing.corner, image.dimensions());
        let bounds = PixelBox::of_size(corner, image.dimensions());
        let mut hidden = vec![0.0_f32; image.pixels().len()];
        let nearer = self.standing_near(map, bounds);
        for standing in nearer.take_while(|standing| Depth::of_cell(standing.cell) > depth) {
            let hiding = self.images.image(standing.image);
            let terrain = self.cover_of_image(map, standing.image, Footing::in_cell(map, standing.cell));
            let at_corner = |(x, y): (i32, i32)| (x - standing.bounds.left, y - standing.bounds.top);
            for (x, y) in bounds.common_pixels(standing.bounds) {
                if terrain.as_ref().is_some_and(|terrain| terrain.hides(at_corner((x, y)))) {
                    continue;
                }
                let cover = f32::from(alpha_at(hiding, standing.bounds, (x, y))) / 255.0;
                let hidden = &mut hidden[((y - bounds.top) * image.width() as i32 + x - bounds.left) as usize];
                *hidden += (1.0 - *hidden) * cover;
            }
        }
        if let Some(cover) = self.cover(map, footing.on, corner, image.dimensions()) {
            let pixels = (0..image.height() as i32).flat_map(|y| (0..image.width() as i32).map(move |x| (x, y)));
            hidden.iter_mut().zip(pixels).filter(|(_, at)| cover.hides(*at)).for_each(|(hidden, _)| *hidden = 1.0);
        }
        let mut silhouette = RgbaImage::new(image.width(), image.height());
        let mut is_hidden = false;
        for ((target, source), hidden) in silhouette.pixels_mut().zip(image.pixels()).zip(hidden) {
            let [red, green, blue, opacity] = SILHOUETTE.0;
            let alpha = scaled(opacity, hidden * f32::from(source.0[3]) / 255.0);
            if alpha > 0 {
                *target = Rgba([red, green, blue, alpha]);
                is_hidden = true;
            }
        }
        is_hidden.then_some(silhouette)
    }
}

impl ShineThrough {
    /// The standing image that hides the marks.
    pub fn standing(&self) -> ImageId {
        self.standing
    }

    /// The picture of the marks, which has the size of the standing image and is drawn over it.
    pub fn compose(&self, images: &TileImages) -> RgbaImage {
        let hiding = images.image(self.standing);
        let mut picture = RgbaImage::new(hiding.width(), hiding.height());
        for (mark, at, tint) in &self.marks {
            let mut mark = images.image(*mark).clone();
            let [red, green, blue, opacity] = tint.map(f32::from_bits);
            if opacity < 1.0 {
                mark.pixels_mut().for_each(|pixel| pixel.0[3] = scaled(pixel.0[3], opacity));
            }
            SrgbTables::get().draw(&mut picture, &mark, *at, Some([red, green, blue]).filter(|tint| *tint != [1.0; 3]));
        }
        for (pixel, hiding) in picture.pixels_mut().zip(hiding.pixels()) {
            pixel.0[3] = scaled(pixel.0[3], MARK_OPACITY * f32::from(hiding.0[3]) / 255.0);
        }
        picture
    }
}

/// An alpha multiplied by a factor from 0 to 1.
fn scaled(alpha: u8, factor: f32) -> u8 {
    (f32::from(alpha) * factor).round() as u8
}
