//! A vector of three numbers: a point in the world of a model, or a colour in linear light.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// World: `x` east, `y` south, `z` up, in cells. Colour: red, green, blue, 0 to 1 in linear light.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3 {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

pub const fn vec3(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3 { x, y, z }
}

/// A colour from sRGB values, 0 to 255, with gamma 2.2 instead of the exact curve.
pub fn rgb(r: u8, g: u8, b: u8) -> Vec3 {
    let linear = |c: u8| (f64::from(c) / 255.0).powf(2.2);
    vec3(linear(r), linear(g), linear(b))
}

/// The length of (a, b). `hypot` is slow and not the same on every machine.
pub fn norm(a: f64, b: f64) -> f64 {
    (a * a + b * b).sqrt()
}

impl Vec3 {
    pub fn dot(self, o: Vec3) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    pub fn unit(self) -> Vec3 {
        self * (1.0 / (self.length() + 1e-9))
    }

    pub fn max_part(self) -> f64 {
        self.x.max(self.y).max(self.z)
    }

    pub fn mean(self) -> f64 {
        (self.x + self.y + self.z) / 3.0
    }
}

impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, o: Vec3) -> Vec3 {
        vec3(self.x + o.x, self.y + o.y, self.z + o.z)
    }
}

impl AddAssign for Vec3 {
    fn add_assign(&mut self, o: Vec3) {
        *self = *self + o;
    }
}

impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, o: Vec3) -> Vec3 {
        vec3(self.x - o.x, self.y - o.y, self.z - o.z)
    }
}

impl Neg for Vec3 {
    type Output = Vec3;
    fn neg(self) -> Vec3 {
        vec3(-self.x, -self.y, -self.z)
    }
}

impl Mul<f64> for Vec3 {
    type Output = Vec3;
    fn mul(self, k: f64) -> Vec3 {
        vec3(self.x * k, self.y * k, self.z * k)
    }
}

/// The component-wise product: the colour of a surface times the colour of a light.
impl Mul for Vec3 {
    type Output = Vec3;
    fn mul(self, o: Vec3) -> Vec3 {
        vec3(self.x * o.x, self.y * o.y, self.z * o.z)
    }
}
