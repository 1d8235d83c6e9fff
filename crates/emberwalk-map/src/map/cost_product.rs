//! The product of a cell's terrain cost and the factors of all influences on it.

use crate::terrain::Effect;
use emberwalk_path::EntryCost;

const MANTISSA_BITS: u32 = f64::MANTISSA_DIGITS - 1;
const EXPONENT_BIAS: i64 = f64::MAX_EXP as i64 - 1;

/// How many factors are applied before the exponents are moved. Factors are 1/64 to 1000, so this many of them cannot
/// leave the range of an `f64`.
const MAX_PENDING: u32 = 64;

/// The products of `N` cells, whose factors are applied together.
///
/// Thousands of influences can be on one cell, and their product can leave the range of an `f64` and come back. So
/// exponents are kept apart, where they have no limits. Everything else is as with an `f64`: factors are applied in
/// their order, and each result is rounded to 53 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct CostProduct<const N: usize> {
    mantissas: [f64; N],
    exponents: [i64; N],
    /// How many factors have been applied since the mantissas were from 1 to below 2.
    pending: u32,
}

impl<const N: usize> CostProduct<N> {
    /// Begins with the costs of the terrains, in tiles.
    pub fn new(tiles: [f64; N]) -> Self {
        let mut product = Self { mantissas: tiles, exponents: [0; N], pending: 0 };
        product.normalize();
        product
    }

    /// Applies one influence to all cells, with a factor for each.
    pub fn apply(&mut self, effect: Effect, factors: &[f64; N]) {
        match effect {
            Effect::Multiply => {
                self.mantissas.iter_mut().zip(factors).for_each(|(mantissa, factor)| *mantissa *= factor)
            }
            Effect::Divide => self.mantissas.iter_mut().zip(factors).for_each(|(mantissa, factor)| *mantissa /= factor),
        }
        self.pending += 1;
        if self.pending == MAX_PENDING {
            self.normalize();
        }
    }

    /// Moves the exponents of the mantissas into `exponents`. This changes no product.
    fn normalize(&mut self) {
        self.pending = 0;
        for (mantissa, exponent) in self.mantissas.iter_mut().zip(&mut self.exponents) {
            let bits = mantissa.to_bits();
            *exponent += (bits >> MANTISSA_BITS) as i64 - EXPONENT_BIAS;
            let fraction = bits & ((1 << MANTISSA_BITS) - 1);
            *mantissa = f64::from_bits(fraction | (EXPONENT_BIAS as u64) << MANTISSA_BITS);
        }
    }

    /// Returns the products, clamped to the range of costs.
    pub fn costs(mut self) -> [EntryCost; N] {
        self.normalize();
        std::array::from_fn(|k| {
            // Far beyond the range of costs, but within that of an `f64`.
            let exponent = self.exponents[k].clamp(-100, 100);
            clamped(self.mantissas[k] * f64::from_bits(((exponent + EXPONENT_BIAS) as u64) << MANTISSA_BITS))
        })
    }
}

/// Returns the cost nearest to `tiles` that is within the range of costs.
fn clamped(tiles: f64) -> EntryCost {
    let tiles = tiles.clamp(EntryCost::MIN.tiles(), EntryCost::MAX.tiles());
    EntryCost::from_tiles(tiles).expect("costs of a tileset are finite, and this one is clamped")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_that_of_plain_floats_as_long_as_it_is_in_their_range() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut inside = 0;
        for _ in 0..1000 {
            let (mut product, mut plain) = (CostProduct::new([3.0]), 3.0);
            for _ in 0..random.usize(0..300) {
                let factor = 0.5 + 1.8 * random.f64();
                let effect = if random.bool() { Effect::Multiply } else { Effect::Divide };
                product.apply(effect, &[factor]);
                plain = if effect == Effect::Multiply { plain * factor } else { plain / factor };
            }
            assert_eq!(product.costs(), [clamped(plain)]);
            inside += u32::from((1.0 / 256.0..4096.0).contains(&plain));
        }
        assert!(inside > 300, "{inside}");
    }

    #[test]
    fn a_product_comes_back_from_beyond_the_range_of_floats() {
        for effects in [[Effect::Multiply, Effect::Divide], [Effect::Divide, Effect::Multiply]] {
            let mut product = CostProduct::new([0.75, 3.0]);
            for effect in effects {
                (0..13_000).for_each(|_| product.apply(effect, &[1000.0, 1.0 / 64.0]));
            }
            assert_eq!(product.costs(), [0.75, 3.0].map(clamped));
        }
        let mut product = CostProduct::new([1.0, 1.0]);
        (0..10_000).for_each(|_| product.apply(Effect::Multiply, &[1000.0, 1.0 / 64.0]));
        assert_eq!(product.costs(), [EntryCost::MAX, EntryCost::MIN]);
    }
}
