//! How people see colours, for tests of what can be told apart.

/// How a person sees linear light, as a matrix.
pub type Vision = [[f64; 3]; 3];

/// The kinds of vision: typical vision; protanopia, deuteranopia and tritanopia (G. M. Machado, M. M. Oliveira, L.
/// A. F. Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6),
/// 2009, severity 1); and greyscale, by the luminance of sRGB.
pub const VISIONS: [(&str, Vision); 5] = [
    ("usual", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ("protanopia", [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    (
        "deuteranopia",
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    ),
    ("tritanopia", [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
    ("greyscale", [LUMINANCE; 3]),
];

const LUMINANCE: [f64; 3] = [0.2126, 0.7152, 0.0722];

/// A pattern counts as visible from this difference in CIELAB lightness L*, which ranges from 0 to 100.
pub const VISIBLE: f64 = 10.0;

/// The linear light of a channel of sRGB, 0 to 1.
pub fn linear(code: u8) -> f64 {
    let code = f64::from(code) / 255.0;
    if code <= 0.04045 { code / 12.92 } else { ((code + 0.055) / 1.055).powf(2.4) }
}

/// The lightness of linear light.
pub fn lightness(light: [f64; 3]) -> f64 {
    let luminance: f64 = (0..3).map(|k| light[k].clamp(0.0, 1.0) * LUMINANCE[k]).sum();
    if luminance > 216.0 / 24389.0 { 116.0 * luminance.cbrt() - 16.0 } else { luminance * 24389.0 / 27.0 }
}

/// Linear light as somebody sees it.
pub fn seen(vision: &Vision, light: [f64; 3]) -> [f64; 3] {
    vision.map(|row| (0..3).map(|k| row[k] * light[k]).sum())
}
