//! The regions of the window: a rail, a bar, a time line, a dock, and the free rectangle for the map.

use bevy::prelude::*;
use bevy::text::FontAtlasSet;
use bevy::window::PrimaryWindow;

use crate::game::action::Action;
use crate::game::action::half::Half;
use crate::game::app_systems::AppSystems;
use crate::game::dialog::{Dialog, OpenDialog};
use crate::game::input::touch::UsesFingers;
use crate::game::people::plan::WatchedPlan;
use crate::game::replay::WatchedReplay;
use crate::game::screen::mode::{IsBare, Screen, SearchPage};
use crate::game::screen::text_size::{InterfaceScale, TextSize};
use crate::game::search_view::lesson::OpenLesson;
use crate::game::viewport::layout::{Insets, Uncovered, is_tall};
use crate::game::world::file_errors::FileErrors;

use super::element::absolute;
use super::theme::LARGE;

/// The minimum width of a window of this kind, divided by its text size factor, in logical pixels.
const WIDE: f32 = 1100.0;
const MEDIUM: f32 = 700.0;

/// The width of a rail with words under its icons, and without. A window of less than this height has no room for the
/// words; buttons for fingers are higher.
const RAIL: f32 = 56.0;
const RAIL_WITHOUT_WORDS: f32 = 44.0;
const ROOM_FOR_WORDS: f32 = 408.0;
const ROOM_FOR_WORDS_AND_FINGERS: f32 = 440.0;

/// Below this height the bars are lower.
const LOW: f32 = 560.0;

/// Below this size of the map its cards are folded at first.
const SMALL_MAP: Vec2 = Vec2::new(900.0, 480.0);

/// The largest share of the free space that a region takes, so that some is left for the map.
const MOST: f32 = 0.6;

/// The smallest height of a dock below the map, and the largest share of the free space that it takes: in a window with
/// little room, the player has opened the dock.
const MIN_SHEET: f32 = 200.0;
const MOST_FOR_SHEET: f32 = 0.85;

/// The largest share of the window's height that the list of errors takes.
const MOST_ERRORS: f32 = 0.4;

/// The width of the dock, and its width with the table that compares all algorithms.
pub(in crate::game) const DOCK: f32 = 296.0;
const WIDE_DOCK: f32 = 480.0;

/// The width of a form beside the map, and its height below the map of a narrow window.
const FORM: f32 = 380.0;
const FORM_BELOW: f32 = 440.0;

/// The height of the list of errors without its lines, and of a line.
const ERRORS: f32 = 92.0;
const ERROR_LINE: f32 = 22.0;

/// The height of the header of a half of a race, and of a narrower header, in which the options take two lines.
const RACE_HEADER: f32 = 64.0;
const NARROW_RACE_HEADER: f32 = 100.0;

/// A half of a race of this width has all its options in one line.
const WIDE_HALF: f32 = 340.0;

/// How much room a window has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::game) enum Room {
    /// Tabs at the bottom, and the dock is a sheet above them.
    Narrow,
    /// As many words in the bar as fit, and a dock that opens on demand.
    Medium,
    #[default]
    Wide,
}

/// How the header of a half of a race shows its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) enum RaceOptions {
    /// Beside each other.
    OneLine,
    /// The algorithm above the others.
    TwoLines,
    /// The algorithm, and the others in a menu.
    Menu,
}

/// Whether the dock is open where there is little room for it.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) struct DockIsOpen(pub bool);

/// The rectangles of the regions, in logical pixels divided by the text size factor. A missing region is empty.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::game) struct Regions {
    pub room: Room,
    /// The size of the window.
    pub window: Vec2,
    pub rail: Rect,
    pub bar: Rect,
    /// The headers of the halves of a race. If the halves are below each other, the second one is in the middle of
    /// [`map`](Self::map).
    pub headers: [Rect; 2],
    pub time_line: Rect,
    pub dock: Rect,
    /// The form about the map beside it, which replaces the dock.
    pub form: Rect,
    /// The list of errors in the files.
    pub errors: Rect,
    /// The free rectangle for the map.
    pub map: Rect,
}

/// The parameters of the layout of the regions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Needs {
    window: Vec2,
    is_bare: bool,
    has_dock: bool,
    dock_is_open: bool,
    /// Whether the dock is wider, for a table.
    has_wide_dock: bool,
    has_form: bool,
    /// The lines of the list of errors; 0 if it is closed.
    error_lines: usize,
    has_time_line: bool,
    is_race: bool,
    has_fingers: bool,
}

impl Regions {
    /// Whether only the map is shown.
    pub(in crate::game) fn is_bare(&self) -> bool {
        self.bar.is_empty()
    }

    /// Whether there is so little room that the cards over the map are folded at first.
    pub(in crate::game) fn is_compact(&self) -> bool {
        self.room != Room::Wide || self.map.size().cmplt(SMALL_MAP).any()
    }

    fn new(needs: Needs) -> Self {
        let window = needs.window;
        let mut map = Rect::from_corners(Vec2::ZERO, window);
        let room = match window.x {
            _ if window.y > window.x && window.x < WIDE => Room::Narrow,
            width if width >= WIDE => Room::Wide,
            width if width >= MEDIUM => Room::Medium,
            _ => Room::Narrow,
        };
        let cut_errors = |map: &mut Rect| {
            let height = ERRORS + ERROR_LINE * needs.error_lines as f32;
            let height = if needs.error_lines > 0 { height.min(MOST_ERRORS * window.y) } else { 0.0 };
            cut_off(map, Side::Bottom, height, MOST)
        };
        if needs.is_bare {
            // Errors are shown whatever is hidden.
            let errors = cut_errors(&mut map);
            return Self { room, window, errors, map, ..default() };
        }
        let is_low = window.y < LOW;
        let bar_height = if is_low && !needs.has_fingers { 40.0 } else { 48.0 };
        let mut regions = Self { room, window, ..default() };
        let cut = |map: &mut Rect, side: Side, size: f32| cut_off(map, side, size, MOST);
        if room == Room::Narrow {
            regions.bar = cut(&mut map, Side::Top, bar_height);
            regions.rail = cut(&mut map, Side::Bottom, if is_low { 44.0 } else { 56.0 });
        } else {
            let has_words = window.y >= if needs.has_fingers { ROOM_FOR_WORDS_AND_FINGERS } else { ROOM_FOR_WORDS };
            regions.rail = cut(&mut map, Side::Left, if has_words { RAIL } else { RAIL_WITHOUT_WORDS });
            regions.bar = cut(&mut map, Side::Top, bar_height);
        }
        if needs.has_form {
            let (side, size) = if room == Room::Narrow { (Side::Bottom, FORM_BELOW) } else { (Side::Right, FORM) };
            regions.form = cut(&mut map, side, size);
        }
        let dock = if needs.has_wide_dock { WIDE_DOCK } else { DOCK };
        let shows_dock = needs.has_dock && !needs.has_form && (room == Room::Wide || needs.dock_is_open);
        // In a window that is also low, a sheet would leave no map.
        let has_sheet = room == Room::Narrow && !(is_low && window.x > window.y);
        if shows_dock && room != Room::Narrow {
            regions.dock = cut(&mut map, Side::Right, dock);
        }
        if needs.has_time_line {
            // The verdict of a race, or the step if no dock shows it.
            let text = match room {
                Room::Wide => 0.0,
                _ if needs.is_race => 40.0,
                _ if shows_dock => 0.0,
                _ => 24.0,
            };
            regions.time_line = cut(&mut map, Side::Bottom, text + if is_low { 44.0 } else { 56.0 });
        }
        if shows_dock && has_sheet {
            let height = (window.y * 0.42).clamp(MIN_SHEET, 360.0);
            regions.dock = cut_off(&mut map, Side::Bottom, height, MOST_FOR_SHEET);
        } else if shows_dock && room == Room::Narrow {
            regions.dock = cut(&mut map, Side::Right, dock);
        }
        regions.errors = cut_errors(&mut map);
        if needs.is_race {
            regions.headers = race_headers(&mut map);
        }
        Self { map, ..regions }
    }

    /// Whether there is room for words under the icons of the rail.
    pub(in crate::game) fn rail_has_words(&self) -> bool {
        self.room == Room::Narrow || self.rail.width() >= RAIL
    }

    /// Whether the halves of a race are below each other.
    pub(in crate::game) fn is_stacked(&self) -> bool {
        self.headers[1].min.y > self.headers[0].min.y
    }

    /// How the options of a race are laid out.
    pub(in crate::game) fn race_options(&self) -> RaceOptions {
        let Vec2 { x: width, y: height } = self.headers[0].size();
        match width {
            WIDE_HALF.. => RaceOptions::OneLine,
            _ if height > RACE_HEADER => RaceOptions::TwoLines,
            _ => RaceOptions::Menu,
        }
    }
}

/// Cuts the headers of a race off the top of the rectangle for the map, and from its middle if it is tall.
fn race_headers(map: &mut Rect) -> [Rect; 2] {
    // With little height, the options of a narrow half are in a menu.
    let is_low = map.height() * MOST < NARROW_RACE_HEADER;
    let height = |width: f32| if width < WIDE_HALF && !is_low { NARROW_RACE_HEADER } else { RACE_HEADER };
    let across = map.width();
    let mut below = *map;
    let top = cut_off(&mut below, Side::Top, height(across), MOST);
    if is_tall(below.size().as_dvec2()) {
        *map = below;
        let between = Vec2::new(across, top.height().min(below.height() * MOST));
        return [top, Rect::from_center_size(below.center(), between)];
    }
    let mut left = cut_off(map, Side::Top, height(across / 2.0), MOST);
    let right = cut_off(&mut left, Side::Right, across / 2.0, MOST);
    [left, right]
}

/// A side of a rectangle.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Top,
    Right,
    Bottom,
}

/// Cuts a strip of this size off a side of a rectangle, and returns it. It takes at most this share of the rectangle.
fn cut_off(rect: &mut Rect, side: Side, size: f32, most: f32) -> Rect {
    let mut strip = *rect;
    let size = (rect.size() * most).min(Vec2::splat(size));
    match side {
        Side::Left => {
            rect.min.x += size.x;
            strip.max.x = rect.min.x;
        }
        Side::Top => {
            rect.min.y += size.y;
            strip.max.y = rect.min.y;
        }
        Side::Right => {
            rect.max.x -= size.x;
            strip.min.x = rect.max.x;
        }
        Side::Bottom => {
            rect.max.y -= size.y;
            strip.min.y = rect.max.y;
        }
    }
    strip
}

/// The nodes of the regions, to which panels add their elements.
#[derive(Resource, Clone, Copy)]
pub(in crate::game) struct Places {
    pub rail: Entity,
    pub bar: Entity,
    pub headers: [Entity; 2],
    pub time_line: Entity,
    pub dock: Entity,
    /// The corners of the map, for cards: columns from the top or to the bottom.
    pub top_left: Entity,
    pub top_right: Entity,
    pub bottom_left: Entity,
    pub bottom_right: Entity,
    /// Above the cards of the lower right corner.
    pub minimap: Entity,
    /// The middle of the map's lower edge, for temporary elements.
    pub toasts: Entity,
    /// All of the map.
    pub map: Entity,
}

/// The position of a node.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
enum RegionNode {
    Rail,
    Bar,
    Header(Half),
    TimeLine,
    Dock,
    Map,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Regions>().init_resource::<DockIsOpen>();
    let places = spawn(app.world_mut());
    app.insert_resource(places).add_systems(First, scale).add_systems(
        Update,
        ((arrange, lay_out, uncover).chain().before(AppSystems::Listen), toggle.in_set(AppSystems::Act)),
    );
}

/// Opens and closes the dock.
fn toggle(mut actions: MessageReader<Action>, screen: Res<Screen>, mut dock: ResMut<DockIsOpen>) {
    for action in actions.read() {
        match action {
            Action::ToggleDock => dock.0 = !dock.0,
            // The question of a lesson and the comparison are in the dock.
            Action::OpenLesson(_) | Action::Lessons => dock.0 = true,
            Action::ToggleComparison if !screen.shows_comparison() => dock.0 = true,
            _ => {}
        }
    }
}

/// Scales everything with the size of text. The engine keeps the letters of every size that was shown, so the letters
/// of the old size are dropped: all texts are laid out again in this frame.
fn scale(text: Res<TextSize>, mut scale: ResMut<UiScale>, mut letters: ResMut<FontAtlasSet>) {
    if scale.0 != text.factor() {
        scale.0 = text.factor();
        letters.clear();
    }
}

/// Whether a mode has a dock.
pub(in crate::game) fn has_dock(screen: &Screen, lesson: &OpenLesson) -> bool {
    screen.is_painting() || screen.search == SearchPage::Open || screen.compares || lesson.get().is_some()
}

#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn arrange(
    window: Query<&Window, With<PrimaryWindow>>,
    scale: Res<UiScale>,
    is_bare: Res<IsBare>,
    dock: Res<DockIsOpen>,
    screen: Res<Screen>,
    lesson: Res<OpenLesson>,
    dialog: Res<OpenDialog>,
    fingers: Res<UsesFingers>,
    errors: Res<FileErrors>,
    (replay, plan): (Option<Res<WatchedReplay>>, Option<Res<WatchedPlan>>),
    mut regions: ResMut<Regions>,
) {
    let Ok(window) = window.single() else { return };
    regions.set_if_neq(Regions::new(Needs {
        window: window.size() / scale.0,
        is_bare: is_bare.0,
        has_dock: has_dock(&screen, &lesson),
        dock_is_open: dock.0,
        has_wide_dock: screen.shows_comparison(),
        has_form: dialog.get().is_some_and(Dialog::shows_map),
        error_lines: errors
            .shown()
            .map_or(0, |errors| errors.list().iter().map(|error| 1 + usize::from(error.help.is_some())).sum()),
        has_time_line: screen.plays_search() || replay.is_some() || plan.is_some(),
        is_race: screen.is_race(),
        has_fingers: fingers.0,
    }));
}

/// Tells the view which rectangle is free for the map.
fn uncover(regions: Res<Regions>, scale: InterfaceScale, mut uncovered: ResMut<Uncovered>) {
    let pixels = |length: f32| (length * scale.factor()).round().max(0.0) as u32;
    let Regions { map, window, headers, .. } = *regions;
    let insets = Insets {
        left: pixels(map.min.x),
        top: pixels(map.min.y),
        right: pixels(window.x - map.max.x),
        bottom: pixels(window.y - map.max.y),
        between: if regions.is_stacked() { pixels(headers[1].height()) } else { 0 },
    };
    let margin = pixels(LARGE);
    uncovered.set_if_neq(Uncovered { insets, margin, ..*uncovered });
}

/// Lays out the nodes of the regions.
fn lay_out(regions: Res<Regions>, mut nodes: Query<(&RegionNode, &mut Node)>) {
    if !regions.is_changed() {
        return;
    }
    for (place, mut node) in &mut nodes {
        let at = match place {
            RegionNode::Rail => regions.rail,
            RegionNode::Bar => regions.bar,
            RegionNode::Header(half) => regions.headers[*half as usize],
            RegionNode::TimeLine => regions.time_line,
            RegionNode::Dock => regions.dock,
            RegionNode::Map => regions.map,
        };
        let is_tabs = *place == RegionNode::Rail && regions.room == Room::Narrow;
        let mut wanted = Node {
            left: px(at.min.x),
            top: px(at.min.y),
            width: px(at.width()),
            height: px(at.height()),
            display: if at.is_empty() { Display::None } else { Display::Flex },
            ..node.clone()
        };
        if *place == RegionNode::Rail {
            wanted.flex_direction = if is_tabs { FlexDirection::Row } else { FlexDirection::Column };
            wanted.border = if is_tabs { UiRect::top(px(1)) } else { UiRect::right(px(1)) };
        }
        if *place == RegionNode::Dock {
            let is_sheet = at.min.y >= regions.map.max.y;
            wanted.border = if is_sheet { UiRect::top(px(1)) } else { UiRect::left(px(1)) };
        }
        if *place == RegionNode::Header(Half::Right) {
            let edge = if regions.is_stacked() { UiRect::top(px(1)) } else { UiRect::left(px(1)) };
            wanted.border = UiRect { bottom: px(1), ..edge };
        }
        node.set_if_neq(wanted);
    }
}

fn spawn(world: &mut World) -> Places {
    use super::theme::{DIVIDER, PANEL};
    let hovered = bevy::picking::hover::Hovered::default;
    let root = Node { width: percent(100), height: percent(100), ..absolute() };
    let root = world.spawn((root, Pickable::IGNORE)).id();
    let map = Node { overflow: Overflow::clip(), ..absolute() };
    let map = world.spawn((map, RegionNode::Map, Pickable::IGNORE, ChildOf(root))).id();
    let mut region = |place: RegionNode, order: i32, border: UiRect, direction: FlexDirection| {
        let node = Node { flex_direction: direction, border, overflow: Overflow::clip(), ..absolute() };
        let paint = (BackgroundColor(PANEL), BorderColor::all(DIVIDER));
        let tabs = bevy::input_focus::tab_navigation::TabGroup::new(order);
        world.spawn((node, paint, place, hovered(), tabs, Pickable::IGNORE, ChildOf(root))).id()
    };
    let column = FlexDirection::Column;
    let row = FlexDirection::Row;
    let rail = region(RegionNode::Rail, 1, UiRect::right(px(1)), column);
    let bar = region(RegionNode::Bar, 0, UiRect::bottom(px(1)), row);
    let headers = Half::BOTH.map(|half| region(RegionNode::Header(half), 3, UiRect::bottom(px(1)), column));
    let dock = region(RegionNode::Dock, 4, UiRect::left(px(1)), column);
    let time_line = region(RegionNode::TimeLine, 5, UiRect::top(px(1)), column);
    // The two corners of an edge are stacked if they do not fit beside each other.
    let margin = px(LARGE);
    let mut edge = |edge: Node| {
        let node = Node {
            left: margin,
            right: margin,
            flex_wrap: FlexWrap::Wrap,
            justify_content: JustifyContent::SpaceBetween,
            column_gap: px(super::theme::SMALL),
            row_gap: px(super::theme::SMALL),
            ..edge
        };
        world.spawn((node, Pickable::IGNORE, ChildOf(map))).id()
    };
    let top = edge(Node { top: margin, align_items: AlignItems::FlexStart, ..absolute() });
    let bottom = edge(Node { bottom: margin, align_items: AlignItems::FlexEnd, ..absolute() });
    let column_at = |align: AlignItems, row_gap: f32| Node {
        flex_direction: FlexDirection::Column,
        align_items: align,
        row_gap: px(row_gap),
        ..default()
    };
    let start = column_at(AlignItems::FlexStart, super::theme::SMALL);
    let end = column_at(AlignItems::FlexEnd, super::theme::SMALL);
    let centre = column_at(AlignItems::Center, super::theme::SMALL);
    let corner = |world: &mut World, order: i32, parent: Entity, node: &Node| {
        let tabs = bevy::input_focus::tab_navigation::TabGroup::new(order);
        world.spawn((node.clone(), tabs, Pickable::IGNORE, ChildOf(parent))).id()
    };
    let top_left = corner(world, 6, top, &start);
    let top_right = corner(world, 7, top, &end);
    let bottom_left = corner(world, 8, bottom, &start);
    // The minimap comes and goes above the other cards.
    let lower_right = column_at(AlignItems::FlexEnd, 0.0);
    let lower_right = world.spawn((lower_right, Pickable::IGNORE, ChildOf(bottom))).id();
    let minimap = world.spawn((Node::default(), Pickable::IGNORE, ChildOf(lower_right))).id();
    let bottom_right = corner(world, 9, lower_right, &end);
    let toasts = Node { left: px(0), right: px(0), bottom: margin, position_type: PositionType::Absolute, ..centre };
    let toasts = corner(world, 10, map, &toasts);
    Places { rail, bar, headers, time_line, dock, top_left, top_right, bottom_left, bottom_right, minimap, toasts, map }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::screen::mode::GameMode;

    fn regions(window: Vec2) -> Regions {
        Regions::new(Needs { window, has_dock: true, has_time_line: true, ..default() })
    }

    #[test]
    fn a_wide_window_has_a_rail_a_bar_a_dock_and_a_time_line_around_the_map() {
        let Regions { rail, bar, dock, time_line, map, .. } = regions(Vec2::new(1280.0, 720.0));
        assert_eq!(rail, Rect::new(0.0, 0.0, 56.0, 720.0));
        assert_eq!(bar, Rect::new(56.0, 0.0, 1280.0, 48.0));
        assert_eq!(dock, Rect::new(984.0, 48.0, 1280.0, 720.0));
        assert_eq!(time_line, Rect::new(56.0, 664.0, 984.0, 720.0));
        assert_eq!(map, Rect::new(56.0, 48.0, 984.0, 664.0));
    }

    #[test]
    fn with_less_room_the_dock_is_closed_at_first_and_the_rail_becomes_tabs() {
        let medium = regions(Vec2::new(800.0, 600.0));
        assert_eq!((medium.room, medium.rail.width(), medium.dock.width()), (Room::Medium, 56.0, 0.0));
        let narrow = regions(Vec2::new(720.0, 1280.0));
        assert_eq!((narrow.room, narrow.rail), (Room::Narrow, Rect::new(0.0, 1224.0, 720.0, 1280.0)));
        let bare = Regions::new(Needs { window: Vec2::new(800.0, 600.0), is_bare: true, ..default() });
        assert_eq!(bare.map, Rect::new(0.0, 0.0, 800.0, 600.0));
    }

    #[test]
    fn the_words_of_the_rail_stay_with_large_text_unless_the_window_is_low() {
        let has_words =
            |width: f32, height: f32, factor: f32| regions(Vec2::new(width, height) / factor).rail_has_words();
        for (width, height, factor) in
            [(1280.0, 720.0, 1.5), (1920.0, 1080.0, 2.5), (900.0, 600.0, 1.0), (800.0, 600.0, 1.0)]
        {
            assert!(has_words(width, height, factor), "{width} x {height} at {factor}");
        }
        assert!(!has_words(1280.0, 400.0, 1.0));
    }

    #[test]
    fn a_window_without_panels_shows_errors() {
        let window = Vec2::new(800.0, 600.0);
        let bare = Regions::new(Needs { window, is_bare: true, error_lines: 3, ..default() });
        assert!(bare.is_bare() && bare.errors.height() > 100.0, "{bare:?}");
        assert_eq!((bare.errors.min.y, bare.errors.max), (bare.map.max.y, window));
    }

    #[test]
    fn each_half_of_a_race_has_its_header_above_it() {
        let regions = |width: f32, height: f32| {
            let window = Vec2::new(width, height);
            Regions::new(Needs { window, is_race: true, has_time_line: true, ..default() })
        };
        let Regions { headers: [left, right], map, .. } = regions(1280.0, 720.0);
        assert_eq!((left.width(), right.width(), left.max.y), (map.width() / 2.0, map.width() / 2.0, map.min.y));
        assert_eq!((right.min, right.max), (Vec2::new(left.max.x, left.min.y), Vec2::new(map.max.x, map.min.y)));
        let tall = regions(720.0, 1280.0);
        let [above, below] = tall.headers;
        assert!(tall.is_stacked() && !regions(1280.0, 720.0).is_stacked());
        assert_eq!((above.max.y, below.center()), (tall.map.min.y, tall.map.center()));
        assert_eq!(regions(533.0, 720.0).race_options(), RaceOptions::TwoLines);
        assert_eq!(regions(512.0, 288.0).race_options(), RaceOptions::Menu);
    }

    #[test]
    fn in_a_low_window_with_large_text_the_dock_is_beside_the_map() {
        let window = Vec2::new(1280.0, 720.0) / 2.5;
        let needs = Needs { window, has_dock: true, dock_is_open: true, has_time_line: true, ..default() };
        let Regions { map, dock, .. } = Regions::new(needs);
        assert!(map.width() > 180.0 && map.height() > 100.0, "{map:?}");
        assert_eq!((dock.min.x, dock.height()), (map.max.x, map.height()));
        let upright = Regions::new(Needs { window: window.yx(), ..needs });
        assert_eq!(upright.dock.min.y, upright.map.max.y);
    }

    #[test]
    fn with_the_largest_text_on_a_display_of_double_density_something_is_free_for_the_map() {
        for (width, height) in [(640, 480), (1280, 720), (1920, 1080), (3840, 2160)] {
            for (mode, search) in [
                (GameMode::Walking, SearchPage::Closed),
                (GameMode::Painting, SearchPage::Closed),
                (GameMode::Walking, SearchPage::Open),
                (GameMode::Walking, SearchPage::Race),
            ] {
                let mut app = App::new();
                app.init_resource::<Regions>().init_resource::<IsBare>().init_resource::<UsesFingers>();
                app.insert_resource(DockIsOpen(true)).insert_resource(TextSize::LARGEST);
                app.init_resource::<UiScale>().init_resource::<OpenLesson>().init_resource::<Uncovered>();
                app.init_resource::<FontAtlasSet>().init_resource::<OpenDialog>().init_resource::<FileErrors>();
                let screen = Screen { mode, search, ..Screen::default() };
                app.insert_resource(screen);
                let mut resolution = bevy::window::WindowResolution::new(width, height);
                resolution.set_scale_factor(2.0);
                app.world_mut().spawn((Window { resolution, ..default() }, PrimaryWindow));
                app.add_systems(First, scale).add_systems(Update, (arrange, uncover).chain());
                app.update();
                let regions = *app.world().resource::<Regions>();
                assert_eq!(regions.window, Vec2::new(width as f32, height as f32) / 5.0);
                let insets = app.world().resource::<Uncovered>().insets;
                let free =
                    (width.checked_sub(insets.left + insets.right), height.checked_sub(insets.top + insets.bottom));
                let is_free = matches!(free, (Some(1..), Some(1..)));
                assert!(is_free, "{width}x{height}, {screen:?}: {regions:?}");
            }
        }
    }

    #[test]
    fn a_lesson_and_a_comparison_open_the_dock_that_shows_them() {
        let mut app = App::new();
        app.add_message::<Action>().init_resource::<DockIsOpen>().init_resource::<Screen>().add_systems(Update, toggle);
        for (action, is_open) in [
            (Action::OpenLesson(1), true),
            (Action::ToggleDock, false),
            (Action::Lessons, true),
            (Action::ToggleDock, false),
            (Action::ToggleComparison, true),
        ] {
            app.world_mut().write_message(action);
            app.update();
            assert_eq!(app.world().resource::<DockIsOpen>().0, is_open, "{action:?}");
        }
    }

    #[test]
    fn regions_do_not_overlap_in_any_window() {
        for (width, height) in (1..40).flat_map(|k| [(k * 80, 720), (k * 80, k * 50), (400, k * 40)]) {
            for (is_race, dock_is_open, has_wide_dock, has_form) in [
                (false, false, false, false),
                (false, true, false, false),
                (true, false, false, false),
                (false, true, false, true),
                (false, true, true, false),
                (true, true, true, false),
            ] {
                let window = Vec2::new(width as f32, height as f32);
                let needs = Needs {
                    window,
                    has_dock: !is_race || has_wide_dock,
                    dock_is_open,
                    has_wide_dock,
                    has_form,
                    error_lines: usize::from(has_form) * 3,
                    has_time_line: true,
                    is_race,
                    ..default()
                };
                let regions = Regions::new(needs);
                let Regions { rail, bar, headers: [first, second], time_line, dock, form, errors, map, .. } = regions;
                let mut all = vec![rail, bar, first, time_line, dock, form, errors, map];
                if !regions.is_stacked() {
                    all.push(second);
                } else {
                    assert!(map.contains(second.min) && map.contains(second.max), "{needs:?}: {second:?} in {map:?}");
                }
                for (k, one) in all.iter().enumerate() {
                    for other in &all[k + 1..] {
                        let both = one.intersect(*other);
                        assert!(both.width() * both.height() < 0.01, "{needs:?}: {one:?} and {other:?}");
                    }
                }
            }
        }
    }
}
