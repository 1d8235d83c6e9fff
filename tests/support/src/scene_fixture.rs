//! A tileset with its images and scene, and maps for it.

use std::sync::{Arc, LazyLock};

use emberwalk_map::Map;
use emberwalk_map::terrain::Tileset;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_picture::scene::{Look, Scene};
use emberwalk_picture::tiles::{ImageId, TileImages};

use crate::Random;

/// A tileset, its images, and the scenes made of them.
pub struct Stage {
    /// The tileset.
    pub tileset: Arc<Tileset>,
    /// Its images.
    pub assets: Arc<TileImages>,
    /// Its scene in the full look.
    pub scene: Scene,
    /// Its scene in the classic look.
    pub plain: Scene,
}

/// The embedded tileset, loaded once.
pub static BUNDLED: LazyLock<Stage> = LazyLock::new(|| Stage::new(None));

impl Stage {
    /// Loads the tileset of a folder, or the embedded one.
    pub fn new(folder: Option<&std::path::Path>) -> Self {
        let tileset = Arc::new(Tileset::load(folder).unwrap_or_else(|diagnostics| panic!("{diagnostics}")));
        let assets = TileImages::load(&tileset, folder).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
        let assets = Arc::new(assets);
        let [scene, plain] = [Look::Full, Look::Plain].map(|look| Scene::new(&tileset, assets.clone(), look));
        Self { tileset, assets, scene, plain }
    }

    /// The scene in a look.
    pub fn in_look(&self, look: Look) -> &Scene {
        if look == Look::Plain { &self.plain } else { &self.scene }
    }

    /// A map of these rows.
    pub fn map(&self, base: &[impl AsRef<str>], overlay: &[impl AsRef<str>]) -> Map {
        crate::map_with(&self.tileset, base, overlay)
    }

    /// A map of one ground with a few overlays.
    pub fn uniform_map(&self, ground: char, size: Size, things: &[(Cell, char)]) -> Map {
        let base = vec![ground.to_string().repeat(size.width as usize); size.height as usize];
        let thing = |cell: Cell| things.iter().find(|(at, _)| *at == cell).map_or('.', |(_, char)| *char);
        let row = |y: i32| (0..size.width as i32).map(|x| thing(Cell::new(x, y))).collect::<String>();
        self.map(&base, &(0..size.height as i32).map(row).collect::<Vec<_>>())
    }

    /// A map of random terrain, which is the same for the same seed.
    pub fn random_map(&self, size: Size, seed: u64) -> Map {
        let mut random = Random(seed);
        let mut rows = |chars: &str| -> Vec<String> {
            let chars: Vec<char> = chars.chars().collect();
            (0..size.height).map(|_| (0..size.width).map(|_| random.pick(&chars)).collect()).collect()
        };
        let base = rows("GGGSD~");
        self.map(&base, &rows("......RRBWWFTMvVvt"))
    }

    /// The names of images.
    pub fn names(&self, images: &[ImageId]) -> Vec<&str> {
        images.iter().map(|image| self.assets.name(*image)).collect()
    }
}
