//! Remarks that people write in the files of recordings.

use emberwalk_map::diagnostics::{RonList, ron_comments};
use emberwalk_path::crowd::CrowdTime;

use super::Entry;

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

/// Adds the remarks in the text of a file to its `entries`, which are those of `list`. A remark has the time of the
/// entry after it, unless it is behind one. One inside an entry comes before it. The comment of the program, `own`, is no
/// remark.
pub(super) fn add_remarks(entries: &mut Vec<(CrowdTime, Entry)>, text: &str, list: &RonList, own: &str) {
    let mut remarks: Vec<(usize, Remark)> = Vec::new();
    // The end of the comment before, if its line goes on.
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
    let mut remarks = remarks.into_iter().peekable();
    let mut all = Vec::with_capacity(entries.len() + remarks.len());
    let mut before = CrowdTime::ZERO;
    for (number, (time, entry)) in std::mem::take(entries).into_iter().enumerate() {
        while let Some((_, remark)) = remarks.next_if(|(at, _)| *at <= number) {
            all.push((if remark.is_behind { before } else { time }, Entry::Remark(remark)));
        }
        all.push((time, entry));
        before = time;
    }
    all.extend(remarks.map(|(_, remark)| (before, Entry::Remark(remark))));
    *entries = all;
}
