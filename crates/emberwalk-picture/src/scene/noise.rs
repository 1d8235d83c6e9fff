//! Noise that is the same on every machine: integer hashes of cells, and smooth noise over the map.

/// A 64-bit hash of coordinates and a salt. The hashes of adjacent cells are uncorrelated.
///
/// The mixing function is the finaliser of SplitMix64 (Steele, Lea and Flood, 2014), applied twice.
pub(crate) fn hash(x: i32, y: i32, salt: u32) -> u64 {
    let mixed = mix((u64::from(x as u32) << 32 | u64::from(y as u32)).wrapping_add(GOLDEN));
    mix(mixed ^ u64::from(salt).wrapping_mul(GOLDEN))
}

/// A hash as a number from 0 up to but not including 1.
pub(crate) fn unit(x: i32, y: i32, salt: u32) -> f64 {
    (hash(x, y, salt) >> 11) as f64 / (1_u64 << 53) as f64
}

/// Fractal value noise, 0 to 1, with the given number of octaves; `x` and `y` are in waves. It only adds and
/// multiplies, so that the result is the same on every machine.
pub(crate) fn fractal(x: f64, y: f64, octaves: u32, salt: u32) -> f64 {
    let mut sum = 0.0;
    let mut weight = 1.0;
    let mut scale = 1.0;
    for octave in 0..octaves {
        sum += weight * value(x * scale, y * scale, salt + octave);
        weight /= 2.0;
        scale *= 2.0;
    }
    sum / (2.0 - 2.0 * weight)
}

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

fn value(x: f64, y: f64, salt: u32) -> f64 {
    let i = x.floor();
    let j = y.floor();
    let smooth = |t: f64| t * t * (3.0 - 2.0 * t);
    let across = smooth(x - i);
    let down = smooth(y - j);
    let at = |a: i32, b: i32| unit((i as i32).wrapping_add(a), (j as i32).wrapping_add(b), salt);
    let top = at(0, 0) + (at(1, 0) - at(0, 0)) * across;
    let bottom = at(0, 1) + (at(1, 1) - at(0, 1)) * across;
    top + (bottom - top) * down
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_the_same_on_every_machine() {
        assert_eq!(hash(0, 0, 0), 0x4821_8226_ff3c_d4bf);
        assert_eq!(hash(-3, 17, 5), 0x0333_78d4_7671_2a2b);
        assert_eq!(fractal(1.3, -7.7, 3, 2).to_bits(), 0x3fdb_a51b_57e8_d328);
    }

    #[test]
    fn hashes_of_adjacent_cells_are_uncorrelated() {
        let rows = 64;
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let cells = (0..rows).flat_map(|y| (0..rows).map(move |x| (x, y)));
            let same = cells.filter(|(x, y)| hash(*x, *y, 1) % 4 == hash(x + dx, y + dy, 1) % 4).count();
            assert!((900..1150).contains(&same), "a quarter of 4096 pairs agree by chance, not {same}");
        }
    }

    #[test]
    fn fractal_noise_fills_its_range_and_changes_slowly() {
        let at = |k: i32| fractal(f64::from(k) * 0.05, f64::from(k) * 0.031, 2, 9);
        let values: Vec<f64> = (-2000..2000).map(at).collect();
        assert!(values.iter().all(|value| (0.0..=1.0).contains(value)));
        assert!(values.iter().any(|value| *value < 0.25) && values.iter().any(|value| *value > 0.75));
        assert!(values.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 0.25));
    }
}
