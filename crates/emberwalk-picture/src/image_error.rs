//! Rewords the errors of the `image` crate for people who do not know how picture files are built.

use std::io::ErrorKind;

use image::ImageError;
use image::error::LimitErrorKind;

/// The reason why a picture cannot be decoded, in words that follow a colon.
pub fn describe_image_error(error: &ImageError) -> &'static str {
    match error {
        ImageError::Limits(limit) if matches!(limit.kind(), LimitErrorKind::DimensionError) => "it is too large",
        ImageError::Limits(_) => "it takes too much memory",
        ImageError::Unsupported(_) => "it is of a kind that is not supported",
        ImageError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => "it is cut off",
        // The decoders have no common error for this.
        error if ["eof", "end of", "exhausted"].iter().any(|word| error.to_string().to_lowercase().contains(word)) => {
            "it is cut off"
        }
        _ => "it is damaged",
    }
}
