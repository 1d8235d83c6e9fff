//! The people of a market town: twelve looks, each idle and walking in eight directions.

mod body;
mod cart;
mod clothes;
mod gear;
mod horse;
mod looks;

use super::Job;
use super::model::Model;
use super::render::Shot;
use super::vector::rgb;
use super::walk::{Stride, oval_shadow};
use emberwalk_path::grid::Direction;
use looks::Parts;
use std::f64::consts::TAU;

/// A kind of people, and the size of its images.
struct Look {
    name: &'static str,
    size: (usize, usize),
    /// The parts of somebody who walks in a direction.
    parts: fn(usize, Stride) -> Parts,
}

const LOOKS: [Look; 12] = [
    Look { name: "Peasant", size: (22, 44), parts: looks::peasant },
    Look { name: "FarmWoman", size: (20, 36), parts: looks::farm_woman },
    Look { name: "Townsman", size: (20, 38), parts: looks::townsman },
    Look { name: "Townswoman", size: (20, 36), parts: looks::townswoman },
    Look { name: "Merchant", size: (46, 44), parts: looks::merchant },
    Look { name: "Guard", size: (24, 52), parts: looks::guard },
    Look { name: "Rider", size: (36, 52), parts: looks::rider },
    Look { name: "Monk", size: (20, 40), parts: looks::monk },
    Look { name: "Child", size: (20, 30), parts: looks::child },
    Look { name: "Noble", size: (22, 42), parts: looks::noble },
    Look { name: "Woodcutter", size: (26, 38), parts: looks::woodcutter },
    Look { name: "Porter", size: (20, 38), parts: looks::porter },
];

/// The frames of a loop: the left foot in front, the right one passing, the right one in front, the left one passing.
const FRAMES: usize = 4;

fn frame(look: &'static Look, direction: usize, name: String, stride: Stride) -> Job {
    Box::new(move || {
        let model = Model::new((look.parts)(direction, stride).into_iter().flatten().collect());
        let shot = Shot::sized(look.size.0, look.size.1, 1.2).rim(1.0);
        vec![(name.clone(), shot.draw(&model).outlined(rgb(38, 24, 28)).image(4.0))]
    })
}

pub fn jobs() -> Vec<Job> {
    let mut jobs = vec![oval_shadow("L4_Cart_sh", (66, 58), (19.0, 9.0))];
    for look in &LOOKS {
        for (k, direction) in Direction::ALL.map(Direction::letters).into_iter().enumerate() {
            let stem = format!("L4_{}{direction}", look.name);
            jobs.push(frame(look, k, format!("{stem}I"), Stride::default()));
            for f in 0..FRAMES {
                let stride = Stride::at(TAU * (f + 1) as f64 / FRAMES as f64);
                jobs.push(frame(look, k, format!("{stem}{f}"), stride));
            }
        }
    }
    jobs
}
