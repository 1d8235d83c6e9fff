//! The area in which two pictures differ.

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Area {
    /// The smallest area that contains every pixel in which two pictures of the same width differ; a single pixel if
    /// they are equal.
    pub(super) fn of_changes<T: PartialEq>(width: usize, before: &[T], after: &[T]) -> Self {
        let mut columns = (width, 0);
        let mut rows = (usize::MAX, 0);
        for (y, (before, after)) in before.chunks_exact(width).zip(after.chunks_exact(width)).enumerate() {
            let mut pixels = before.iter().zip(after);
            let Some(first) = pixels.position(|(before, after)| before != after) else { continue };
            let last = first + 1 + pixels.rposition(|(before, after)| before != after).map_or(0, |last| last + 1);
            columns = (columns.0.min(first), columns.1.max(last));
            rows = (rows.0.min(y), y + 1);
        }
        if rows.1 == 0 {
            return Self { left: 0, top: 0, width: 1, height: 1 };
        }
        Self { left: columns.0, top: rows.0, width: columns.1 - columns.0, height: rows.1 - rows.0 }
    }

    /// Iterates over the indices of the area's pixels in a picture of this width, row by row.
    pub(super) fn indices(self, width: usize) -> impl Iterator<Item = usize> {
        let Self { left, top, width: wide, height } = self;
        (top..top + height).flat_map(move |y| y * width + left..y * width + left + wide)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_contains_every_change_and_no_more() {
        let before = [0; 20];
        let area = |changed: &[usize]| {
            let mut after = before;
            changed.iter().for_each(|index| after[*index] = 1);
            let area = Area::of_changes(5, &before, &after);
            assert!(changed.iter().all(|index| area.indices(5).any(|inside| inside == *index)), "{changed:?}");
            (area.left, area.top, area.width, area.height)
        };
        assert_eq!(area(&[]), (0, 0, 1, 1));
        assert_eq!(area(&[7]), (2, 1, 1, 1));
        assert_eq!(area(&[4, 15]), (0, 0, 5, 4));
        assert_eq!(area(&[6, 8, 12]), (1, 1, 3, 2));
        assert_eq!(area(&[19]), (4, 3, 1, 1));
    }
}
