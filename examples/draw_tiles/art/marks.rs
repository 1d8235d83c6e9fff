//! The marks on the map: chevrons of the route, the flag at the goal, outlines of cells, and the ring around somebody's
//! feet.

use super::cloth::Flag;
use super::field::{ball, capsule};
use super::ground::VARIANTS;
use super::model::{Model, Part};
use super::picture::{Picture, SIZE};
use super::render::Shot;
use super::vector::{Vec3, norm, rgb, vec3};
use super::walk::heading;
use super::{Job, NamedImage};
use emberwalk_path::grid::Direction;
use std::f64::consts::{SQRT_2, TAU};

fn goal_flag(frame: usize) -> Model {
    let phase = TAU * frame as f64 / 4.0;
    let flag = Flag { x: 0.0, y: 0.0, z: 0.76, tall: 0.13, long: 0.46, swallow: 0.0, waves: 15.0, phase, depth: 0.035 };
    let (gold, cream) = (rgb(250, 196, 60), rgb(255, 240, 214));
    let cloth = move |p: Vec3, _: Vec3| {
        let s = (p.x + p.y) / SQRT_2;
        let stripe = if s.rem_euclid(0.20) < 0.10 { gold } else { cream };
        stripe * (1.05 + 0.22 * (s * 15.0 - phase).sin())
    };
    let stones = |p: Vec3| {
        let around = [vec3(0.06, 0.04, 0.0), vec3(-0.06, 0.03, 0.0), vec3(0.0, -0.06, 0.0)];
        around.iter().fold(9.0, |d: f64, &c| d.min(ball(p, c, 0.066)))
    };
    Model::new(vec![
        Part::new(move |p| flag.at(p), cloth).within(0.16, 0.16, 0.26, 0.95),
        Part::plain(|p| capsule(p, Vec3::default(), vec3(0.0, 0.0, 0.94), 0.020), rgb(120, 84, 52)),
        Part::plain(|p| ball(p, vec3(0.0, 0.0, 0.96), 0.035), rgb(236, 190, 84)),
        Part::plain(stones, rgb(150, 146, 138)),
    ])
}

/// Draws a chevron, in pixels of a picture with a vertical scale of 0.75,
/// because with the true 0.5 it would be too distorted to read.
fn chevron(direction: usize) -> Picture {
    const SQUASH: f64 = 0.75;
    let (east, south) = heading(direction);
    let ahead = (26.0 * (east + south), 13.0 * (south - east) / SQUASH);
    let long = norm(ahead.0, ahead.1);
    let (ax, ay) = (ahead.0 / long, ahead.1 / long);
    let core = |sx: f64, sy: f64| {
        let (x, y) = (sx - 27.0, (sy - 40.0) / SQUASH);
        let (l, w) = (x * ax + y * ay, (y * ax - x * ay).abs());
        let t = (((3.6 - l) * 6.2 + w * 5.6) / (6.2 * 6.2 + 5.6 * 5.6)).clamp(0.0, 1.0);
        norm(l - 3.6 + 6.2 * t, w - 5.6 * t) < 1.45
    };
    let mut picture = Picture::empty(SIZE, SIZE);
    for k in 0..SIZE * SIZE {
        let (i, j) = (k % SIZE, k / SIZE);
        let samples = (0..16).filter(|s| {
            let at = |pixel: usize, part: usize| pixel as f64 + (part as f64 + 0.5) / 4.0;
            core(at(i, s % 4), at(j, s / 4))
        });
        if samples.count() >= 8 {
            picture.set(i, j, rgb(255, 214, 96));
        }
    }
    picture.outlined(rgb(74, 34, 18))
}

/// Draws a dot of the route that a click would take. It has no direction, so it cannot be mistaken for a chevron, and
/// both outlines together stand out on every ground.
fn dot() -> Picture {
    let (cream, brown) = (rgb(255, 244, 214), rgb(48, 26, 16));
    outline(|x, y, _| match norm(x, y / 0.62) {
        r if r < 3.4 => Some(cream),
        r if r < 5.4 => Some(brown),
        _ => None,
    })
}

/// Draws the pixels for which `colour(x, y, f)` is `Some`; x and y are pixels from the centre of the cell, f is 27.5 at
/// its edge.
fn outline(colour: impl Fn(f64, f64, f64) -> Option<Vec3>) -> Picture {
    let mut picture = Picture::empty(SIZE, SIZE);
    for k in 0..SIZE * SIZE {
        let (i, j) = (k % SIZE, k / SIZE);
        let (x, y) = (i as f64 + 0.5 - 27.0, j as f64 + 0.5 - 40.0);
        if let Some(c) = colour(x, y, x.abs() + 2.0 * y.abs()) {
            picture.set(i, j, c);
        }
    }
    picture
}

fn cursors() -> Vec<NamedImage> {
    let (cream, brown) = (rgb(255, 236, 160), rgb(60, 40, 20));
    let corner = |x: f64, y: f64| x.abs() > 17.0 || y.abs() > 8.5;
    let pointer = outline(|x, y, f| match f {
        _ if f > 20.5 && f <= 23.5 && corner(x, y) => Some(brown),
        _ if f <= 27.5 && f > if corner(x, y) { 23.5 } else { 25.5 } => Some(cream),
        _ => None,
    });
    // A dashed border and a cross, so that it is recognisable without colour.
    let (rust, night) = (rgb(255, 120, 84), rgb(70, 16, 16));
    let blocked = outline(|x, y, f| {
        let dash = (x + 28.0).rem_euclid(8.0) < 5.0;
        let cross = (x.abs() - 2.0 * y.abs()).abs();
        match f {
            _ if f > 23.5 && f <= 27.5 && dash => Some(rust),
            _ if f > 20.5 && f <= 23.5 && dash => Some(night),
            _ if f < 13.0 && cross < 2.1 => Some(rust),
            _ if f < 15.5 && cross < 5.1 => Some(night),
            _ => None,
        }
    });
    // A thin line inside the outline under the pointer, so that they can be combined.
    let (white, navy) = (rgb(255, 252, 240), rgb(16, 30, 52));
    let tile_cursor = outline(|_, _, f| match f {
        _ if f > 19.5 && f <= 22.0 => Some(white),
        _ if f > 17.5 && f <= 24.0 => Some(navy),
        _ => None,
    });
    [
        ("L9_Cursor", pointer),
        ("L9_CursorBlocked", blocked),
        ("L9_TileCursor", tile_cursor),
        ("L9_Fault", fault()),
        ("L9_Selected", ring()),
        ("L9_Opening", opening()),
        ("L9_Queue", queue()),
        ("L9_Wait", wait()),
        ("L9_Changed", changed()),
    ]
    .map(|(name, picture)| (name.to_owned(), picture.image(5.0)))
    .into()
}

/// Draws an hourglass on the ground: somebody waits here.
fn wait() -> Picture {
    let (cream, brown) = (rgb(255, 244, 214), rgb(48, 26, 16));
    let inside = |x: f64, y: f64, more: f64| {
        let is_glass = x.abs() < 2.2 + 1.15 * y.abs() + more && y.abs() < 8.0 + more;
        let is_end = x.abs() < 13.0 + more && (y.abs() - 8.5).abs() < 1.5 + more;
        is_glass || is_end
    };
    outline(|x, y, _| match () {
        () if inside(x, y, 0.0) => Some(cream),
        () if inside(x, y, 2.2) => Some(brown),
        () => None,
    })
}

/// Draws a ring on the ground around the feet of somebody.
fn ring() -> Picture {
    let (ice, navy) = (rgb(158, 226, 255), rgb(12, 34, 58));
    outline(|x, y, _| match norm(x, 2.0 * y) {
        r if r > 14.5 && r <= 18.5 => Some(ice),
        r if r > 12.5 && r <= 20.5 => Some(navy),
        _ => None,
    })
}

/// Draws a dashed border: what is on this cell could go.
fn opening() -> Picture {
    let (gold, night) = (rgb(255, 208, 84), rgb(52, 30, 12));
    outline(|x, _, f| match f {
        _ if f > 21.0 && f <= 25.5 && (x + 27.0).rem_euclid(9.0) < 5.5 => Some(gold),
        _ if f > 19.0 && f <= 27.5 => Some(night),
        _ => None,
    })
}

/// Draws hatching over a cell: people queue there.
fn queue() -> Picture {
    let (cream, night) = (rgb(255, 236, 196), rgb(70, 14, 16));
    outline(|x, y, f| match (x + 2.0 * y).rem_euclid(12.0) {
        stripe if f <= 25.5 && stripe < 4.0 => Some(cream),
        stripe if f <= 25.5 && stripe < 7.0 => Some(night),
        _ => None,
    })
}

/// Draws the whole ground of a cell, which flashes.
fn changed() -> Picture {
    outline(|_, _, f| (f <= 27.5).then_some(rgb(255, 250, 226)))
}

/// Draws the border of a cell as a striped band with an exclamation mark in the middle, so that it is recognisable
/// without colour, with every outline and on every ground.
fn fault() -> Picture {
    let (yellow, night, red) = (rgb(255, 226, 74), rgb(44, 18, 20), rgb(232, 44, 40));
    outline(|x, y, f| {
        // The exclamation mark stands in the middle: a bar that tapers, and a dot.
        let bar = |wider: f64| (-7.0 - wider..1.5 + wider).contains(&y) && x.abs() < 2.4 + wider - (y + 7.0) * 0.1;
        let dot = |wider: f64| norm(x, y - 5.0) < 2.3 + wider;
        let stripe = x.rem_euclid(9.0) < 4.5;
        match f {
            _ if bar(0.0) || dot(0.0) => Some(red),
            _ if bar(1.4) || dot(1.4) => Some(yellow),
            _ if f > 20.5 && f <= 27.5 => Some(if stripe { yellow } else { night }),
            _ => None,
        }
    })
}

pub fn jobs() -> Vec<Job> {
    let preview: Job = Box::new(|| vec![("L2_RoutePreview".to_owned(), dot().image(5.0))]);
    let mut jobs: Vec<Job> = vec![Box::new(cursors), preview];
    for (k, direction) in Direction::ALL.map(Direction::letters).into_iter().enumerate() {
        jobs.push(Box::new(move || vec![(format!("L2_Route{direction}"), chevron(k).image(5.0))]));
    }
    for (frame, letter) in VARIANTS.into_iter().take(4).enumerate() {
        jobs.push(Box::new(move || {
            let (model, shot) = (goal_flag(frame), Shot::tile(1.05));
            let name = format!("L3_GoalFlag01{letter}");
            let picture = shot.draw(&model).outlined(rgb(50, 30, 20));
            vec![(name.clone(), picture.image(5.0)), (format!("{name}_sh"), shot.shadow(&model))]
        }));
    }
    jobs
}
