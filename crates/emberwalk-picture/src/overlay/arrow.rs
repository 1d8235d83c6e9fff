//! Small arrows from a cell to its parent.

/// The length of an arrow in pixels, from its middle to its tip.
const LENGTH: f64 = 6.0;

/// The pixels of a small arrow on the ground, relative to its middle. It points towards the cell that many columns and
/// rows away.
pub fn arrow((dx, dy): (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
    let x = 2.0 * f64::from(dx + dy);
    let y = f64::from(dy - dx);
    let length = x.hypot(y).max(1.0);
    let x = x / length;
    let y = y / length;
    let along = move |t: f64, side: f64| ((x * t - y * side).round() as i32, (y * t + x * side).round() as i32);
    let shaft = (-12..=12).map(move |k| along(f64::from(k) / 12.0 * LENGTH, 0.0));
    let head =
        (1..=4).flat_map(move |k| [1.0, -1.0].map(|side| along(LENGTH - f64::from(k), side * f64::from(k) * 0.8)));
    shaft.chain(head)
}
