//! The fields of a dialog, one of which has the keyboard.

use std::ops::RangeInclusive;

use crate::game::action::{DialogInput, TextEdit};
use emberwalk_map::MapText;

use super::text_field::TextField;

/// The most digits of a number, with its sign.
const MAX_DIGITS: usize = 12;

/// The most characters of a text that are pasted. No field takes more.
const MAX_PASTED: usize = MapText::About.max_chars();

/// The fields of a dialog, and the list in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form {
    /// The fields, from top to bottom.
    pub fields: Vec<Field>,
    /// The index of the field that has the keyboard.
    pub focus: usize,
    /// The list, if the dialog has one.
    pub list: Option<List>,
}

/// A field with its label.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// What it is for.
    pub label: &'static str,
    /// What is in it.
    pub value: Value,
    /// Whether it matters with the present values of the others. If not, it is left out.
    pub is_shown: bool,
}

/// What is in a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text.
    Text(TextField),
    /// A whole number in a range.
    Number(TextField, RangeInclusive<i64>),
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
    /// What it is.
    pub text: String,
    /// What is said about it.
    pub detail: String,
}

impl Field {
    /// Creates a field with a text.
    pub fn text(label: &'static str, text: impl Into<String>, max_chars: usize) -> Self {
        Self { label, value: Value::Text(TextField::new(text, max_chars)), is_shown: true }
    }

    /// Creates a field with a number.
    pub fn number(label: &'static str, number: i64, range: RangeInclusive<i64>) -> Self {
        let value = Value::Number(TextField::new(number.to_string(), MAX_DIGITS), range);
        Self { label, value, is_shown: true }
    }

    /// Creates a field with a choice.
    pub fn choice(label: &'static str, values: Vec<String>, chosen: usize) -> Self {
        Self { label, value: Value::Choice(values, chosen), is_shown: true }
    }

    /// The text in it; empty for a choice.
    pub fn as_text(&self) -> &str {
        match &self.value {
            Value::Text(field) | Value::Number(field, _) => field.text(),
            Value::Choice(..) => "",
        }
    }

    /// The number in it; otherwise why there is none.
    pub fn as_number(&self) -> Result<i64, String> {
        let Value::Number(field, range) = &self.value else { return Err(format!("{} must be a number.", self.label)) };
        let number = field.text().parse::<i64>().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("{}: a whole number from {} to {}.", self.label, range.start(), range.end()))
    }

    /// The index of the chosen value; 0 for other fields.
    pub fn as_choice(&self) -> usize {
        if let Value::Choice(_, chosen) = self.value { chosen } else { 0 }
    }

    fn text_mut(&mut self) -> Option<&mut TextField> {
        match &mut self.value {
            Value::Text(field) | Value::Number(field, _) => Some(field),
            Value::Choice(..) => None,
        }
    }

    /// Takes the next value (1) or the one before (-1). In a text, moves the cursor.
    fn step(&mut self, by: i32) {
        match &mut self.value {
            Value::Text(field) => field.move_cursor(by),
            Value::Number(..) => self.add(by),
            Value::Choice(values, chosen) => {
                *chosen = (*chosen as i32 + by).rem_euclid(values.len().max(1) as i32) as usize;
            }
        }
    }

    fn add(&mut self, by: i32) {
        let Value::Number(field, range) = &mut self.value else { return };
        let number = field.text().parse::<i64>().unwrap_or(0).saturating_add(by.into());
        field.set(number.clamp(*range.start(), *range.end()).to_string());
        field.deselect();
    }
}

impl Form {
    /// Creates a form whose first field has the keyboard.
    pub fn new(fields: Vec<Field>) -> Self {
        let mut form = Self { fields, ..Self::default() };
        form.focus(0);
        form
    }

    /// Does what the player does in it.
    pub fn apply(&mut self, input: DialogInput) {
        match input {
            DialogInput::Type(typed) => self.type_char(typed),
            DialogInput::Edit(edit) => self.edit(edit),
            DialogInput::Turn(by) => self.turn(by),
            DialogInput::Move(by) => match &mut self.list {
                Some(list) => list.choose(list.chosen.saturating_add_signed(by as isize)),
                None => self.turn(by.signum()),
            },
            DialogInput::Step(by) => self.fields.get_mut(self.focus).into_iter().for_each(|field| field.step(by)),
            DialogInput::Focus(field) => self.focus(field),
            DialogInput::Add { field, by } => {
                self.focus(field);
                self.fields.get_mut(field).into_iter().for_each(|field| field.add(by));
            }
            DialogInput::Choose { field, value } => {
                self.focus(field);
                if let Some(Field { value: Value::Choice(values, chosen), .. }) = self.fields.get_mut(field)
                    && value < values.len()
                {
                    *chosen = value;
                }
            }
            DialogInput::Pick(entry) => self.list.iter_mut().for_each(|list| list.choose(entry)),
            // The text comes by itself.
            DialogInput::Paste | DialogInput::Confirm | DialogInput::Cancel => {}
        }
    }

    /// Types a text from elsewhere, as one line.
    pub fn paste(&mut self, text: &str) {
        let line = text.trim_matches(['\n', '\r']).replace(char::is_whitespace, " ");
        line.chars().take(MAX_PASTED).for_each(|typed| self.type_char(typed));
    }

    /// Types a character. In a number, only digits and a sign count.
    fn type_char(&mut self, typed: char) {
        let Some(field) = self.fields.get_mut(self.focus) else { return };
        let is_possible = match &field.value {
            Value::Text(_) => true,
            Value::Number(_, range) => typed.is_ascii_digit() || typed == '-' && *range.start() < 0,
            Value::Choice(..) => false,
        };
        if let Some(text) = field.text_mut().filter(|_| is_possible) {
            text.type_char(typed);
        }
    }

    fn edit(&mut self, edit: TextEdit) {
        if let Some(text) = self.fields.get_mut(self.focus).and_then(Field::text_mut) {
            text.edit(edit);
        }
    }

    /// Goes to the next field that is shown (1) or the one before (-1).
    fn turn(&mut self, by: i32) {
        let count = self.fields.len() as i32;
        let others = (1..count).map(|steps| (self.focus as i32 + by * steps).rem_euclid(count) as usize);
        if let Some(next) = others.into_iter().find(|next| self.fields[*next].is_shown) {
            self.focus(next);
        }
    }

    /// Gives the keyboard to a field. What is typed replaces its text.
    fn focus(&mut self, focus: usize) {
        if focus >= self.fields.len() {
            return;
        }
        self.focus = focus;
        for (index, field) in self.fields.iter_mut().enumerate() {
            match field.text_mut() {
                Some(text) if index == focus => text.select(),
                Some(text) => text.deselect(),
                None => {}
            }
        }
    }
}

impl List {
    fn choose(&mut self, entry: usize) {
        self.chosen = entry.min(self.entries.len().saturating_sub(1));
    }
}
