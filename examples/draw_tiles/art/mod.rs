//! Draws every tile of the game from small models, without any images by other authors.

mod air;
mod autotile;
mod bridge;
mod castle;
mod church;
mod cliff;
mod cloth;
mod cottage;
mod crops;
mod details;
mod edges;
mod field;
mod figure;
mod gate;
mod ground;
mod hedge;
mod jetty;
mod leaves;
mod light;
mod marks;
mod model;
mod mountain;
mod noise;
mod orchard;
mod paving;
mod people;
mod picture;
mod pine;
mod plane;
mod render;
mod road;
mod roof;
mod scaffold;
mod sheep;
mod slab;
mod stall;
mod stone;
mod tent;
mod thicket;
mod timber;
mod tombstone;
mod town_house;
mod vector;
mod volcano;
mod walk;
mod wall;
mod well;
mod windmill;

use image::RgbaImage;
use model::Model;
use render::Shot;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An image and its file name without extension.
pub type NamedImage = (String, RgbaImage);

/// One or several images that can be drawn independently of all others.
pub type Job = Box<dyn Fn() -> Vec<NamedImage> + Send + Sync>;

fn whole(tiles: fn() -> Vec<NamedImage>) -> Vec<Job> {
    vec![Box::new(tiles)]
}

/// Makes the job for a standing image, its lamps if it has any, and its shadow on the ground.
fn standing(name: String, shot: Shot, model: impl Fn() -> Model + Send + Sync + 'static) -> Job {
    Box::new(move || {
        let model = model();
        let picture = shot.draw(&model);
        let lamps = picture.lamp_image().map(|lamps| (format!("{name}_lit"), lamps));
        let images = [(name.clone(), picture.image(5.0)), (format!("{name}_sh"), shot.shadow(&model))];
        images.into_iter().chain(lamps).collect()
    })
}

/// A group name, and the function that makes its jobs.
type Group = (&'static str, fn() -> Vec<Job>);

/// The groups that can be drawn separately.
pub const GROUPS: [Group; 33] = [
    ("ground", || whole(ground::tiles)),
    ("edges", edges::jobs),
    ("slab", || whole(slab::tiles)),
    ("cliff", || whole(cliff::tiles)),
    ("road", || whole(road::tiles)),
    ("bridge", bridge::jobs),
    ("wall", wall::jobs),
    ("pine", pine::jobs),
    ("thicket", thicket::jobs),
    ("mountain", mountain::jobs),
    ("volcano", volcano::jobs),
    ("castle", castle::jobs),
    ("tent", tent::jobs),
    ("tombstone", tombstone::jobs),
    ("paving", || whole(paving::tiles)),
    ("crops", crops::jobs),
    ("gate", gate::jobs),
    ("town_house", town_house::jobs),
    ("cottage", cottage::jobs),
    ("stall", stall::jobs),
    ("well", well::jobs),
    ("church", church::jobs),
    ("windmill", windmill::jobs),
    ("sheep", sheep::jobs),
    ("traveller", figure::jobs),
    ("people", people::jobs),
    ("marks", marks::jobs),
    ("scaffold", scaffold::jobs),
    ("air", air::jobs),
    ("details", details::jobs),
    ("hedge", hedge::jobs),
    ("jetty", jetty::jobs),
    ("orchard", orchard::jobs),
];

/// Draws the tiles of every group for which `wanted` is true, on all processors, and returns them sorted by name.
pub fn draw(wanted: impl Fn(&str) -> bool) -> Vec<NamedImage> {
    let jobs: Vec<Job> = GROUPS.iter().filter(|group| wanted(group.0)).flat_map(|group| group.1()).collect();
    let next = AtomicUsize::new(0);
    let drawn = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let tiles = job();
                    drawn.lock().expect("no thread panics while it holds this").extend(tiles);
                }
            });
        }
    });
    let mut tiles = drawn.into_inner().expect("every thread has ended");
    tiles.sort_by(|a: &NamedImage, b: &NamedImage| a.0.cmp(&b.0));
    tiles
}

/// Draws all tiles.
pub fn draw_all() -> Vec<NamedImage> {
    draw(|_| true)
}
