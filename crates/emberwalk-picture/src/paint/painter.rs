//! Draws the layers of a map, one after another.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use image::RgbaImage;

use crate::iso::{Depth, Projection};
use crate::light::{
    CarriedLight, LightArea, LightPicture, ROUTE_LIGHT, TerrainLight, is_lit_at, lamp_light, shown_hour,
};
use crate::overlay::{FADED, is_above_marks};
use crate::scene::{
    FigureShadow, Footing, ImageStack, Look, PlacedMark, Scene, ShadingKey, ShineThrough, SrgbTables, Warming, erase,
    hidden_mark, projection, raised_corner,
};
use crate::tiles::{ImageId, TileImages};
use emberwalk_map::terrain::TileMetrics;
use emberwalk_map::{Hour, Layers};
use emberwalk_path::grid::Cell;

/// The margin on every side of a map's picture, in pixels: 0 in the classic look; in the full look the width of a tile,
/// which leaves room for tall images and the slab.
pub const fn margin(tile: TileMetrics, look: Look) -> u32 {
    match look {
        Look::Plain => 0,
        Look::Full => tile.size().0,
    }
}

/// The width and height of a map's picture in pixels, including the margin of the full look.
pub fn picture_size(map: &Layers, look: Look) -> (u32, u32) {
    let projection = projection(map);
    let (width, height) = projection.picture_size();
    let margin = margin(projection.tile(), look);
    (width + 2 * margin, height + 2 * margin)
}

/// Route marks with their places on the map.
pub(super) fn placed_marks(scene: &Scene, map: &Layers, route: &[Cell]) -> Vec<PlacedMark> {
    let marks = scene.route_marks(route);
    marks.map(|mark| PlacedMark { image: mark.image, footing: Footing::of_mark(map, &mark), tint: [1.0; 4] }).collect()
}

/// The images of a route mark: the visible part, and in the full look, faintly, the part that terrain hides.
pub(super) fn mark_images(scene: &Scene, map: &Layers, mark: &PlacedMark) -> impl Iterator<Item = RgbaImage> + use<> {
    let image = scene.images().image(mark.image);
    let cover = scene.cover_of_image(map, mark.image, mark.footing);
    let visible = cover.as_ref().map_or_else(|| image.clone(), |cover| cover.cut(image, (0, 0)));
    let hidden = cover.filter(|_| scene.look() == Look::Full).map(|cover| hidden_mark(image, &cover));
    [visible].into_iter().chain(hidden)
}

/// A figure on a map, in a cell or between two cells.
#[derive(Clone, Copy, Debug)]
pub struct PaintedFigure {
    /// The image that is drawn.
    pub image: ImageId,
    /// The shadow on the ground.
    pub shadow: Option<ImageId>,
    /// The position of the feet in columns and rows, which decides which images are in front of it. Whole numbers are
    /// the centres of cells.
    pub feet: (f64, f64),
    /// Where it is drawn.
    pub footing: Footing,
    /// Whether it shines through images that hide it.
    pub shines_through: bool,
    /// Whether it carries the lantern of the tileset at night.
    pub lantern: bool,
}

impl PaintedFigure {
    /// A figure without a shadow, which shines through images that hide it.
    pub fn at_feet(map: &Layers, image: ImageId, feet: (f64, f64)) -> Self {
        Self { image, shadow: None, feet, footing: Footing::of_feet(map, feet), shines_through: true, lantern: false }
    }
}

/// The lanterns of figures, and the light of the marks of a route.
pub(super) fn carried_lights<'a>(
    map: &'a Layers,
    figures: &'a [PaintedFigure],
    marks: &'a [PlacedMark],
) -> impl Iterator<Item = CarriedLight<'a>> {
    let carrying = figures.iter().filter(|figure| figure.lantern).map(|figure| figure.footing);
    let lantern = map.tileset().lantern();
    let lanterns = carrying.filter_map(move |footing| Some(CarriedLight { light: lantern?, footing }));
    lanterns.chain(marks.iter().map(|mark| CarriedLight { light: &ROUTE_LIGHT, footing: mark.footing }))
}

/// A part of a map's picture at zoom 1.
#[derive(Clone, Debug)]
pub(super) struct Band {
    /// The top left corner of the map's picture without margin, measured from the top left corner of the band.
    pub(super) origin: (i32, i32),
    /// The width and height in pixels.
    pub(super) size: (u32, u32),
    /// The ranges of x and y of the level 0 [corners](Projection::corner) of all cells that have pixels in the band.
    corners: [Range<i32>; 2],
    projection: Projection,
}

impl Band {
    /// `origin` is the top left corner of the picture without margin, measured from the top left corner of the band.
    pub(super) fn new(map: &Layers, images: &TileImages, origin: (i32, i32), size: (u32, u32)) -> Self {
        let projection = projection(map);
        let tile = projection.tile();
        // Images are centred on their tiles. They end at the bottom of the tile, except for the slab, which ends below
        // it.
        let largest = |side: fn(&RgbaImage) -> u32| images.images().map(side).max().unwrap_or(0) as i32;
        let widest = largest(RgbaImage::width);
        let tallest = largest(RgbaImage::height);
        let (width, height) = tile.size();
        let beside = (widest - width as i32).max(0) / 2 + 1;
        let across = -origin.0 - width as i32 - beside..-origin.0 + size.0 as i32 + beside;
        let above = height as i32 + tile.slab_offset();
        let below = size.1 as i32 + (tallest - height as i32).max(0) + projection.headroom();
        let down = -origin.1 - above..-origin.1 + below;
        Self { origin, size, corners: [across, down], projection }
    }

    /// The whole picture with its margin.
    pub(super) fn whole(map: &Layers, scene: &Scene) -> Self {
        let margin = margin(scene.images().tile(), scene.look()) as i32;
        Self::new(map, scene.images(), (margin, margin), picture_size(map, scene.look()))
    }

    /// The cells that have pixels in the band, and some more, in drawing order.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let projection = self.projection;
        let [across, down] = self.corners.clone();
        projection.cells_with_corners(across, down).filter(move |cell| projection.size().contains(*cell))
    }
}

/// An image that is drawn above the marks of an overlay.
pub(super) struct AboveMarks {
    pub image: RgbaImage,
    /// Its corner in the map's picture without margin, at zoom 1.
    pub corner: (i32, i32),
    pub tint: Option<[f32; 3]>,
}

/// A part of a map's picture in progress, at zoom 1.
pub(super) struct Painter<'a> {
    map: &'a Layers,
    scene: &'a Scene,
    images: &'a TileImages,
    band: Band,
    picture: RgbaImage,
    /// The lamps that shine in it, as the alpha, as far as nothing is drawn over them. `None` if there are none.
    lamps: Option<RgbaImage>,
}

impl<'a> Painter<'a> {
    pub(super) fn new(map: &'a Layers, scene: &'a Scene, band: Band) -> Self {
        let picture = RgbaImage::new(band.size.0, band.size.1);
        Self::continue_picture(map, scene, band, picture)
    }

    /// A painter that draws above what is already in the picture of the band.
    pub(super) fn continue_picture(map: &'a Layers, scene: &'a Scene, band: Band, picture: RgbaImage) -> Self {
        Self { map, scene, images: scene.images(), band, picture, lamps: None }
    }

    /// The picture so far.
    pub(super) fn into_picture(self) -> RgbaImage {
        self.picture
    }

    /// The lamps alone that are lit at an hour, as the alpha of a picture that has no colours: it is transparent where
    /// something is drawn over them.
    pub(super) fn into_lamps(mut self, hour: Hour) -> RgbaImage {
        let (map, scene) = (self.map, self.scene);
        let is_lit = |cell: Cell| {
            let is_lamp = |image: &ImageId| scene.lamps(*image).is_some();
            scene.standing(map, cell).first().is_some_and(is_lamp) && is_lit_at(map, cell, hour)
        };
        if self.band.cells().any(is_lit) {
            self.standing(&[], &HashMap::new(), hour);
        }
        self.lamps.unwrap_or_else(|| RgbaImage::new(self.band.size.0, self.band.size.1))
    }

    /// Draws everything under the route marks.
    pub(super) fn ground_and_flat(&mut self) {
        self.slab();
        self.terrain();
        self.stacks(Scene::edges);
        self.stacks(Scene::flat);
        self.shade(Scene::shading_key);
    }

    /// Draws everything above the ground and the flat images: the signs of an announced eruption, figures, and the marks
    /// of a route, which shine through standing images, all in the light of an hour.
    pub(super) fn above_ground(
        &mut self,
        figures: &[PaintedFigure],
        marks: &[PlacedMark],
        through: &HashMap<Cell, ShineThrough>,
        warming: Option<Warming>,
        hour: Hour,
    ) {
        if let Some(warming) = warming {
            self.shade(|scene, map, cell| scene.warming_key(map, cell, warming));
        }
        self.shadows(figures);
        self.marks(marks);
        self.standing(figures, through, hour);
        self.light(hour, figures, marks);
        self.silhouettes(figures);
    }

    /// Draws route marks.
    fn marks(&mut self, marks: &[PlacedMark]) {
        for mark in marks {
            for image in mark_images(self.scene, self.map, mark) {
                self.draw(&image, mark.footing.corner, None);
            }
        }
    }

    fn slab(&mut self) {
        for cell in self.band.cells() {
            for image in self.scene.slab(self.map, cell) {
                let (x, y) = self.band.projection.corner(cell);
                self.draw(self.images.image(image), (x, y + self.images.tile().slab_offset()), None);
            }
        }
    }

    /// Draws faces and ground, cell by cell.
    fn terrain(&mut self) {
        for cell in self.band.cells() {
            let (x, y) = raised_corner(self.map, cell);
            let mut faces = self.scene.faces(self.map, cell).peekable();
            let tint = faces.peek().and_then(|_| self.tint(cell));
            for face in faces {
                let below = i32::from(face.below) * self.images.tile().level();
                self.draw(self.images.image(face.image), (x, y + below), tint);
            }
            if let Some(&image) = self.scene.ground(self.map, cell).first() {
                self.draw(self.images.image(image), (x, y), None);
            }
        }
    }

    /// Draws a layer of stacks. As in the window, each stack is first composed to one tile, so that colours are rounded
    /// in the same way.
    fn stacks(&mut self, layer: fn(&Scene, &Layers, Cell) -> ImageStack) {
        let mut tiles = HashMap::new();
        for cell in self.band.cells() {
            let stack = layer(self.scene, self.map, cell);
            if !stack.is_empty() {
                let tile = tiles.entry(stack).or_insert_with(|| stack.compose(self.images));
                self.on_cell(tile, cell, raised_corner(self.map, cell), None);
            }
        }
    }

    /// Draws the shading of the ground that has this key.
    fn shade(&mut self, key: impl Fn(&Scene, &Layers, Cell) -> Option<ShadingKey>) {
        let mut tiles = HashMap::new();
        for cell in self.band.cells() {
            if let Some(key) = key(self.scene, self.map, cell) {
                let tile = tiles.entry(key).or_insert_with_key(|key| self.scene.shading_image(key));
                // Like all images, it is aligned with the bottom of the tile image.
                self.on_cell(tile, cell, raised_corner(self.map, cell), None);
            }
        }
    }

    /// Draws the standing images with everything that shines through them, and the figures among them. Lamps are lit as
    /// at an hour.
    fn standing(&mut self, figures: &[PaintedFigure], through: &HashMap<Cell, ShineThrough>, hour: Hour) {
        let hour = shown_hour(hour);
        let is_dark = TerrainLight::is_seen(hour);
        let mut figures: Vec<_> = figures.iter().map(|figure| (Depth::of_figure(figure.feet), figure)).collect();
        figures.sort_by_key(|(depth, _)| *depth);
        let mut figures = figures.into_iter().peekable();
        for cell in self.band.cells() {
            while let Some((_, figure)) = figures.next_if(|(depth, _)| *depth < Depth::of_cell(cell)) {
                self.figure(figure);
            }
            if let Some(&image) = self.scene.standing(self.map, cell).first() {
                self.on_cell(self.images.image(image), cell, raised_corner(self.map, cell), self.tint(cell));
                let lamps = self.scene.lamps(image).filter(|_| is_dark && is_lit_at(self.map, cell, hour));
                if let Some(lamps) = lamps {
                    self.lamps(self.images.image(lamps), cell);
                }
            }
            if let Some(through) = through.get(&cell) {
                self.on_cell(&through.compose(self.images), cell, raised_corner(self.map, cell), None);
            }
        }
        for (_, figure) in figures {
            self.figure(figure);
        }
    }

    /// Draws the shadows of figures, which the classic look does not have.
    fn shadows(&mut self, figures: &[PaintedFigure]) {
        if self.scene.look() == Look::Plain {
            return;
        }
        let shadows: Vec<_> = figures.iter().filter_map(|figure| Some((figure.shadow?, figure.footing))).collect();
        for (shadow, (_, Footing { on, corner })) in FigureShadow::of(self.images, &shadows).iter().zip(&shadows) {
            self.on_cell(&shadow.draw(self.images), *on, *corner, None);
        }
    }

    fn figure(&mut self, figure: &PaintedFigure) {
        let Footing { on, corner } = figure.footing;
        self.on_cell(self.images.image(figure.image), on, corner, None);
    }

    /// The colour factors with which the light of eruptions tints standing images on a cell; `None` without such light.
    fn tint(&self, cell: Cell) -> Option<[f32; 3]> {
        Some(self.scene.tint(self.map, cell)).filter(|tint| *tint != [1.0; 3])
    }

    /// Draws faded standing images, for an overlay above them.
    pub(super) fn faded_standing(&mut self) {
        let mut faded = HashMap::new();
        for cell in self.band.cells().filter(|cell| !is_above_marks(self.map, *cell)) {
            if let Some(&image) = self.scene.standing(self.map, cell).first() {
                let image = faded.entry(image).or_insert_with(|| self.faded(image));
                self.on_cell(image, cell, raised_corner(self.map, cell), self.tint(cell));
            }
        }
    }

    /// The faded standing images that are above the marks of an overlay, from back to front.
    pub(super) fn above_marks(&self) -> Vec<AboveMarks> {
        let above = self.band.cells().filter(|cell| is_above_marks(self.map, *cell));
        above
            .filter_map(|cell| {
                let faded = self.faded(*self.scene.standing(self.map, cell).first()?);
                let corner = raised_corner(self.map, cell);
                let image = self.visible(&faded, cell, corner).into_owned();
                let corner = self.images.tile().align_image(corner, image.dimensions());
                Some(AboveMarks { image, corner, tint: self.tint(cell) })
            })
            .collect()
    }

    fn faded(&self, image: ImageId) -> RgbaImage {
        let mut faded = self.images.image(image).clone();
        faded.pixels_mut().for_each(|pixel| pixel.0[3] = (f32::from(pixel.0[3]) * FADED) as u8);
        faded
    }

    /// Lights everything that is drawn so far as at an hour. Figures carry lanterns, and the marks of a route shine, so
    /// that they can be seen at night.
    pub(super) fn light(&mut self, hour: Hour, figures: &[PaintedFigure], marks: &[PlacedMark]) {
        if self.scene.look() == Look::Plain {
            return;
        }
        let hour = shown_hour(hour);
        let carried = carried_lights(self.map, figures, marks);
        let corner = (-self.band.origin.0, -self.band.origin.1);
        let area = LightArea { corner, size: self.band.size, spacing: LightPicture::SPACING };
        if let Some(light) = LightPicture::new(self.map, self.scene, hour, area, carried) {
            light.light(&mut self.picture, corner);
        }
        let Some(lamps) = self.lamps.take() else { return };
        let (tables, light) = (SrgbTables::get(), lamp_light(hour));
        for (pixel, lamp) in self.picture.pixels_mut().zip(lamps.pixels()).filter(|(_, lamp)| lamp.0[3] > 0) {
            let brightness = f32::from(lamp.0[3]) / 255.0;
            *pixel = tables.brightened(*pixel, light.map(|channel| channel * brightness));
        }
    }

    /// Lights the lamps of the standing image of a cell, where terrain does not hide them.
    fn lamps(&mut self, image: &RgbaImage, on: Cell) {
        let corner = raised_corner(self.map, on);
        let (image, at) = (self.visible(image, on, corner), self.place(corner, image.dimensions()));
        let lamps = self.lamps.get_or_insert_with(|| RgbaImage::new(self.band.size.0, self.band.size.1));
        SrgbTables::get().draw(lamps, &image, at, None);
    }

    /// Draws the silhouettes of figures that are hidden.
    fn silhouettes(&mut self, figures: &[PaintedFigure]) {
        for PaintedFigure { image, feet, footing, .. } in figures.iter().filter(|figure| figure.shines_through) {
            if let Some(silhouette) = self.scene.silhouette(self.map, *image, *feet, *footing) {
                self.draw(&silhouette, footing.corner, None);
            }
        }
    }

    /// Draws the part of an image on a cell that terrain does not hide.
    fn on_cell(&mut self, image: &RgbaImage, on: Cell, corner: (i32, i32), tint: Option<[f32; 3]>) {
        let image = self.visible(image, on, corner);
        self.draw(&image, corner, tint);
    }

    /// The part of an image on a cell that terrain does not hide.
    fn visible<'i>(&self, image: &'i RgbaImage, on: Cell, corner: (i32, i32)) -> Cow<'i, RgbaImage> {
        let size = image.dimensions();
        let cover = self.scene.cover(self.map, on, self.images.tile().align_image(corner, size), size);
        cover.map_or(Cow::Borrowed(image), |cover| Cow::Owned(cover.cut(image, (0, 0))))
    }

    /// Draws an image, aligned with the tile image at `corner`.
    fn draw(&mut self, image: &RgbaImage, corner: (i32, i32), tint: Option<[f32; 3]>) {
        let at = self.place(corner, image.dimensions());
        SrgbTables::get().draw(&mut self.picture, image, at, tint);
        if let Some(lamps) = &mut self.lamps {
            erase(lamps, image, at);
        }
    }

    /// Where in the band an image of this size is drawn if it is aligned with the tile image at a corner.
    fn place(&self, (x, y): (i32, i32), size: (u32, u32)) -> (i32, i32) {
        self.images.tile().align_image((x + self.band.origin.0, y + self.band.origin.1), size)
    }
}
