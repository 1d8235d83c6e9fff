//! The characters that the name and the description of a map may contain.

/// A text about a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapText {
    /// The name, which is a single line.
    Name,
    /// The description, which may have line breaks.
    About,
}

/// Why a text is not allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}: {help}")]
pub struct MapTextError {
    /// The index of the first character that is not allowed.
    pub at: usize,
    /// The error.
    pub message: String,
    /// How to fix it.
    pub help: String,
}

impl MapText {
    /// The maximum length, in characters.
    pub const fn max_chars(self) -> usize {
        match self {
            Self::Name => 200,
            Self::About => 2000,
        }
    }

    /// Whether the text may contain this character. Window systems refuse some control characters, terminals execute
    /// others, and marks for the writing direction can make a text look like another one.
    pub fn allows(self, char: char) -> bool {
        match char {
            '\n' | '\r' => self == Self::About,
            // The characters with the Unicode property Bidi_Control.
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => false,
            // The separators of lines and paragraphs.
            '\u{2028}' | '\u{2029}' => false,
            _ => !char.is_control(),
        }
    }

    /// Checks a text.
    ///
    /// ```
    /// use emberwalk_map::MapText;
    /// assert_eq!(MapText::Name.check("Zürich 火山"), Ok(()));
    /// assert_eq!(MapText::Name.check("a\0b").unwrap_err().at, 1);
    /// ```
    ///
    /// # Errors
    /// [`MapTextError`] for the first character that is not allowed, or if the text is too long.
    pub fn check(self, text: &str) -> Result<(), MapTextError> {
        let (what, others) = match self {
            Self::Name => {
                ("name", "a name is one line, without control characters and marks for the direction of writing")
            }
            Self::About => (
                "description",
                "a description may have line breaks, but no other control characters and no marks for the direction of \
                 writing",
            ),
        };
        let max = self.max_chars();
        match text.chars().enumerate().find(|&(at, char)| at == max || !self.allows(char)) {
            None => Ok(()),
            Some((at, _)) if at == max => {
                let message = format!("the {what} has {} characters", text.chars().count());
                Err(MapTextError { at, message, help: format!("a {what} has at most {max}") })
            }
            Some((at, char)) => {
                let message = format!("the {what} has the character '{}'", char.escape_default());
                Err(MapTextError { at, message, help: others.to_owned() })
            }
        }
    }

    /// Makes a text valid: forbidden whitespace, such as a line break in a name, becomes a space, other forbidden
    /// characters are removed, and the end is cut off if the text is too long.
    ///
    /// ```
    /// use emberwalk_map::MapText;
    /// assert_eq!(MapText::Name.clean("two\nlines\0\u{202e}".into()), "two lines");
    /// ```
    #[must_use]
    pub fn clean(self, text: String) -> String {
        if self.check(&text).is_ok() {
            return text;
        }
        let spaces = text.chars().map(|char| if !self.allows(char) && char.is_whitespace() { ' ' } else { char });
        let cleaned: String = spaces.filter(|char| self.allows(*char)).take(self.max_chars()).collect();
        cleaned.trim().to_owned()
    }
}
