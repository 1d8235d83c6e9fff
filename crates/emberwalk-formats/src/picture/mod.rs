//! Black and white pictures as mazes: decodes them, finds a path, and draws it.
//!
//! A pixel is a wall if its red is 0, or as [`PictureWalls`] say. The path goes from the top left to the bottom right
//! pixel, or between the openings of the border if these are walls.
//!
//! ```
//! use emberwalk_formats::picture::{PictureQuery, PictureSolver};
//! use image::{Rgb, RgbImage};
//! let mut picture = RgbImage::from_pixel(3, 3, Rgb([255; 3]));
//! picture.put_pixel(1, 1, Rgb([0; 3]));
//! let solution = PictureSolver::default().solve(&mut picture, &PictureQuery::default(), &mut |_| {});
//! // Two diagonal steps would pass through the wall. Two straight steps and a diagonal one go around it.
//! assert_eq!(solution.path.unwrap().cost, 5 + 7 + 5);
//! assert_eq!(picture.get_pixel(0, 0).0, [0, 128, 0]);
//! ```

mod decode;
mod ends;
mod hints;
mod solve;
mod walls;

pub use decode::{Transparency, decode};
pub use ends::PictureQuery;
pub(crate) use ends::{Ends, ends};
pub use hints::{WallHint, maze_hint, no_path_hint, wall_hint};
pub use solve::{PicturePath, PictureSolution, PictureSolver};
pub use walls::PictureWalls;
