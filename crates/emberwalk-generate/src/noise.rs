//! Smooth noise, many cells at once.
//!
//! It equals the fractal OpenSimplex2 noise of FastNoise Lite to the last bit; a test compares them. That library
//! computes one value at a time; here the compiler can compute several per instruction.

use super::parallel;
use super::random::{ScalarField, SeededRandom};
use emberwalk_path::grid::{Cell, Size};

const SQRT_3: f32 = 1.732_050_8;
/// Skews the coordinates, so that triangles become halves of squares.
const SKEW: f32 = 0.5 * (SQRT_3 - 1.0);
/// Reverses the skew.
const UNSKEW: f32 = (3.0 - SQRT_3) / 6.0;
/// Brings the noise into the range from -1 to 1.
const SCALE: f32 = 99.836_85;
/// Factors that spread the hashes of triangle corners.
const PRIMES: (i32, i32) = (501_125_321, 1_136_930_381);
const HASH_FACTOR: i32 = 0x27d4_eb2d;
/// How many cells of a row are computed together.
const LANES: usize = 32;

/// Smooth noise over the map.
///
/// It only adds and multiplies floats, which gives the same results on every machine.
pub(super) struct Noise {
    seed: i32,
    octaves: u8,
    frequency: f32,
    /// The noise is offset because it is 0 at the origin for every seed.
    offset: (f32, f32),
}

impl Noise {
    /// Creates noise with a wavelength of about `wavelength` cells in the first octave.
    pub fn new(random: &mut SeededRandom, wavelength: u32, octaves: u8) -> Self {
        let seed = random.word() as i32;
        let mut offset = || random.below(8192) as f32;
        Self { seed, octaves, frequency: 1.0 / wavelength.max(1) as f32, offset: (offset(), offset()) }
    }

    /// The noise at a cell, from -32767 to 32767.
    pub fn at(&self, cell: Cell) -> i16 {
        self.from(cell, [0.0])[0]
    }

    /// The noise at every cell.
    pub fn field(&self, size: Size) -> ScalarField {
        let columns: [f32; LANES] = std::array::from_fn(|column| column as f32);
        let width = size.width as usize;
        let row = |y: i32| {
            let mut row = Vec::with_capacity(width);
            for x in (0..width).step_by(LANES) {
                let values = self.from(Cell::new(x as i32, y), columns);
                row.extend_from_slice(&values[..LANES.min(width - x)]);
            }
            row
        };
        ScalarField(parallel::grid_by_rows(size, row))
    }

    /// The noise at the cells of a row that are `columns` east of `first`.
    #[inline(always)]
    fn from<const N: usize>(&self, first: Cell, columns: [f32; N]) -> [i16; N] {
        let y = (first.y as f32 + self.offset.1) * self.frequency;
        let mut xs = columns.map(|column| (first.x as f32 + column + self.offset.0) * self.frequency);
        let mut ys = xs.map(|x| y + (x + y) * SKEW);
        xs = xs.map(|x| x + (x + y) * SKEW);
        let mut amplitude = 1.0 / (1..self.octaves).fold((1.0, 0.5), |(sum, next), _| (sum + next, next * 0.5)).0;
        let mut sums = [0.0; N];
        for octave in 0..self.octaves {
            add_octave(&mut sums, self.seed.wrapping_add(octave.into()), amplitude, &xs, &ys);
            (xs, ys) = (xs.map(|x| x * 2.0), ys.map(|y| y * 2.0));
            amplitude *= 0.5;
        }
        sums.map(|sum| (sum * 32767.0) as i16)
    }
}

/// Adds the noise of one octave at places with skewed coordinates.
///
/// Each of the loops does one thing to plain arrays, so that the compiler turns all but the second into instructions
/// for several cells.
#[inline(always)]
fn add_octave<const N: usize>(sums: &mut [f32; N], seed: i32, amplitude: f32, xs: &[f32; N], ys: &[f32; N]) {
    // Where each place is, counted from the first corner of its triangle, with the skew and without it.
    let (mut skewed, mut x0, mut y0) = ([0.0; N], [0.0; N], [0.0; N]);
    let mut hashes = [[0; N]; 3];
    for k in 0..N {
        let (column, row) = (floor(xs[k]), floor(ys[k]));
        let (x, y) = (xs[k] - column as f32, ys[k] - row as f32);
        skewed[k] = (x + y) * UNSKEW;
        (x0[k], y0[k]) = (x - skewed[k], y - skewed[k]);
        let (left, top) = (column.wrapping_mul(PRIMES.0), row.wrapping_mul(PRIMES.1));
        let (right, bottom) = (left.wrapping_add(PRIMES.0), top.wrapping_add(PRIMES.1));
        hashes[0][k] = hash(seed ^ left ^ top);
        hashes[1][k] = hash(seed ^ if y0[k] > x0[k] { left ^ bottom } else { right ^ top });
        hashes[2][k] = hash(seed ^ right ^ bottom);
    }
    let (mut gradient_xs, mut gradient_ys) = ([[0.0; N]; 3], [[0.0; N]; 3]);
    for (corner, hashes) in hashes.iter().enumerate() {
        for k in 0..N {
            (gradient_xs[corner][k], gradient_ys[corner][k]) = GRADIENTS[(hashes[k] >> 1 & 127) as usize];
        }
    }
    for k in 0..N {
        let (x, y) = (x0[k], y0[k]);
        let from_corner = |corner: usize, weight: f32, x: f32, y: f32| {
            let weight = if weight > 0.0 { weight } else { 0.0 };
            (weight * weight) * (weight * weight) * (x * gradient_xs[corner][k] + y * gradient_ys[corner][k])
        };
        let first = 0.5 - x * x - y * y;
        let x1 = x + if y > x { UNSKEW } else { UNSKEW - 1.0 };
        let y1 = y + if y > x { UNSKEW - 1.0 } else { UNSKEW };
        let second = 0.5 - x1 * x1 - y1 * y1;
        let third = (2.0 * (1.0 - 2.0 * UNSKEW) * (1.0 / UNSKEW - 2.0)) * skewed[k]
            + ((-2.0 * (1.0 - 2.0 * UNSKEW) * (1.0 - 2.0 * UNSKEW)) + first);
        let (x2, y2) = (x + (2.0 * UNSKEW - 1.0), y + (2.0 * UNSKEW - 1.0));
        let noise = from_corner(0, first, x, y) + from_corner(1, second, x1, y1) + from_corner(2, third, x2, y2);
        sums[k] += noise * SCALE * amplitude;
    }
}

fn hash(corner: i32) -> i32 {
    let hash = corner.wrapping_mul(HASH_FACTOR);
    hash ^ hash >> 15
}

/// Rounds down. Faster than [`f32::floor`] on processors without an instruction for it.
#[inline(always)]
fn floor(value: f32) -> i32 {
    if value >= 0.0 { value as i32 } else { value as i32 - 1 }
}

/// The gradients at corners: 24 directions, of which eight are a little more frequent.
const GRADIENTS: [(f32, f32); 128] = {
    // The sines of 7.5 to 82.5 degrees, in steps of 15.
    const SINES: [f32; 6] = [0.130_526_19, 0.382_683_43, 0.608_761_4, 0.793_353_3, 0.923_879_5, 0.991_444_9];
    let mut gradients = [(0.0, 0.0); 128];
    let mut k = 0;
    while k < 128 {
        let direction = if k < 120 { k % 24 } else { [1, 4, 7, 10, 13, 16, 19, 22][k - 120] };
        let (sine, cosine) = (SINES[direction % 6], SINES[5 - direction % 6]);
        gradients[k] = match direction / 6 {
            0 => (sine, cosine),
            1 => (cosine, -sine),
            2 => (-sine, -cosine),
            _ => (-cosine, sine),
        };
        k += 1;
    }
    gradients
};

#[cfg(test)]
mod tests {
    use fastnoise_lite::{FastNoiseLite, FractalType, NoiseType};

    use super::*;

    #[test]
    fn noise_is_the_same_on_every_machine() {
        let mut random = SeededRandom::new(42, "test");
        (0..4).for_each(|_| _ = random.word());
        let noise = Noise::new(&mut random, 20, 4);
        assert_eq!([(3, 4), (-17, 9), (4095, 4095)].map(|cell| noise.at(cell.into())), [-14919, -733, -20294]);
    }

    #[test]
    fn noise_is_that_of_fastnoise_lite() {
        for (seed, (wavelength, octaves)) in
            [(34, 4), (55, 3), (60, 1), (1, 2), (7, 3), (13, 2)].into_iter().enumerate()
        {
            let noise = Noise::new(&mut SeededRandom::new(seed as u64, "noise"), wavelength, octaves);
            let mut other = FastNoiseLite::with_seed(noise.seed);
            other.set_noise_type(Some(NoiseType::OpenSimplex2));
            other.set_fractal_type(Some(FractalType::FBm));
            other.set_fractal_octaves(Some(octaves.into()));
            other.set_frequency(Some(1.0 / wavelength as f32));
            let size = Size::new(LANES as u32 * 9 + 5, 300);
            let field = noise.field(size);
            for (cell, &value) in field.0.iter() {
                for (cell, value) in [(cell, value), (cell + (-9000, -8500), noise.at(cell + (-9000, -8500)))] {
                    let (x, y) = (cell.x as f32 + noise.offset.0, cell.y as f32 + noise.offset.1);
                    assert_eq!(value, (other.get_noise_2d(x, y) * 32767.0) as i16, "seed {seed} at {cell}");
                }
            }
        }
    }
}
