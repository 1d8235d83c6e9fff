//! The fields of a dialog.

use std::ops::RangeInclusive;

use crate::game::action::DialogInput;
use emberwalk_map::MapTitle;

/// The maximum number of digits of a number, with its sign.
pub(in crate::game) const MAX_DIGITS: usize = 12;

/// The maximum length of a path, in characters.
pub(super) const MAX_PATH: usize = 400;

/// The fields of a dialog, and the list in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form {
    /// The fields, from top to bottom.
    pub fields: Vec<Field>,
    /// The list, if the dialog has one.
    pub list: Option<List>,
}

/// A field with its label.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its label.
    pub label: &'static str,
    /// Its content.
    pub value: Value,
    /// Whether it is relevant with the current values of the other fields. If not, it is hidden.
    pub is_shown: bool,
}

/// The content of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text with this maximum length in characters.
    Text(String, usize),
    /// A whole number in a range, as it is typed.
    Number(String, RangeInclusive<i64>),
    /// One of several values, by its index.
    Choice(Vec<String>, usize),
}

/// A list of which one entry can be picked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct List {
    /// The entries.
    pub entries: Vec<Entry>,
    /// The index of the chosen one.
    pub chosen: usize,
}

/// An entry of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name.
    pub text: String,
    /// Its description.
    pub detail: String,
    /// How long ago it was written; empty if the time is not known.
    pub age: String,
    /// The title of the map, once it is known.
    pub title: Option<MapTitle>,
}

impl Field {
    /// Creates a field with a text.
    pub fn text(label: &'static str, text: impl Into<String>, max_chars: usize) -> Self {
        Self { label, value: Value::Text(text.into(), max_chars), is_shown: true }
    }

    /// Creates a field with a number.
    pub fn number(label: &'static str, number: i64, range: RangeInclusive<i64>) -> Self {
        Self { label, value: Value::Number(number.to_string(), range), is_shown: true }
    }

    /// Creates a field with a choice.
    pub fn choice(label: &'static str, values: Vec<String>, chosen: usize) -> Self {
        Self { label, value: Value::Choice(values, chosen), is_shown: true }
    }

    /// The text in it; empty for a choice.
    pub fn as_text(&self) -> &str {
        match &self.value {
            Value::Text(text, _) | Value::Number(text, _) => text,
            Value::Choice(..) => "",
        }
    }

    /// The number in it, or why there is none.
    pub(in crate::game) fn as_number(&self) -> Result<i64, String> {
        let Value::Number(text, range) = &self.value else { return Err(format!("{} must be a number.", self.label)) };
        let number = text.parse::<i64>().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("{}: a whole number from {} to {}.", self.label, range.start(), range.end()))
    }

    /// The index of the chosen value; 0 for other fields.
    pub(in crate::game) fn as_choice(&self) -> usize {
        if let Value::Choice(_, chosen) = self.value { chosen } else { 0 }
    }

    /// Replaces the text in it.
    pub(in crate::game) fn set_text(&mut self, typed: &str) {
        if let Value::Text(text, _) | Value::Number(text, _) = &mut self.value {
            typed.clone_into(text);
        }
    }

    fn add(&mut self, by: i32) {
        let Value::Number(text, range) = &mut self.value else { return };
        let number = text.parse::<i64>().unwrap_or(0).saturating_add(by.into());
        *text = number.clamp(*range.start(), *range.end()).to_string();
    }
}

impl Form {
    /// Creates a form without a list.
    pub fn new(fields: Vec<Field>) -> Self {
        Self { fields, list: None }
    }

    /// Whether there are only empty fields.
    pub(in crate::game) fn is_blank(&self) -> bool {
        self.list.is_none()
            && self.fields.iter().all(|field| matches!(&field.value, Value::Text(text, _) if text.is_empty()))
    }

    /// Handles input in it.
    pub fn apply(&mut self, input: DialogInput) {
        match input {
            DialogInput::Add { field, by } => self.fields.get_mut(field).into_iter().for_each(|field| field.add(by)),
            DialogInput::Choose { field, value } => {
                if let Some(Field { value: Value::Choice(values, chosen), .. }) = self.fields.get_mut(field)
                    && value < values.len()
                {
                    *chosen = value;
                }
            }
            DialogInput::Pick(entry) => {
                self.list.iter_mut().for_each(|list| list.chosen = entry.min(list.entries.len().saturating_sub(1)));
            }
            DialogInput::Dice | DialogInput::Confirm | DialogInput::Cancel => {}
        }
    }
}
