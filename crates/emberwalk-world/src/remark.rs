//! Remarks that people write in recording files.

use emberwalk_map::diagnostics::{RonList, ron_comments};

/// One or several comments in a line of a file, as they were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    text: String,
    /// Whether it is in the line of the entry before it.
    is_behind: bool,
}

impl Remark {
    /// Whether it is in the line of the entry before it.
    pub fn is_behind(&self) -> bool {
        self.is_behind
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// The remarks in the text of a file, each with the number of the item of `list` that it is before, or in. The
/// program's own comment, `own`, is not a remark.
pub(super) fn remarks(text: &str, list: &RonList, own: &str) -> Vec<(usize, Remark)> {
    let mut remarks: Vec<(usize, Remark)> = Vec::new();
    // The end of the previous comment, if its line continues.
    let mut last_end = 0;
    // The number of the item that the comment is before, or in.
    let mut number = 0;
    for comment in ron_comments(text).into_iter().filter(|comment| text[comment.clone()] != *own) {
        while list.items.get(number).is_some_and(|item| item.end <= comment.start) {
            number += 1;
        }
        let ends_line = |from: usize| text[from..comment.start].contains('\n');
        let item_end = number.checked_sub(1).and_then(|before| list.items.get(before)).map(|item| item.end);
        let written = &text[comment.clone()];
        match remarks.last_mut().filter(|(last, _)| *last == number && !ends_line(last_end)) {
            Some((_, remark)) => {
                remark.text.push(' ');
                remark.text.push_str(written);
            }
            None => {
                let is_outside = list.items.get(number).is_none_or(|item| comment.start < item.start);
                let is_behind = is_outside && item_end.is_some_and(|end| !ends_line(end));
                remarks.push((number, Remark { text: written.to_owned(), is_behind }));
            }
        }
        last_end = comment.end;
    }
    remarks
}
