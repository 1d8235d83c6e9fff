//! The marks on the map: chevrons of the route, the flag at the goal, and outlines of cells.

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
    // Brackets inside the four corners, so that they can be combined with the outline under the pointer.
    let (ice, navy) = (rgb(190, 240, 255), rgb(16, 40, 66));
    let brackets = outline(|x, y, f| {
        let near = x.abs() > 18.5 || y.abs() > 9.0;
        match f {
            _ if f > 21.5 && f <= 25.5 && near => Some(ice),
            _ if (f > 18.5 && f <= 21.5 || f > 25.5 && f <= 27.5) && (x.abs() > 16.5 || y.abs() > 8.0) => Some(navy),
            _ => None,
        }
    });
    [("L9_Cursor", pointer), ("L9_CursorBlocked", blocked), ("L9_TileCursor", brackets), ("L9_Fault", fault())]
        .map(|(name, picture)| (name.to_owned(), picture.image(5.0)))
        .into()
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
