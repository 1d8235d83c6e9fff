//! Orchards: fruit trees in rows, by houses and fields.

use super::ground::VARIANTS;
use super::leaves::{Foliage, tree};
use super::model::Model;
use super::noise::hash;
use super::render::Shot;
use super::vector::rgb;
use super::{Job, standing};

/// The rows of trees, with the places that are free in each variant.
const ROWS: [(f64, f64); 4] = [(-0.23, -0.23), (0.23, -0.23), (-0.23, 0.23), (0.23, 0.23)];

/// Apples, cherries and plums.
fn fruits() -> [Foliage; 3] {
    let (dark, light) = (rgb(50, 86, 38), rgb(126, 152, 66));
    [
        Foliage { dark, light, fruit: Some(rgb(206, 66, 50)) },
        Foliage { dark, light: rgb(112, 146, 72), fruit: Some(rgb(226, 190, 84)) },
        Foliage { dark: rgb(56, 88, 48), light: rgb(132, 160, 90), fruit: Some(rgb(238, 214, 214)) },
    ]
}

fn model(variant: usize) -> Model {
    let trees = ROWS.into_iter().enumerate().flat_map(|(k, (x, y))| {
        let own = |salt: i64| hash(&[variant as i64, k as i64, salt]);
        let at = (x + 0.06 * (own(1) - 0.5), y + 0.06 * (own(2) - 0.5));
        tree(at, 0.32 + 0.05 * own(3), 0.155 + 0.025 * own(4), fruits()[variant], 40 + variant as i64 * 7 + k as i64)
    });
    Model::new(trees.collect())
}

pub fn jobs() -> Vec<Job> {
    let variants = VARIANTS.into_iter().take(fruits().len()).enumerate();
    variants
        .map(|(variant, letter)| standing(format!("L2_Orchard01{letter}"), Shot::tile(0.7), move || model(variant)))
        .collect()
}
