//! Finds the word for a "did you mean" suggestion.

/// Input that is longer than this, in characters, gets no suggestion, because no known word is that long.
const MAX_LENGTH: usize = 40;

/// The word of `words` that is most similar to `written`, ignoring case. Two words are similar if one is a
/// prefix of the other, or if at most every third letter is mistyped. Returns `None` if no word is similar; of several
/// that are equally similar, the first.
///
/// ```
/// use emberwalk_map::diagnostics::closest_match;
/// assert_eq!(closest_match("rout", &["route", "render"]), Some("route"));
/// assert_eq!(closest_match("walk", &["route", "render"]), None);
/// ```
pub fn closest_match<'a>(written: &str, words: &[&'a str]) -> Option<&'a str> {
    let written = written.to_lowercase();
    if written.is_empty() || written.chars().count() > MAX_LENGTH {
        return None;
    }
    let typos = |word: &str| {
        let is_prefix = word.starts_with(&written) || written.starts_with(word);
        if is_prefix { 0 } else { strsim::osa_distance(&written, word) }
    };
    let allowed = (written.chars().count() / 3).max(1);
    let similar = words.iter().map(|&word| (typos(&word.to_lowercase()), word)).filter(|&(typos, _)| typos <= allowed);
    similar.min_by_key(|&(typos, _)| typos).map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_are_recognised_and_other_words_are_not() {
        let fields = ["name", "about", "base", "overlay"];
        for (written, expected) in [
            ("nmae", Some("name")),
            ("Base", Some("base")),
            ("bas", Some("base")),
            ("overlays", Some("overlay")),
            ("obverlay", Some("overlay")),
            ("ovrelay", Some("overlay")),
            ("abuot", Some("about")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(closest_match(written, &fields), expected, "{written}");
        }
        assert_eq!(closest_match(&"name".repeat(1000), &fields), None);
    }
}
