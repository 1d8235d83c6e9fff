//! Matches wanted elements with shown ones: an element is identified by its key, its action, or the first control in
//! it, and not by its position among elements that come and go.

use std::mem::{Discriminant, discriminant};

use crate::game::action::{Action, FieldId, Menu};

use super::element::{Control, Element, Pad, Slider};

/// Elements with their children, as they are shown or wanted.
pub(super) trait Tree: Sized {
    /// The element. It may be without its children.
    fn element(&self) -> &Element;

    fn children(&self) -> &[Self];
}

impl Tree for Element {
    fn element(&self) -> &Element {
        self
    }

    fn children(&self) -> &[Self] {
        &self.children
    }
}

/// The identity of an element.
#[derive(Clone, Copy)]
enum Identity<'a> {
    /// The key that its panel has given it.
    Key(&'static str),
    /// The kind of a control, what it asks for, and its name.
    Control(Discriminant<Control>, Request<'a>, &'a str),
}

/// What a control asks for.
#[derive(Clone, Copy, PartialEq)]
enum Request<'a> {
    Action(&'a Action),
    Menu(Menu),
    Slider(Slider),
    Field(FieldId),
    Pad(Pad),
}

/// An element, and its identity.
struct Known<'a> {
    element: &'a Element,
    identity: Option<Identity<'a>>,
}

/// The elements shown that become the wanted ones, by their indices. Surer pairs come first, then earlier ones.
pub(super) fn partners<S: Tree>(shown: &[S], wanted: &[Element]) -> Vec<Option<usize>> {
    let shown: Vec<_> = shown.iter().map(Known::of).collect();
    let wanted: Vec<_> = wanted.iter().map(Known::of).collect();
    let mut partners = vec![None; wanted.len()];
    let mut is_taken = vec![false; shown.len()];
    // In most frames, all elements are the same as in the previous frame.
    for index in 0..wanted.len().min(shown.len()) {
        if shown[index].is(&wanted[index]) {
            (partners[index], is_taken[index]) = (Some(index), true);
        }
    }
    for likeness in [Known::is, Known::is_namesake_of, Known::is_like] {
        for (wanted, partner) in wanted.iter().zip(&mut partners).filter(|(_, partner)| partner.is_none()) {
            *partner = (0..shown.len()).find(|index| !is_taken[*index] && likeness(&shown[*index], wanted));
            partner.iter().for_each(|index| is_taken[*index] = true);
        }
    }
    partners
}

impl<'a> Known<'a> {
    fn of<T: Tree>(tree: &'a T) -> Self {
        Self { element: tree.element(), identity: identity(tree) }
    }

    /// Whether it is the same element: it has the same key or the same action, or neither element has an identity.
    fn is(&self, other: &Self) -> bool {
        is_same_kind(self.element, other.element)
            && match (self.identity, other.identity) {
                (Some(one), Some(other)) => one.is(other),
                (None, None) => true,
                _ => false,
            }
    }

    /// Whether it has the same name and an action of the same kind, such as *Next* in each lesson.
    fn is_namesake_of(&self, other: &Self) -> bool {
        let names = self.identity.zip(other.identity);
        is_same_kind(self.element, other.element) && names.is_some_and(|(one, other)| one.is_namesake_of(other))
    }

    /// Whether it can become the other one, because a press on one of them is not meant for itself.
    fn is_like(&self, other: &Self) -> bool {
        let is_anonymous = |known: &Self| known.element.key.is_none() && own_control(known.element).is_none();
        is_same_kind(self.element, other.element) && is_anonymous(self) && is_anonymous(other)
    }
}

/// Whether an element can be changed into another one. A text field keeps its typed text only as long as its entity
/// stays the same.
fn is_same_kind(one: &Element, other: &Element) -> bool {
    let is_same_control = match (&one.control, &other.control) {
        (Some(Control::Field { field, .. }), Some(Control::Field { field: other, .. })) => field == other,
        (one, other) => one.as_ref().map(discriminant) == other.as_ref().map(discriminant),
    };
    is_same_control && discriminant(&one.content) == discriminant(&other.content)
}

/// The identity of an element; `None` if it has no key and no control.
fn identity<T: Tree>(tree: &T) -> Option<Identity<'_>> {
    let element = tree.element();
    let own = element.key.map(Identity::Key).or_else(|| own_control(element));
    own.or_else(|| tree.children().iter().find_map(identity))
}

/// The control that an element is, if it asks for something.
fn own_control(element: &Element) -> Option<Identity<'_>> {
    let control = element.control.as_ref()?;
    let request = match control {
        Control::MenuAnchor(menu) | Control::MenuButton { menu, .. } => Request::Menu(*menu),
        Control::Slider { slider, .. } => Request::Slider(*slider),
        Control::Field { field, .. } => Request::Field(*field),
        Control::Pad(pad) => Request::Pad(*pad),
        _ => Request::Action(control.action()?),
    };
    Some(Identity::Control(discriminant(control), request, &element.name))
}

impl Identity<'_> {
    fn is(self, other: Self) -> bool {
        match (self, other) {
            (Self::Key(one), Self::Key(other)) => one == other,
            (Self::Control(kind, request, _), Self::Control(other_kind, other_request, _)) => {
                kind == other_kind && request == other_request
            }
            (Self::Key(_), Self::Control(..)) | (Self::Control(..), Self::Key(_)) => false,
        }
    }

    fn is_namesake_of(self, other: Self) -> bool {
        let (
            Self::Control(kind, Request::Action(action), name),
            Self::Control(other_kind, Request::Action(other), other_name),
        ) = (self, other)
        else {
            return false;
        };
        name == other_name && kind == other_kind && discriminant(action) == discriminant(other)
    }
}

#[cfg(test)]
mod tests {
    use super::super::element::{Style, action_button, caption, column, entry, row, segment, text, text_button};
    use super::*;
    use crate::game::action::OverlayChoice;

    /// The partners of each element if these lists follow each other.
    fn pairs(shown: &[Element], wanted: &[Element]) -> Vec<Option<usize>> {
        partners(shown, wanted)
    }

    fn buttons() -> Element {
        row(vec![
            action_button(Action::ToggleFollow, Style::Plain, None, "Follow"),
            action_button(Action::LetGo, Style::Plain, None, "Let go"),
        ])
    }

    #[test]
    fn a_row_with_buttons_is_the_same_when_rows_before_it_come_and_go() {
        let waits = || row(vec![caption("!"), text("Waits 0.8 s")]);
        let shorter = [caption("Peasant 7"), entry("Still to go", "3.00"), buttons()];
        let longer = [caption("Peasant 7"), waits(), entry("Still to go", "2.00"), text("Click a cell"), buttons()];
        assert_eq!(pairs(&shorter, &longer).last(), Some(&Some(2)));
        assert_eq!(pairs(&longer, &shorter).last(), Some(&Some(4)));
    }

    #[test]
    fn a_control_is_the_same_if_it_does_the_same_or_has_the_same_name() {
        let next = |lesson| text_button(Action::OpenLesson(lesson), "Next");
        let follow = |label| text_button(Action::ToggleFollow, label);
        assert_eq!(pairs(&[next(1)], &[next(2)]), [Some(0)], "the name is the same");
        assert_eq!(pairs(&[follow("Follow")], &[follow("Unfollow")]), [Some(0)], "the action is the same");
        let lesson = |lesson, name| text_button(Action::OpenLesson(lesson), name);
        let list = [lesson(0, "A"), lesson(1, "B"), lesson(2, "C")];
        let sorted = [lesson(2, "C"), lesson(0, "A"), lesson(3, "D"), lesson(1, "B")];
        assert_eq!(pairs(&list, &sorted), [Some(2), Some(0), None, Some(1)]);
    }

    #[test]
    fn a_press_on_a_control_is_never_meant_for_another_one() {
        let widen = text_button(Action::Widen, "Widen");
        let undo = text_button(Action::Undo, "Undo");
        assert_eq!(pairs(std::slice::from_ref(&widen), std::slice::from_ref(&undo)), [None]);
        // Their row may be the same.
        assert_eq!(pairs(&[row(vec![widen])], &[row(vec![undo])]), [Some(0)]);
    }

    #[test]
    fn what_has_a_key_is_nothing_else() {
        let keyed = |key| column(vec![text("x")]).keyed(key);
        assert_eq!(pairs(&[text("x"), keyed("a"), keyed("b")], &[keyed("b"), text("x")]), [Some(2), Some(0)]);
        assert_eq!(pairs(&[keyed("a")], &[keyed("b"), column(vec![])]), [None, None]);
    }

    #[test]
    fn the_parts_of_a_segment_stay_when_one_is_added() {
        let part = |choice| (format!("{choice:?}"), Action::ShowOverlay(choice), false);
        let some = segment("Show", [OverlayChoice::None, OverlayChoice::Traffic].map(part).into());
        let more =
            segment("Show", [OverlayChoice::None, OverlayChoice::Levels, OverlayChoice::Traffic].map(part).into());
        assert_eq!(pairs(&some.children, &more.children), [Some(0), None, Some(1)]);
    }
}
