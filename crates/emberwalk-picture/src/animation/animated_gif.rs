//! Encodes animated GIF files.

use std::io;

use gif::{Encoder, Frame, Repeat};
use image::{Rgba, RgbaImage};

use super::changed_area::Area;
use super::palette::{Palette, UNCHANGED};
use super::{BACKDROP, FrameTimes};
use crate::scene::SrgbTables;

/// The palette is chosen from the first frame and this many others, evenly spaced up to the last frame.
const SAMPLES: usize = 4;

/// Encodes an animation that loops forever as a GIF file. `paint` returns the frame with the given number; all frames
/// have the same size. Some frames are painted twice, because all frames share one palette.
///
/// Translucent pixels are blended over [`BACKDROP`]. Frame times are rounded to hundredths of a second without changing
/// the length of the whole animation.
///
/// # Errors
/// A frame is wider or higher than 65535 pixels.
pub fn encode_gif(times: FrameTimes, paint: &mut dyn FnMut(usize) -> RgbaImage) -> io::Result<Vec<u8>> {
    let FrameTimes { count, per_second, last_frame_length } = times;
    let last = count - 1;
    let mut before = paint(0);
    let mut samples = Vec::new();
    for part in 0..=SAMPLES {
        samples.extend(paint(last * part / SAMPLES).pixels().map(opaque));
    }
    let mut palette = Palette::new(&samples, BACKDROP);
    let (width, height) = before.dimensions();
    let side = |side: u32| u16::try_from(side).map_err(io::Error::other);
    let mut file = Vec::new();
    let mut encoder =
        Encoder::new(&mut file, side(width)?, side(height)?, palette.bytes()).map_err(io::Error::other)?;
    encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
    // In hundredths of a second.
    let shown_at = |frame: usize| (frame * 200 + usize::from(per_second)) / (2 * usize::from(per_second));
    let mut shown = vec![UNCHANGED; before.pixels().len()];
    for frame in 0..count {
        let after = if frame == 0 { before.clone() } else { paint(frame) };
        let area = match frame {
            0 => Area { left: 0, top: 0, width: width as usize, height: height as usize },
            _ => Area::of_changes(width as usize, before.as_chunks::<4>().0, after.as_chunks::<4>().0),
        };
        let pixels = area.indices(width as usize).map(|index| {
            let [old, new] = [&before, &after].map(|picture| picture.as_chunks::<4>().0[index]);
            let new = if frame > 0 && old == new { shown[index] } else { palette.index(opaque(&Rgba(new))) };
            if std::mem::replace(&mut shown[index], new) == new { UNCHANGED } else { new }
        });
        let pixels: Vec<_> = pixels.collect();
        let length = if frame == last { usize::from(last_frame_length) } else { 1 };
        let difference = Frame {
            delay: (shown_at(frame + length) - shown_at(frame)) as u16,
            transparent: Some(UNCHANGED),
            left: area.left as u16,
            top: area.top as u16,
            width: area.width as u16,
            height: area.height as u16,
            buffer: pixels.into(),
            ..Frame::default()
        };
        encoder.write_frame(&difference).map_err(io::Error::other)?;
        before = after;
    }
    drop(encoder);
    Ok(file)
}

/// A pixel on the backdrop.
fn opaque(pixel: &Rgba<u8>) -> [u8; 3] {
    let [r, g, b] = BACKDROP;
    let mut below = Rgba([r, g, b, 255]);
    SrgbTables::get().blend(&mut below, *pixel);
    let [r, g, b, _] = below.0;
    [r, g, b]
}
