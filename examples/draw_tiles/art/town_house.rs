//! Town houses: two half-timbered storeys under a steep roof of tiles; some chimneys smoke.

use super::field::cuboid;
use super::ground::VARIANTS;
use super::model::{Model, Part, Surface};
use super::render::Shot;
use super::roof::{Cover, FRAMES, Roof, chimney, smoke};
use super::timber::{Door, Timber, Window};
use super::vector::{Vec3, rgb, vec3};
use super::{Job, NamedImage};

/// The heights of the lower and the upper storey.
const LOW: f64 = 0.42;
const HIGH: f64 = 0.80;
const CHIMNEY: f64 = 1.36;

/// What distinguishes the houses.
#[derive(Clone, Copy)]
struct Look {
    name: &'static str,
    tiles: Vec3,
    plaster: Vec3,
    /// Whether a dormer looks out of the roof.
    dormer: bool,
    /// The side of the gable, W or S, of the house whose chimney smokes.
    smokes: Option<&'static str>,
    seed: i64,
}

fn looks() -> [Look; 3] {
    let (terracotta, russet, slate) = (rgb(182, 88, 54), rgb(150, 70, 52), rgb(92, 106, 132));
    let (lime, cream, ochre) = (rgb(232, 226, 210), rgb(226, 206, 166), rgb(214, 172, 112));
    [
        Look { name: "Terracotta", tiles: terracotta, plaster: lime, dormer: false, smokes: Some("W"), seed: 2 },
        Look { name: "Russet", tiles: russet, plaster: cream, dormer: true, smokes: None, seed: 6 },
        Look { name: "Slate", tiles: slate, plaster: ochre, dormer: true, smokes: Some("S"), seed: 3 },
    ]
}

/// The chimney stands on the far slope, at the other end than the dormer.
fn chimney_at(look: Look) -> (f64, f64) {
    (if look.dormer { 0.22 } else { -0.2 }, -0.13)
}

/// A dormer in the slope towards the camera.
fn dormer(tiles: Vec3) -> Part {
    let field = |p: Vec3| {
        let q = vec3(p.x + 0.04, p.y - 0.29, p.z);
        let gable = (p.z - HIGH - 0.29 + q.x.abs()) * 0.7;
        cuboid(q, vec3(0.0, -0.02, HIGH + 0.14), vec3(0.11, 0.12, 0.15), 0.0).max(gable)
    };
    let paint = move |p: Vec3, n: Vec3| {
        let pane = ((p.x + 0.04).abs() - 0.045).max((p.z - HIGH - 0.10).abs() - 0.055) < 0.0;
        match (n.z > 0.3, pane) {
            (true, _) => (tiles * 0.95).into(),
            (_, true) => Surface::from(rgb(246, 202, 120) * 0.7).with_lamp(1.0),
            _ => rgb(100, 70, 50).into(),
        }
    };
    Part::new(field, paint).within(-0.04, 0.27, 0.2, HIGH + 0.3)
}

fn parts(look: Look) -> Vec<Part> {
    const DOWN: [Window; 1] = [Window { at: 0.24, z: 0.24, half: (0.05, 0.065) }];
    const UP: [Window; 2] = [
        Window { at: 0.20, z: LOW + 0.20, half: (0.058, 0.075) },
        Window { at: 0.0, z: HIGH + 0.12, half: (0.05, 0.06) },
    ];
    let door = Door { in_gable: !look.dormer, at: 0.0, top: 0.31 };
    let shutters = if look.dormer { rgb(86, 110, 92) } else { rgb(120, 70, 52) };
    let ground = Timber {
        long: 0.36,
        wide: 0.33,
        beams: (0.085, 0.40),
        post: 0.14,
        windows: &DOWN,
        door: Some(door),
        plaster: look.plaster,
        shutters,
        seed: look.seed,
    };
    let upper = Timber {
        long: 0.40,
        wide: 0.37,
        beams: (LOW + 0.02, HIGH - 0.03),
        post: 0.10,
        windows: &UP,
        door: None,
        seed: look.seed + 1,
        ..ground
    };
    let roof =
        Roof { x: 0.0, long: 0.465, wide: 0.435, eave: HIGH - 0.05, ridge: 1.30, cover: Cover::Tiles(look.tiles) };
    let walls = move |p: Vec3| {
        let low = cuboid(p, vec3(0.0, 0.0, LOW / 2.0 - 0.1), vec3(ground.long, ground.wide, LOW / 2.0 + 0.1), 0.0);
        let high = cuboid(p, vec3(0.0, 0.0, LOW + 0.5), vec3(upper.long, upper.wide, 0.5), 0.0);
        low.min(high.max(roof.above(p) + 0.03))
    };
    let paint = move |p: Vec3, n: Vec3| if p.z < LOW - 0.005 { ground.at(p, n) } else { upper.at(p, n) };
    let (x, y) = chimney_at(look);
    let mut parts = vec![Part::new(walls, paint), roof.part(), chimney(x, y, 0.9, CHIMNEY)];
    if look.dormer {
        parts.push(dormer(look.tiles));
    }
    parts
}

/// The house with its gable to the west, or mirrored, to the south.
fn model(parts: Vec<Part>, is_mirrored: bool) -> Model {
    let model = Model::new(parts);
    if is_mirrored { model.mirrored() } else { model }
}

/// One image, or an animation if the chimney smokes.
fn house(name: &str, look: Look, is_mirrored: bool, smokes: bool) -> Vec<NamedImage> {
    let shot = Shot::sized(84, 80, 2.0);
    let calm = model(parts(look), is_mirrored);
    let picture = shot.draw(&calm);
    let shadow = shot.shadow(&calm);
    let (x, y) = chimney_at(look);
    let frames = VARIANTS.iter().take(if smokes { FRAMES } else { 1 });
    let draw = |(frame, letter): (usize, &&str)| {
        let mut image = picture.image(5.0);
        if smokes {
            let (x, y) = if is_mirrored { (-y, -x) } else { (x, y) };
            smoke(&mut image, shot.on_screen(vec3(x, y, CHIMNEY)), frame);
        }
        let lamps = picture.lamp_image().map(|lamps| (format!("{name}{letter}_lit"), lamps));
        let images = [(format!("{name}{letter}"), image), (format!("{name}{letter}_sh"), shadow.clone())];
        images.into_iter().chain(lamps)
    };
    frames.enumerate().flat_map(draw).collect()
}

pub fn jobs() -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    for look in looks() {
        for (side, is_mirrored) in [("W", false), ("S", true)] {
            let name = format!("L2_House{}{side}", look.name);
            let smokes = look.smokes == Some(side);
            jobs.push(Box::new(move || house(&name, look, is_mirrored, smokes)));
        }
    }
    jobs
}
