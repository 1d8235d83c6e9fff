//! Dialogs: new map, list of maps, size, name and hours of the open map, and saving under another name.

use std::path::{Path, PathBuf};

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use super::action::{Action, DialogInput, FieldId, FieldTyped};
use super::app_systems::AppSystems;
use super::jobs::Jobs;
use super::painting::large_change::{Change, Changer};
use super::painting::{SaveTo, new_file};
use super::screen::mode::{GameMode, Screen};
use super::screen::notice::Notice;
use super::world::dropped::OpenTrace;
use super::world::open_map::{MapOpened, OpenMap};
use super::world::pages::Pages;
use super::world::question::OpenQuestion;
use super::world::request::{MapRequest, MapSource};
use emberwalk_generate::NewMap;
use emberwalk_jobs::Job;
use emberwalk_map::editing::Area;
use emberwalk_map::{Edges, MapTitle, bundled_maps};

mod edit_map;
pub mod form;
mod map_list;
mod new_map;
mod own_search;
pub mod pictures;
mod save_as;

use form::Form;
use map_list::MapList;

/// The dialog that is open, if there is one. It takes all keys.
#[derive(Resource, Debug, Default)]
pub struct OpenDialog(Option<Dialog>);

/// A dialog.
#[derive(Clone, Debug)]
pub struct Dialog {
    kind: Kind,
    form: Form,
    /// The effect of confirming it, or why that is impossible.
    outcome: Result<String, String>,
}

/// The purpose of a dialog.
#[derive(Clone, Debug)]
enum Kind {
    /// With the map that it would create now, whatever its name.
    NewMap(Option<MapSource>),
    MapList(MapList),
    EditMap {
        /// The cells that the map would have now.
        area: Option<Area>,
    },
    SaveAs {
        /// The folder for names without one.
        folder: PathBuf,
        /// The file of the open map.
        open: Option<PathBuf>,
    },
    OwnSearch,
}

/// The resources that take the input for dialogs.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct DialogSystems;

/// The titles of the maps in the list that are being read.
#[derive(Resource, Default)]
struct AwaitedTitles(Option<Job<Vec<(PathBuf, MapTitle)>>>);

/// The map that was chosen last from the list.
#[derive(Resource, Default)]
struct LastChoice(Option<MapSource>);

impl OpenDialog {
    /// The dialog that is open.
    pub fn get(&self) -> Option<&Dialog> {
        self.0.as_ref()
    }
}

impl Dialog {
    /// Its title.
    pub fn title(&self) -> &'static str {
        match self.kind {
            Kind::NewMap(_) => "New map",
            Kind::MapList(_) => "Open a map",
            Kind::EditMap { .. } => "Size, name and hours",
            Kind::SaveAs { .. } => "Save the map as",
            Kind::OwnSearch => "Your own search",
        }
    }

    /// The label of the button that confirms.
    pub(in crate::game) fn confirm_label(&self) -> &'static str {
        match self.kind {
            Kind::NewMap(_) => "Create",
            Kind::MapList(_) => "Open",
            Kind::EditMap { .. } => "Change",
            Kind::SaveAs { .. } => "Save",
            Kind::OwnSearch => "Play",
        }
    }

    /// An introduction, if the title does not suffice.
    pub(in crate::game) fn about(&self) -> Option<&'static str> {
        matches!(self.kind, Kind::OwnSearch).then_some(own_search::ABOUT)
    }

    /// Its fields.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// The effect of confirming it, or why that is impossible.
    pub fn outcome(&self) -> Result<&str, &str> {
        self.outcome.as_deref().map_err(String::as_str)
    }

    /// The maps whose pictures it shows: the new map, or the maps in its list.
    pub fn maps(&self) -> &[MapSource] {
        match &self.kind {
            Kind::NewMap(map) => map.as_slice(),
            Kind::MapList(list) => &list.shown,
            Kind::EditMap { .. } | Kind::SaveAs { .. } | Kind::OwnSearch => &[],
        }
    }

    /// Whether it has room for a picture of the new map.
    pub(in crate::game) fn has_preview(&self) -> bool {
        matches!(self.kind, Kind::NewMap(_))
    }

    /// The cells that the open map would have, relative to its current first cell.
    pub fn new_area(&self) -> Option<Area> {
        if let Kind::EditMap { area } = self.kind { area } else { None }
    }

    /// Whether it is about the map that is visible beside it.
    pub(in crate::game) fn shows_map(&self) -> bool {
        matches!(self.kind, Kind::EditMap { .. })
    }

    fn new(kind: Kind, form: Form, map: &OpenMap) -> Self {
        let mut dialog = Self { kind, form, outcome: Ok(String::new()) };
        dialog.refresh(map);
        dialog
    }

    /// Updates its effect.
    fn refresh(&mut self, map: &OpenMap) {
        let form = &mut self.form;
        self.outcome = match &mut self.kind {
            Kind::NewMap(picture) => {
                new_map::refresh(form);
                let new = new_map::read(form, map);
                let unnamed = |new: &NewMap| NewMap { name: String::new(), ..new.clone() };
                *picture = new.as_ref().ok().map(|new| MapSource::New(unnamed(new)));
                new.map(|new| new_map::describe(&new))
            }
            Kind::MapList(list) => {
                list.refresh(form);
                if list.shown.is_empty() { Err("There is no such map.".into()) } else { Ok(list.describe()) }
            }
            Kind::EditMap { area } => {
                edit_map::refresh(form);
                *area = edit_map::area(form, map);
                edit_map::read(form, map).map(|edit| edit_map::describe(&edit, map))
            }
            Kind::SaveAs { folder, open } => {
                save_as::read(form, folder).map(|file| save_as::describe(&file, open.as_deref()))
            }
            Kind::OwnSearch => {
                own_search::read(form).map(|_| "It is judged on this map, and read again whenever it changes.".into())
            }
        };
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(pictures::plugin)
        .init_resource::<OpenDialog>()
        .init_resource::<LastChoice>()
        .init_resource::<AwaitedTitles>()
        .add_observer(close)
        // Its actions are carried out in the same frame.
        .add_systems(
            Update,
            (act, add_titles).chain().in_set(DialogSystems).after(AppSystems::Listen).before(AppSystems::Act),
        );
}

/// A dialog about one map must not stay open for another.
fn close(_: On<MapOpened>, mut dialog: ResMut<OpenDialog>) {
    if dialog.0.is_some() {
        dialog.0 = None;
    }
}

/// Shows the titles of the maps in the list when they have been read.
fn add_titles(mut awaited: ResMut<AwaitedTitles>, map: Res<OpenMap>, mut open: ResMut<OpenDialog>) {
    let Some(titles) = awaited.0.as_ref().and_then(Job::take) else { return };
    awaited.0 = None;
    if let (Ok(titles), Some(dialog)) = (titles, &mut open.0)
        && let Kind::MapList(list) = &mut dialog.kind
    {
        list.add_titles(&titles);
        dialog.refresh(&map);
    }
}

/// The resources that dialogs read and change.
#[derive(SystemParam)]
struct Context<'w, 's> {
    changer: Changer<'w, 's>,
    pages: Res<'w, Pages>,
    last: ResMut<'w, LastChoice>,
    titles: ResMut<'w, AwaitedTitles>,
    jobs: Res<'w, Jobs>,
    screen: ResMut<'w, Screen>,
    requests: MessageWriter<'w, MapRequest>,
    saves: MessageWriter<'w, SaveTo>,
    traces: MessageWriter<'w, OpenTrace>,
}

/// Opens dialogs, and handles input in them.
fn act(
    mut actions: MessageReader<Action>,
    mut typed: MessageReader<FieldTyped>,
    question: Res<OpenQuestion>,
    mut open: ResMut<OpenDialog>,
    mut context: Context,
    mut commands: Commands,
) {
    for FieldTyped { field, text } in typed.read() {
        if let (Some(dialog), FieldId::Dialog(index)) = (&mut open.0, *field)
            && let Some(field) = dialog.form.fields.get_mut(index)
        {
            field.set_text(text);
            dialog.refresh(&context.changer.map);
        }
    }
    for action in actions.read() {
        if let Action::Dialog(input) = *action {
            // The question is in front of it.
            let Some(dialog) = open.0.as_mut().filter(|_| *question == OpenQuestion::None) else { continue };
            dialog.form.apply(input);
            if input == DialogInput::Dice && matches!(dialog.kind, Kind::NewMap(_)) {
                new_map::roll(&mut dialog.form);
            }
            dialog.refresh(&context.changer.map);
            let is_done = match input {
                DialogInput::Cancel => true,
                DialogInput::Confirm | DialogInput::Pick(_) => context.confirm(dialog, &mut commands),
                _ => false,
            };
            if is_done {
                open.0 = None;
            }
        } else if let Some(dialog) = context.open(*action) {
            open.0 = Some(dialog);
        }
    }
}

impl Context<'_, '_> {
    /// The dialog that an action opens.
    fn open(&mut self, action: Action) -> Option<Dialog> {
        let (kind, form) = match action {
            Action::NewMap => (Kind::NewMap(None), new_map::form(&self.changer.map)),
            Action::ListMaps => {
                let mut list = MapList::find(&self.pages);
                let form = list.form(self.last.0.as_ref(), &self.pages);
                self.read_titles(list.untitled());
                (Kind::MapList(list), form)
            }
            Action::EditMap => (Kind::EditMap { area: None }, edit_map::form(&self.changer.map)),
            Action::SaveAnew => {
                let folder = new_file::folder(&self.pages).unwrap_or_default();
                let stem = new_file::stem(&self.changer.map, Some(&self.pages));
                (Kind::SaveAs { folder, open: self.pages.open_file().map(Path::to_owned) }, save_as::form(&stem))
            }
            Action::ChooseOwnSearch => (Kind::OwnSearch, own_search::form()),
            _ => return None,
        };
        Some(Dialog::new(kind, form, &self.changer.map))
    }

    /// Starts reading the titles of map files.
    fn read_titles(&mut self, files: Vec<PathBuf>) {
        self.titles.0 = Some(self.jobs.start("Reading the names of maps", move |_| map_list::titles_of(files)));
    }

    /// Confirms a dialog; returns whether that was possible.
    fn confirm(&mut self, dialog: &Dialog, commands: &mut Commands) -> bool {
        match &dialog.kind {
            Kind::NewMap(_) => {
                let Ok(new) = new_map::read(&dialog.form, &self.changer.map) else { return false };
                self.requests.write(MapRequest::new(MapSource::New(new)));
                // The player wants to draw it.
                self.screen.mode = GameMode::Painting;
            }
            Kind::MapList(list) => {
                let chosen = dialog.form.list.as_ref().and_then(|form| list.shown.get(form.chosen));
                let Some(chosen) = chosen else { return false };
                self.last.0 = Some(chosen.clone());
                let page = bundled_maps().iter().position(|map| *chosen == MapSource::Bundled(*map));
                match page {
                    Some(page) => drop(commands.write_message(Action::OpenBundled(page))),
                    None => drop(self.requests.write(MapRequest::new(chosen.clone()))),
                }
            }
            Kind::EditMap { .. } => {
                let Ok(edit) = edit_map::read(&dialog.form, &self.changer.map) else { return false };
                self.edit(edit);
            }
            Kind::SaveAs { folder, .. } => {
                let Ok(file) = save_as::read(&dialog.form, folder) else { return false };
                self.saves.write(SaveTo(file));
            }
            Kind::OwnSearch => {
                let Ok(file) = own_search::read(&dialog.form) else { return false };
                self.traces.write(OpenTrace(file));
            }
        }
        true
    }

    fn edit(&mut self, edit: edit_map::MapEdit) {
        let changer = &mut self.changer;
        if (edit.name.as_str(), edit.about.as_deref()) != (changer.map.name(), changer.map.about()) {
            changer.map.set_name_and_about(edit.name, edit.about);
        }
        if edit.day_time != changer.map.day_time() {
            let changed = changer.map.set_day_time(edit.day_time);
            changer.changes.write(changed);
        }
        if edit.edges == Edges::default() {
            return;
        }
        if changer.large.is_running() {
            let refusal = "The map was not resized: the last stroke is still being painted.";
            changer.notices.write(Notice(refusal.into()));
        } else {
            changer.make(Change::Resize(edit.edges, edit.ground));
        }
    }
}
