//! The people of a market town: twelve looks, most of them in two outfits, each idle, at rest and walking in eight directions.

mod body;
mod cart;
mod clothes;
mod gear;
mod horse;
mod looks;

use super::Job;
use super::model::Model;
use super::render::Shot;
use super::walk::{Contact, Stride, contact_shadow};
use emberwalk_path::grid::Direction;
use looks::Parts;
use std::f64::consts::TAU;

/// A kind of people, and the size of its images.
struct Look {
    name: &'static str,
    size: (usize, usize),
    /// The parts of somebody in an outfit who walks in a direction.
    parts: fn(usize, usize, Stride) -> Parts,
    /// The number of outfits.
    outfits: usize,
}

const LOOKS: [Look; 12] = [
    Look { name: "Peasant", size: (22, 44), parts: looks::peasant, outfits: 2 },
    Look { name: "FarmWoman", size: (20, 36), parts: looks::farm_woman, outfits: 2 },
    Look { name: "Townsman", size: (20, 38), parts: looks::townsman, outfits: 2 },
    Look { name: "Townswoman", size: (20, 36), parts: looks::townswoman, outfits: 2 },
    Look { name: "Merchant", size: (46, 44), parts: looks::merchant, outfits: 2 },
    Look { name: "Guard", size: (24, 52), parts: looks::guard, outfits: 1 },
    Look { name: "Rider", size: (36, 52), parts: looks::rider, outfits: 2 },
    Look { name: "Monk", size: (20, 40), parts: looks::monk, outfits: 1 },
    Look { name: "Child", size: (20, 30), parts: looks::child, outfits: 2 },
    Look { name: "Noble", size: (22, 42), parts: looks::noble, outfits: 1 },
    Look { name: "Woodcutter", size: (26, 38), parts: looks::woodcutter, outfits: 1 },
    Look { name: "Porter", size: (20, 38), parts: looks::porter, outfits: 2 },
];

/// The frames of a loop: the left foot in front, the right one passing, the right one in front, the left one passing.
const FRAMES: usize = 4;

fn frame(look: &'static Look, outfit: usize, direction: usize, name: String, stride: Stride) -> Job {
    Box::new(move || {
        let model = Model::new((look.parts)(outfit, direction, stride).into_iter().flatten().collect());
        let shot = Shot::sized(look.size.0, look.size.1, 1.2).rim(1.0);
        vec![(name.clone(), shot.draw(&model).outlined_locally().image(4.0))]
    })
}

pub fn jobs() -> Vec<Job> {
    let mut jobs = vec![contact_shadow("L4_Cart_sh", (74, 28), Contact { radii: (15.0, 6.4), cast: 13.0 })];
    let outfits = LOOKS.iter().flat_map(|look| (0..look.outfits).map(move |outfit| (look, outfit)));
    for (look, outfit) in outfits {
        let number = if outfit > 0 { (outfit + 1).to_string() } else { String::new() };
        for (k, direction) in Direction::ALL.map(Direction::letters).into_iter().enumerate() {
            let stem = format!("L4_{}{number}{direction}", look.name);
            jobs.push(frame(look, outfit, k, format!("{stem}I"), Stride::default()));
            jobs.push(frame(look, outfit, k, format!("{stem}R"), Stride::gesturing()));
            for f in 0..FRAMES {
                let stride = Stride::at(TAU * (f + 1) as f64 / FRAMES as f64);
                jobs.push(frame(look, outfit, k, format!("{stem}{f}"), stride));
            }
        }
    }
    jobs
}
