//! The elements of panels. A panel is a function that returns a tree of [`Element`]s, which [`show`](super::show)
//! displays: elements that stay keep their entities, and so their focus and scroll position.

use std::time::Duration;

use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::{Action, FieldId, Menu};
use crate::game::input::bindings::binding_of;
use emberwalk_map::diagnostics::capitalised;

use super::theme::{
    self, CONTROL_HEIGHT, DIVIDER, GOLD, INK, LARGE, MEDIUM, MUTED, OUTLINE, PANEL, RADIUS, SECOND, SMALL, Size, TEXT,
    TIGHT, WELL,
};

/// A node of a panel, with its children.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::game) struct Element {
    /// The key that identifies it among its neighbours; by default, the first control in it identifies it.
    pub key: Option<&'static str>,
    pub node: Node,
    pub paint: Paint,
    pub content: Content,
    pub control: Option<Control>,
    /// Whether a recording refuses its action.
    pub is_refused: bool,
    /// The name of a control for screen readers.
    pub name: String,
    pub tip: Option<Tip>,
    pub children: Vec<Element>,
}

/// The colours of an element.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::game) struct Paint {
    pub back: Option<Color>,
    pub border: Option<Color>,
    pub has_shadow: bool,
    /// In front of everything else.
    pub layer: Option<i32>,
    /// Whether the map below it cannot be clicked.
    pub covers: bool,
    /// Its rotation in degrees.
    pub turn: f32,
    /// How long it glides into its place when it appears.
    pub glides: Option<Duration>,
}

/// The content of an element besides its children.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::game) enum Content {
    #[default]
    None,
    /// Words; parts may look different.
    Text(Vec<Words>),
    Image(Handle<Image>),
    /// A horizontal run of colours.
    Gradient(Vec<Color>),
}

/// Words that look the same.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::game) struct Words {
    pub text: String,
    pub size: Size,
    pub colour: Color,
    pub is_bold: bool,
    pub face: Face,
}

/// The typefaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) enum Face {
    #[default]
    Proportional,
    Monospace,
    /// Icons of this size.
    Icons(u8),
}

/// The controls.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::game) enum Control {
    Button {
        action: Action,
        style: Style,
        is_disabled: bool,
    },
    /// One of several options, exactly one of which is on.
    Radio {
        action: Action,
        style: Style,
        is_on: bool,
    },
    /// Opens a menu.
    MenuButton {
        menu: Menu,
        style: Style,
    },
    MenuItem {
        action: Action,
        is_disabled: bool,
        /// Whether it is the current value in its menu, which then opens at it.
        is_chosen: bool,
    },
    /// The frame of an open menu.
    MenuPopup,
    /// The container of a menu button and its popup.
    MenuAnchor(Menu),
    Slider {
        slider: Slider,
        value: f32,
        range: (f32, f32),
        step: f32,
    },
    /// The moving part of a slider.
    Thumb,
    Field {
        field: FieldId,
        text: String,
        max_chars: usize,
        is_number: bool,
    },
    /// Its content scrolls.
    Scroll,
    /// The scroll bar of the preceding element.
    ScrollBar,
    /// Requests an action when it is pressed or dragged, like the minimap.
    Pad(Pad),
    /// The name of a key, which is hidden while the player uses fingers.
    KeyHint,
    /// Controls in rows: the arrows up and down go to the row above or below.
    Grid,
    /// Its name is said by screen readers whenever it changes.
    Spoken,
    /// A region that F6 goes to, with its position in the order.
    Region(i32),
    /// Keeps the focus as long as it exists.
    Modal,
}

impl Control {
    /// The action that it asks for.
    pub(super) fn action(&self) -> Option<&Action> {
        match self {
            Self::Button { action, .. } | Self::Radio { action, .. } | Self::MenuItem { action, .. } => Some(action),
            _ => None,
        }
    }
}

/// The value that a slider changes.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) enum Slider {
    TimeLine,
    BrushSize,
    Weight(crate::game::action::half::Half),
    /// The hour of the day, 0 to 24.
    Hour,
}

/// An element that reacts to presses anywhere on it.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) enum Pad {
    Minimap,
    /// Closes the open menu.
    CloseMenu,
}

/// The look of a control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) enum Style {
    /// With its own background.
    #[default]
    Plain,
    /// The most important button of a mode.
    Gold,
    /// For an erupting volcano.
    Ember,
    /// Only an icon or words, without background unless hovered.
    Quiet,
    /// A mode of the rail.
    Mode,
    /// A part of a segment.
    Segment,
    /// With an outline, like a field.
    Outlined,
    /// An entry of the palette or of a list.
    Tile,
}

/// The tooltip of a control.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub(in crate::game) struct Tip {
    pub title: String,
    pub key: &'static str,
    pub text: String,
}

impl Tip {
    pub(in crate::game) fn of(action: Action) -> Option<Self> {
        let binding = binding_of(action)?;
        // Where the title says it all, there is no second text.
        let is_said = binding.description.eq_ignore_ascii_case(binding.label);
        let text = if is_said { String::new() } else { format!("{}.", capitalised(binding.description)) };
        Some(Self { title: binding.label.to_owned(), key: binding.key_name, text })
    }
}

// Layout.

pub(in crate::game) fn boxed(node: Node) -> Element {
    Element { node, ..default() }
}

/// A node at its own place in its parent, which moves no other one.
pub(in crate::game) fn absolute() -> Node {
    Node { position_type: PositionType::Absolute, ..default() }
}

/// Elements below each other.
pub(in crate::game) fn column(children: Vec<Element>) -> Element {
    Element { node: Node { flex_direction: FlexDirection::Column, ..default() }, children, ..default() }
}

/// Elements beside each other, centred on a line.
pub(in crate::game) fn row(children: Vec<Element>) -> Element {
    let node = Node { align_items: AlignItems::Center, column_gap: px(SMALL), ..default() };
    Element { node, children, ..default() }
}

/// The first element at the left, and the rest at the right. An element that does not fit beside the others is below
/// them, so that no number is broken.
pub(in crate::game) fn apart(children: Vec<Element>) -> Element {
    row(children).wrapping().with(|node| node.justify_content = JustifyContent::SpaceBetween)
}

/// An element at the right of a column of this width.
pub(in crate::game) fn at_right(element: Element, width: f32) -> Element {
    row(vec![element]).width(width).rigid().with(|node| node.justify_content = JustifyContent::FlexEnd)
}

/// A place of this many lines of text for an element that comes and goes, so that nothing else moves.
pub(in crate::game) fn reserved(lines: u8, content: Option<Element>) -> Element {
    let (_, line) = Size::Text.px();
    column(content.into_iter().collect()).rigid().with(|node| {
        node.min_height = px(line * f32::from(lines));
        node.justify_content = JustifyContent::Center;
    })
}

/// An element that takes the remaining space.
pub(in crate::game) fn spring() -> Element {
    boxed(Node { flex_grow: 1.0, ..default() })
}

/// A section of a dock, with its heading and an element at the right of it.
pub(in crate::game) fn section(heading: &str, right: Option<Element>, content: Vec<Element>) -> Element {
    let head = apart([Some(heading_text(heading)), right].into_iter().flatten().collect());
    let mut children = if heading.is_empty() { Vec::new() } else { vec![head] };
    children.extend(content);
    let section = column(children).pad(LARGE, MEDIUM).gap(SMALL).rigid().border(DIVIDER);
    section.with(|node| node.border = UiRect::bottom(px(1)))
}

/// The line with buttons at the end of a dock.
pub(in crate::game) fn dock_end(buttons: Vec<Element>) -> Element {
    row(buttons).border(DIVIDER).rigid().with(|node| node.border = UiRect::top(px(1)))
}

/// A panel over a corner of the map.
pub(in crate::game) fn card(children: Vec<Element>) -> Element {
    let mut card = column(children).pad(MEDIUM, MEDIUM).gap(6.0).rigid().with(|node| {
        node.border = UiRect::all(px(1));
        node.border_radius = BorderRadius::all(px(RADIUS));
    });
    card.paint = Paint { back: Some(PANEL), border: Some(DIVIDER), has_shadow: true, covers: true, ..default() };
    card.gliding(theme::PANEL_GLIDES)
}

/// An element, if there is one, in the middle of `place`.
pub(in crate::game) fn centred_in(place: Node, content: Option<Element>) -> Element {
    let place = Node { align_items: AlignItems::Center, justify_content: JustifyContent::Center, ..place };
    Element { children: content.into_iter().collect(), ..boxed(place) }
}

/// A card in the middle of the window.
pub(in crate::game) fn centred(card: Element) -> Element {
    let window = Node { width: percent(100), height: percent(100), padding: UiRect::all(px(MEDIUM)), ..default() };
    centred_in(window, Some(card))
}

/// A picture of this size in logical pixels.
pub(in crate::game) fn picture(image: &Handle<Image>, size: Vec2) -> Element {
    let node = Node { width: px(size.x), height: px(size.y), ..default() };
    Element { content: Content::Image(image.clone()), ..boxed(node) }
}

/// A card in the middle of the window that takes the focus and keeps everything behind it from being pressed.
pub(in crate::game) fn modal(name: &str, card: Element) -> Element {
    centred(card).back(theme::BACKDROP.with_alpha(0.6)).covering().controlled(Control::Modal).named(name)
}

/// Content that scrolls if it does not fit. `max_height` may be `Val::Auto`.
pub(in crate::game) fn scroll(max_height: Val, children: Vec<Element>) -> Element {
    let area = column(children).controlled(Control::Scroll).with(|node| {
        node.overflow = Overflow::scroll_y();
        node.min_height = px(0);
        node.max_height = max_height;
        node.flex_grow = 1.0;
    });
    let bar = boxed(Node { right: px(2), top: px(2), bottom: px(2), width: px(6), ..absolute() });
    column(vec![area, bar.controlled(Control::ScrollBar)]).with(|node| {
        node.min_height = px(0);
        node.flex_grow = 1.0;
    })
}

// Text.

pub(in crate::game) fn words(text: impl Into<String>, size: Size, colour: Color) -> Words {
    Words { text: text.into(), size, colour, is_bold: false, face: Face::Proportional }
}

pub(in crate::game) fn bold(text: impl Into<String>, size: Size, colour: Color) -> Words {
    Words { is_bold: true, ..words(text, size, colour) }
}

/// A text of parts that look different.
pub(in crate::game) fn spans(words: Vec<Words>) -> Element {
    Element { content: Content::Text(words), ..default() }
}

pub(in crate::game) fn text(text: impl Into<String>) -> Element {
    coloured(text, TEXT)
}

pub(in crate::game) fn coloured(text: impl Into<String>, colour: Color) -> Element {
    spans(vec![words(text, Size::Text, colour)])
}

pub(in crate::game) fn caption(text: impl Into<String>) -> Element {
    spans(vec![words(text, Size::Caption, MUTED)])
}

pub(in crate::game) fn title(text: impl Into<String>) -> Element {
    spans(vec![bold(text, Size::Title, TEXT)])
}

/// The heading of a section.
pub(in crate::game) fn heading_text(text: impl Into<String>) -> Element {
    spans(vec![bold(text, Size::Caption, MUTED)])
}

/// A line with a name at the left and a value at the right.
pub(in crate::game) fn entry(name: impl Into<String>, value: impl Into<String>) -> Element {
    apart(vec![coloured(name, SECOND), text(value).rigid()])
}

pub(in crate::game) fn icon(icon: Icon, size: u8, colour: Color) -> Element {
    let words = Words { face: Face::Icons(size), ..words(icon.unicode(), Size::Text, colour) };
    spans(vec![words]).rigid()
}

/// A word with its own background, like "cheapest".
pub(in crate::game) fn badge(text: impl Into<String>, colour: Color, back: Color) -> Element {
    let badge = row(vec![spans(vec![bold(text, Size::Caption, colour)])]).back(back);
    badge.pad(SMALL, 2.0).rigid().with(|node| node.border_radius = BorderRadius::all(px(10)))
}

/// The name of a key.
pub(in crate::game) fn key_hint(key: &str, is_on_gold: bool) -> Element {
    let colour = if is_on_gold { INK } else { MUTED };
    let hint = row(vec![spans(vec![words(key, Size::Caption, colour)])]).border(colour.with_alpha(0.4));
    hint.controlled(Control::KeyHint).pad(5.0, 0.0).rigid().with(|node| {
        node.border = UiRect::all(px(1));
        node.border_radius = BorderRadius::all(px(4));
    })
}

// Controls.

/// A button that requests an action. Its tooltip comes from the table of keys.
pub(in crate::game) fn button(action: Action, style: Style, children: Vec<Element>) -> Element {
    let control = Control::Button { action, style, is_disabled: false };
    Element { tip: Tip::of(action), ..control_box(style, children).controlled(control) }
}

/// A button with a word, an icon before it, and its key if it has one.
pub(in crate::game) fn action_button(action: Action, style: Style, symbol: Option<Icon>, label: &str) -> Element {
    let colour = style.ink();
    let key = binding_of(action).map(|binding| binding.key_name).filter(|key| key.len() <= 6);
    let mut children: Vec<_> = symbol.map(|symbol| icon(symbol, 16, colour)).into_iter().collect();
    children.push(spans(vec![Words { is_bold: style == Style::Gold, ..words(label, Size::Text, colour) }]));
    children.extend(key.map(|key| key_hint(key, style == Style::Gold)));
    button(action, style, children).named(label)
}

/// A button with a key that only works in its panel.
pub(in crate::game) fn keyed_button(action: Action, style: Style, label: &str, key: &str) -> Element {
    let is_gold = style == Style::Gold;
    let face = spans(vec![Words { is_bold: is_gold, ..words(label, Size::Text, style.ink()) }]);
    button(action, style, vec![face, key_hint(key, is_gold)]).named(label)
}

/// A button that is an icon.
pub(in crate::game) fn icon_button(action: Action, symbol: Icon, name: &str) -> Element {
    let button = button(action, Style::Quiet, vec![icon(symbol, 20, SECOND)]).named(name);
    button.width(CONTROL_HEIGHT).pad(0.0, 0.0)
}

/// A button that is only words.
pub(in crate::game) fn text_button(action: Action, label: &str) -> Element {
    button(action, Style::Plain, vec![text(label)]).named(label)
}

/// Values side by side in one frame, one of which is on.
pub(in crate::game) fn segment(name: &str, parts: Vec<(String, Action, bool)>) -> Element {
    let parts = parts.into_iter().map(|(label, action, is_on)| {
        let colour = if is_on { TEXT } else { SECOND };
        let face = spans(vec![Words { is_bold: is_on, ..words(&label, Size::Text, colour) }]);
        let part = control_box(Style::Segment, vec![face]).pad(TIGHT, 0.0).with(|node| {
            node.flex_grow = 1.0;
            node.flex_basis = px(0);
        });
        part.controlled(Control::Radio { action, style: Style::Segment, is_on }).named(label)
    });
    let frame = row(parts.collect()).border(OUTLINE.with_alpha(0.6)).back(WELL).named(name);
    frame.with(|node| {
        node.border = UiRect::all(px(1));
        node.border_radius = BorderRadius::all(px(RADIUS));
        node.column_gap = px(0);
        node.align_items = AlignItems::Stretch;
    })
}

/// A slider with its track.
pub(in crate::game) fn slider(slider: Slider, name: &str, value: f32, range: (f32, f32), step: f32) -> Element {
    let share = ((value - range.0) / (range.1 - range.0).max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    let at = |left, width| Node {
        left,
        top: px(8),
        width,
        height: px(4),
        border_radius: BorderRadius::all(px(2)),
        ..absolute()
    };
    let track = boxed(at(px(0), percent(100))).back(DIVIDER);
    let done = boxed(at(px(0), percent(100.0 * share))).back(GOLD);
    let thumb = boxed(Node {
        top: px(2),
        width: px(16),
        height: px(16),
        margin: UiRect::left(px(-8)),
        border_radius: BorderRadius::all(px(8)),
        ..at(percent(100.0 * share), px(16))
    });
    let thumb = thumb.back(Color::WHITE).controlled(Control::Thumb);
    let rail = boxed(Node { flex_grow: 1.0, margin: UiRect::horizontal(px(8)), height: px(20), ..default() });
    let rail = Element { children: vec![track, done, thumb], ..rail };
    let node = Node { height: px(20), flex_grow: 1.0, min_width: px(60), ..default() };
    let control = Control::Slider { slider, value, range, step };
    Element { children: vec![rail], ..boxed(node) }.controlled(control).named(name)
}

/// A text field.
pub(in crate::game) fn field(field: FieldId, name: &str, text: &str, max_chars: usize, is_number: bool) -> Element {
    let node = Node {
        height: px(CONTROL_HEIGHT),
        flex_grow: 1.0,
        min_width: px(40),
        padding: UiRect::axes(px(SMALL), px(5)),
        border: UiRect::all(px(1)),
        border_radius: BorderRadius::all(px(RADIUS)),
        overflow: Overflow::clip(),
        ..default()
    };
    let control = Control::Field { field, text: text.to_owned(), max_chars, is_number };
    boxed(node).controlled(control).back(WELL).border(OUTLINE).named(name)
}

/// The node of a control of normal height.
pub(in crate::game) fn control_box(style: Style, children: Vec<Element>) -> Element {
    let has_frame = matches!(style, Style::Plain | Style::Gold | Style::Ember | Style::Outlined | Style::Tile);
    let node = Node {
        min_height: px(CONTROL_HEIGHT),
        padding: UiRect::axes(px(10), px(2)),
        column_gap: px(SMALL),
        align_items: AlignItems::Center,
        justify_content: JustifyContent::Center,
        border: UiRect::all(px(if has_frame { 1.0 } else { 0.0 })),
        border_radius: BorderRadius::all(px(RADIUS)),
        flex_shrink: 0.0,
        ..default()
    };
    Element { node, children, ..default() }
}

impl Style {
    /// The colour of words and icons on it.
    pub(in crate::game) fn ink(self) -> Color {
        match self {
            Self::Gold => INK,
            Self::Quiet | Self::Mode | Self::Segment => SECOND,
            Self::Plain | Self::Ember | Self::Outlined | Self::Tile => TEXT,
        }
    }
}

impl Element {
    /// The words of an element, from left to right.
    #[cfg(test)]
    pub fn read(&self) -> Vec<String> {
        let own = match &self.content {
            Content::Text(words) => words.iter().map(|words| words.text.clone()).collect(),
            _ => Vec::new(),
        };
        own.into_iter().chain(self.children.iter().flat_map(Self::read)).filter(|text| !text.is_empty()).collect()
    }

    /// Changes its layout.
    pub(in crate::game) fn with(mut self, change: impl FnOnce(&mut Node)) -> Self {
        change(&mut self.node);
        self
    }

    pub(in crate::game) fn back(mut self, colour: Color) -> Self {
        self.paint.back = Some(colour);
        self
    }

    pub(in crate::game) fn border(mut self, colour: Color) -> Self {
        self.paint.border = Some(colour);
        self
    }

    pub(in crate::game) fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Gives it a key among its neighbours.
    pub(in crate::game) fn keyed(mut self, key: &'static str) -> Self {
        self.key = Some(key);
        self
    }

    pub(in crate::game) fn tip(mut self, title: &str, key: &'static str, text: &str) -> Self {
        self.tip = Some(Tip { title: title.to_owned(), key, text: text.to_owned() });
        self
    }

    /// Disables it, and makes it look disabled.
    pub(in crate::game) fn disabled(mut self, is_disabled: bool) -> Self {
        if let Some(Control::Button { is_disabled: it, .. } | Control::MenuItem { is_disabled: it, .. }) =
            &mut self.control
        {
            *it = is_disabled;
        }
        if is_disabled {
            self.fade();
        }
        self
    }

    /// Makes all its words fade.
    pub(super) fn fade(&mut self) {
        if let Content::Text(spans) = &mut self.content {
            spans.iter_mut().for_each(|words| words.colour = theme::MUTED.with_alpha(0.55));
        }
        self.children.iter_mut().for_each(Self::fade);
    }

    pub(in crate::game) fn gap(self, gap: f32) -> Self {
        self.with(|node| {
            node.row_gap = px(gap);
            node.column_gap = px(gap);
        })
    }

    pub(in crate::game) fn pad(self, across: f32, down: f32) -> Self {
        self.with(|node| node.padding = UiRect::axes(px(across), px(down)))
    }

    pub(in crate::game) fn width(self, width: f32) -> Self {
        self.with(|node| node.width = px(width))
    }

    pub(in crate::game) fn grow(self) -> Self {
        self.with(|node| {
            node.flex_grow = 1.0;
            node.min_width = px(0);
        })
    }

    /// Keeps its size, however little room there is.
    pub(in crate::game) fn rigid(self) -> Self {
        self.with(|node| node.flex_shrink = 0.0)
    }

    pub(in crate::game) fn wrapping(self) -> Self {
        self.with(|node| node.flex_wrap = FlexWrap::Wrap)
    }

    /// Places it at a rectangle of its parent.
    pub(in crate::game) fn at(self, Rect { min, max }: Rect) -> Self {
        self.with(|node| {
            node.position_type = PositionType::Absolute;
            node.left = px(min.x);
            node.top = px(min.y);
            node.width = px(max.x - min.x);
            node.height = px(max.y - min.y);
        })
    }

    /// In front of elements that would cover it.
    pub(in crate::game) fn layer(mut self, layer: i32) -> Self {
        self.paint.layer = Some(layer);
        self
    }

    /// Makes it glide into its place when it appears.
    pub(in crate::game) fn gliding(mut self, lasts: Duration) -> Self {
        self.paint.glides = Some(lasts);
        self
    }

    /// Keeps clicks away from the map.
    pub(in crate::game) fn covering(mut self) -> Self {
        self.paint.covers = true;
        self
    }

    pub(in crate::game) fn controlled(mut self, control: Control) -> Self {
        self.control = Some(control);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tooltip_does_not_repeat_its_title() {
        let tip = |action| Tip::of(action).map(|tip| (tip.title, tip.text)).unwrap_or_default();
        assert_eq!(tip(Action::Undo), ("Undo".into(), String::new()));
        assert_eq!(tip(Action::Save), ("Save".into(), "Save the map.".into()));
    }
}
