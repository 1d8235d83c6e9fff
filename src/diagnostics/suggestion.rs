//! Which word may have been meant.

/// No word of a file's notation is longer, in characters.
const LONGEST: usize = 40;

/// Of `words` the one nearest to `written`, whatever its case: it begins with it, or the other way round, or at most
/// every third letter is mistyped. `None` if none is near.
pub(crate) fn closest_match<'a>(written: &str, words: &[&'a str]) -> Option<&'a str> {
    let written = written.to_lowercase();
    if written.is_empty() || written.chars().count() > LONGEST {
        return None;
    }
    let slips = |word: &str| {
        let begins = word.starts_with(&written) || written.starts_with(word);
        if begins { 0 } else { distance(&written, word) }
    };
    let allowed = (written.chars().count() / 3).max(1);
    let near = words.iter().map(|&word| (slips(&word.to_lowercase()), word)).filter(|&(slips, _)| slips <= allowed);
    near.min_by_key(|&(slips, _)| slips).map(|(_, word)| word)
}

/// How many letters have to be put in, taken out, replaced or swapped with their neighbour to come from `a` to `b`
/// (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // Of the last two rows of the table; `row[j]` is the distance of what was read of `a` to the first `j` of `b`.
    let (mut older, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=b.len()).collect());
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(older[j - 2] + 1);
            }
            row.push(least);
        }
        older = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_hand_are_near_and_other_words_are_not() {
        let fields = ["name", "about", "base", "overlay"];
        for (written, meant) in [
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
            assert_eq!(closest_match(written, &fields), meant, "{written}");
        }
        assert_eq!(closest_match(&"name".repeat(1000), &fields), None);
        assert_eq!((distance("ab", "ba"), distance("", "abc"), distance("kitten", "sitting")), (1, 3, 3));
    }
}
