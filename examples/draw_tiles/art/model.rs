//! A model: solids with their materials.

use super::vector::{Vec3, norm, vec3};

/// The surface at a point: the colour that it reflects, the light that it emits, and how brightly it shines while its
/// lamps are lit, 0 to 1.
#[derive(Clone, Copy)]
pub struct Surface {
    pub albedo: Vec3,
    pub glow: Vec3,
    pub lamp: f64,
}

impl Surface {
    /// The same surface, which shines while its lamps are lit.
    pub fn with_lamp(self, lamp: f64) -> Surface {
        Surface { lamp, ..self }
    }
}

impl From<Vec3> for Surface {
    fn from(albedo: Vec3) -> Surface {
        Surface { albedo, glow: Vec3::default(), lamp: 0.0 }
    }
}

type Field = Box<dyn Fn(Vec3) -> f64 + Send + Sync>;
type Material = Box<dyn Fn(Vec3, Vec3) -> Surface + Send + Sync>;

/// One solid, its material, and a vertical cylinder that contains it.
pub struct Part {
    field: Field,
    material: Material,
    x: f64,
    y: f64,
    radius: f64,
    top: f64,
}

impl Part {
    /// `material` gets the point and the normal there.
    pub fn new<S: Into<Surface>>(
        field: impl Fn(Vec3) -> f64 + Send + Sync + 'static,
        material: impl Fn(Vec3, Vec3) -> S + Send + Sync + 'static,
    ) -> Part {
        let material = Box::new(move |p, n| material(p, n).into());
        Part { field: Box::new(field), material, x: 0.0, y: 0.0, radius: f64::INFINITY, top: f64::INFINITY }
    }

    pub fn plain(field: impl Fn(Vec3) -> f64 + Send + Sync + 'static, colour: Vec3) -> Part {
        Part::new(field, move |_, _| colour)
    }

    /// Declares that the solid is within `radius` of the vertical line at (x, y), and below `top`, so that the
    /// field need not be evaluated far from there.
    pub fn within(self, x: f64, y: f64, radius: f64, top: f64) -> Part {
        Part { x, y, radius, top, ..self }
    }

    /// The solid as in a mirror in which west and south change places.
    fn mirrored(self) -> Part {
        let Part { field, material, x, y, radius, top } = self;
        let field = Box::new(move |p| field(mirrored(p)));
        let material = Box::new(move |p, n| material(mirrored(p), mirrored(n)));
        Part { field, material, x: -y, y: -x, radius, top }
    }

    /// A lower bound of the distance to the solid.
    fn bound(&self, p: Vec3) -> f64 {
        let (out, over) = (norm(p.x - self.x, p.y - self.y) - self.radius, p.z - self.top);
        if out > 0.0 && over > 0.0 { norm(out, over) } else { out.max(over) }
    }
}

/// The vector as in a mirror in which west and south change places, left and right on the screen.
fn mirrored(v: Vec3) -> Vec3 {
    vec3(-v.y, -v.x, v.z)
}

/// Beyond this distance the cylinder replaces the solid, which is exact enough for soft shadows.
pub const FAR: f64 = 0.45;

/// The union of its parts.
pub struct Model {
    parts: Vec<Part>,
}

impl Model {
    pub fn new(parts: Vec<Part>) -> Model {
        Model { parts }
    }

    /// The model as in a mirror in which west and south change places.
    pub fn mirrored(self) -> Model {
        Model { parts: self.parts.into_iter().map(Part::mirrored).collect() }
    }

    pub fn distance(&self, p: Vec3) -> f64 {
        let mut best = f64::MAX;
        for part in &self.parts {
            let bound = part.bound(p);
            if bound < best {
                best = best.min(if bound > FAR { bound } else { (part.field)(p) });
            }
        }
        best
    }

    /// The material of the solid nearest to `p`.
    pub fn surface(&self, p: Vec3, n: Vec3) -> Surface {
        let mut best = (f64::MAX, None);
        for part in &self.parts {
            if part.bound(p) < best.0 {
                let d = (part.field)(p);
                if d < best.0 {
                    best = (d, Some(part));
                }
            }
        }
        best.1.map_or_else(|| Vec3::default().into(), |part| (part.material)(p, n))
    }

    /// The outward normal, from four samples around `p`.
    pub fn normal(&self, p: Vec3) -> Vec3 {
        const AROUND: [Vec3; 4] = [vec3(1., -1., -1.), vec3(-1., -1., 1.), vec3(-1., 1., -1.), vec3(1., 1., 1.)];
        let mut n = Vec3::default();
        for k in AROUND {
            n += k * self.distance(p + k * 0.0035);
        }
        n.unit()
    }
}
