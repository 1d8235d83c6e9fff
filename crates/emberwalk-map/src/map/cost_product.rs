//! The product of a cell's terrain cost and all influences on it.

use crate::terrain::Effect;
use emberwalk_path::EntryCost;

/// 2^512: a power of two, so that multiplying or dividing by it does not round.
const SCALE: f64 = f64::from_bits((f64::MAX_EXP as u64 - 1 + 512) << (f64::MANTISSA_DIGITS - 1));

/// A cost in tiles, times a power of [`SCALE`].
///
/// Thousands of influences can affect one cell, and their product can leave the range of an `f64` and come back. So the
/// exponent is adjusted when the number becomes too large or too small. Otherwise it works like an `f64`: factors are
/// applied in order, and each result is rounded to 53 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct CostProduct {
    tiles: f64,
    power: i32,
}

impl CostProduct {
    /// Starts with the cost of the terrain, in tiles.
    pub fn new(tiles: f64) -> Self {
        Self { tiles, power: 0 }
    }

    /// Applies one influence.
    pub fn apply(&mut self, effect: Effect, factor: f64) {
        match effect {
            Effect::Multiply => self.tiles *= factor,
            Effect::Divide => self.tiles /= factor,
        }
        if self.tiles > SCALE {
            self.tiles /= SCALE;
            self.power += 1;
        } else if self.tiles < 1.0 / SCALE {
            self.tiles *= SCALE;
            self.power -= 1;
        }
    }

    /// The product, clamped to the range of costs.
    pub fn cost(self) -> EntryCost {
        let tiles = self.tiles * SCALE.powi(self.power);
        EntryCost::from_tiles(tiles.clamp(EntryCost::MIN.tiles(), EntryCost::MAX.tiles()))
            .expect("costs of a tileset are finite, and this one is clamped")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_that_of_plain_floats_as_long_as_it_is_in_their_range() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut inside = 0;
        for _ in 0..1000 {
            let mut product = CostProduct::new(3.0);
            let mut plain = 3.0;
            for _ in 0..random.usize(0..300) {
                let factor = 0.5 + 1.8 * random.f64();
                let effect = if random.bool() { Effect::Multiply } else { Effect::Divide };
                product.apply(effect, factor);
                plain = if effect == Effect::Multiply { plain * factor } else { plain / factor };
            }
            assert_eq!(product.cost(), CostProduct::new(plain).cost());
            inside += u32::from((1.0 / 256.0..4096.0).contains(&plain));
        }
        assert!(inside > 300, "{inside}");
    }

    #[test]
    fn a_product_comes_back_from_beyond_the_range_of_floats() {
        let applied = |tiles: f64, effects: &[Effect], factor: f64| {
            let mut product = CostProduct::new(tiles);
            effects.iter().for_each(|effect| (0..13_000).for_each(|_| product.apply(*effect, factor)));
            product.cost()
        };
        for (tiles, factor) in [(0.75, 1000.0), (3.0, 1.0 / 64.0)] {
            for effects in [[Effect::Multiply, Effect::Divide], [Effect::Divide, Effect::Multiply]] {
                assert_eq!(applied(tiles, &effects, factor), CostProduct::new(tiles).cost());
            }
        }
        assert_eq!(applied(1.0, &[Effect::Multiply], 1000.0), EntryCost::MAX);
        assert_eq!(applied(1.0, &[Effect::Multiply], 1.0 / 64.0), EntryCost::MIN);
    }
}
