//! While a recording is played, refused actions are not offered: their buttons on cards are hidden, and other controls
//! look disabled and tell why.

use crate::game::replay::REFUSAL;

use super::element::{Control, Element, Tip, caption};

/// Why an entry of a menu is disabled, which has no tooltip.
const WHY_IN_MENU: &str = "After Play on from here";

/// Changes the elements of a panel, while a recording is played.
pub(super) fn refuse(elements: &mut Vec<Element>) {
    refuse_in(elements, Inside::Panel);
}

/// The container of elements: only a card hides refused buttons.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Panel,
    Card,
    Dialog,
}

fn refuse_in(elements: &mut Vec<Element>, inside: Inside) {
    elements.retain_mut(|element| {
        let action = element.control.as_ref().and_then(Control::action);
        if action.is_some_and(|action| action.changes_world()) {
            if inside == Inside::Card {
                return false;
            }
            disable(element);
        }
        let was_empty = element.children.is_empty();
        let inside = match element.control {
            Some(Control::Modal) => Inside::Dialog,
            Some(Control::MenuPopup) => inside,
            _ if inside == Inside::Panel && element.paint.has_shadow => Inside::Card,
            _ => inside,
        };
        refuse_in(&mut element.children, inside);
        // A row of buttons that are all hidden leaves no gap.
        was_empty || !element.children.is_empty()
    });
}

fn disable(element: &mut Element) {
    element.is_refused = true;
    element.fade();
    if let (Some(Control::MenuItem { .. }), [content, ..]) = (&element.control, &mut *element.children) {
        content.children.push(caption(WHY_IN_MENU));
    }
    let title = element.tip.take().map(|tip| tip.title).filter(|title| !title.is_empty());
    let title = title.unwrap_or_else(|| element.name.clone());
    element.tip = Some(Tip { title, key: "", text: REFUSAL.to_owned() });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::action::{Action, Fold};
    use crate::game::ui::element::{Style, action_button, boxed, card, column, modal, row};
    use crate::game::ui::menu::{Item, menu_item};

    #[test]
    fn cards_do_not_offer_what_a_recording_refuses_and_other_controls_say_why() {
        let button = |action| action_button(action, Style::Plain, None, "Name");
        let about = || caption("Queue at 3,4");
        let empty = || boxed(bevy::prelude::Node::default());
        let mut panel = vec![
            card(vec![row(vec![about(), button(Action::Widen)]), row(vec![button(Action::Erupt)]), empty()]),
            column(vec![button(Action::TogglePainting), button(Action::Help)]),
            modal("Help", card(vec![button(Action::OpenLesson(0))])),
            menu_item(Item::new(Action::Save, "Save")),
            card(vec![button(Action::ToggleFold(Fold::Cell))]),
        ];
        let before = panel.clone();
        refuse(&mut panel);
        assert_eq!(panel[0].children, [row(vec![about()]), empty()]);
        assert_eq!(panel[4], before[4], "what changes nothing stays");
        assert_eq!(panel[1].children[1], before[1].children[1]);
        let dialog = &panel[2].children[0];
        for refused in [&panel[1].children[0], &dialog.children[0], &panel[3]] {
            assert!(refused.is_refused, "{refused:?}");
            assert_eq!(refused.tip.as_ref().map(|tip| tip.text.as_str()), Some(REFUSAL));
        }
    }
}
