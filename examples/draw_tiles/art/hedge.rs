//! Hedges around fields, with gaps where people walk through, and gardens beside cottages.

use super::autotile::{Side, sides};
use super::field::{ball, cuboid};
use super::leaves::{bush, hedge_green, leafy};
use super::model::{Model, Part};
use super::noise::{noise2, noise3};
use super::render::Shot;
use super::vector::{Vec3, rgb, vec3};
use super::{Job, standing};
use emberwalk_map::terrain::NeighbourMask;

/// Where the middle of a hedge is, and how high it is.
const AT: f64 = 0.45;
const TALL: f64 = 0.15;
/// Half of the gap in the middle of a side.
const GAP: f64 = 0.10;

/// The point in coordinates of a side: towards it, along it, up.
fn local(p: Vec3, (east, south): Side) -> Vec3 {
    vec3(p.x * east + p.y * south, p.y * east - p.x * south, p.z)
}

fn hedge(side: Side, seed: i64) -> Part {
    let field = move |p: Vec3| {
        let q = local(p, side);
        let along = q.y.abs();
        let tall = TALL * (0.84 + 0.34 * noise2(q.y + 3.0, 0.0, 5.0, seed));
        let (middle, half) = ((GAP + 0.53) / 2.0, (0.53 - GAP) / 2.0);
        cuboid(vec3(q.x, along, q.z), vec3(AT, middle, tall / 2.0), vec3(0.045, half, tall / 2.0), 0.035)
    };
    leafy(field, (0.0, TALL), hedge_green(), seed)
}

fn garden(side: Side, seed: i64) -> Model {
    // Four rows of cabbages and lettuce in a bed of earth.
    let bed = move |p: Vec3| {
        let q = local(p, side);
        cuboid(q, vec3(0.24, 0.0, 0.0), vec3(0.19, 0.30, 0.022), 0.01) - 0.012 * noise3(p, 12.0, seed)
    };
    let heads: Vec<(Vec3, f64, bool)> = (0..20)
        .map(|k| {
            let (row, column) = (f64::from(k / 5), f64::from(k % 5));
            (vec3(0.10 + 0.095 * row, -0.24 + 0.12 * column, 0.035), 0.038, (k / 5 + seed as i32) % 2 == 0)
        })
        .collect();
    let painted = heads.clone();
    let nearest = move |q: Vec3, heads: &[(Vec3, f64, bool)]| {
        heads
            .iter()
            .map(|&(c, r, blue)| (ball(q, c, r), blue))
            .fold((9.0f64, false), |a, b| if b.0 < a.0 { b } else { a })
    };
    let cabbages = move |p: Vec3| nearest(local(p, side), &heads).0 + 0.012 * (noise3(p, 45.0, seed) - 0.5);
    let leaf = move |p: Vec3, _: Vec3| {
        let blue = nearest(local(p, side), &painted).1;
        let c = if blue { rgb(116, 156, 118) } else { rgb(134, 168, 62) };
        c * (0.78 + 0.5 * noise3(p, 40.0, seed))
    };
    let soil = |p: Vec3, _: Vec3| rgb(116, 86, 58) * (0.82 + 0.36 * noise3(p, 30.0, 4));
    let at = |along: f64, across: f64| (along * side.0 - across * side.1, along * side.1 + across * side.0);
    let bushes = [(0.36, 0.38, 0.085), (0.06, -0.38, 0.075)];
    let bushes =
        bushes.into_iter().zip(0..).map(|((along, across, r), k)| bush(at(along, across), r, hedge_green(), seed + k));
    Model::new([Part::new(bed, soil), Part::new(cabbages, leaf)].into_iter().chain(bushes).collect())
}

pub fn jobs() -> Vec<Job> {
    let mut jobs = Vec::new();
    for mask in NeighbourMask::all().skip(1) {
        let around = sides(mask);
        let suffix = mask.side_suffix();
        if let [side] = around[..] {
            let seed = mask.index() as i64;
            jobs.push(standing(format!("L2_Garden{suffix}"), Shot::tile(0.25).flat(), move || garden(side, seed)));
        }
        // A hedge continues a little into the neighbour, so that there is no gap.
        let shot = Shot::tile(0.3).clip(|p| p.x.abs().max(p.y.abs()) < 0.52).flat();
        let model = move || Model::new(around.iter().zip(0..).map(|(&side, k)| hedge(side, 30 + k)).collect());
        jobs.push(standing(format!("L2_Hedge{suffix}"), shot, model));
    }
    jobs
}
