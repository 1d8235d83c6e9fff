//! Shows letters that the typeface lacks with fonts of the system, if it has them. Font files are read only when such a
//! letter has to be shown, and then in the background.

use std::collections::BTreeSet;
use std::path::PathBuf;

use bevy::prelude::*;
use bevy::text::{FontCx, detect_text_needs_rerender};
use fontique::{Script, ScriptExt};

use crate::game::jobs::Jobs;
use emberwalk_jobs::Job;

use super::font_folders::font_folders;
use super::font_search::{FoundFont, find_fonts, has_character};

/// The characters that icon fonts use.
const ICONS: std::ops::RangeInclusive<char> = '\u{e000}'..='\u{f8ff}';

/// The letters that the typeface lacks, and the fonts that were found for them.
#[derive(Resource, Default)]
struct OtherLetters {
    /// The folders in which fonts are looked for.
    folders: Vec<PathBuf>,
    /// All letters so far, so that none is searched for twice.
    all: BTreeSet<char>,
    /// The letters for the next search.
    new: BTreeSet<char>,
    search: Option<Job<Vec<FoundFont>>>,
    fonts: Vec<FoundFont>,
}

pub(super) fn plugin(app: &mut App) {
    app.insert_resource(OtherLetters { folders: font_folders(), ..default() }).add_systems(
        PostUpdate,
        // After the texts have been set, and before the engine lays them out.
        (add_found_fonts, notice_letters, look_for_fonts).chain().before(detect_text_needs_rerender),
    );
}

/// Adds the fonts of a search that has ended, as substitutes for every script, and lays out all texts again.
fn add_found_fonts(mut letters: ResMut<OtherLetters>, mut cx: ResMut<FontCx>, mut texts: Query<&mut TextFont>) {
    let Some(found) = letters.search.as_ref().and_then(Job::take) else { return };
    letters.search = None;
    let Some(found) = found.ok().filter(|found| !found.is_empty()) else { return };
    let collection = &mut cx.collection;
    for font in &found {
        collection.register_fonts(font.data.clone(), None);
        let family = collection.family_id(&font.family);
        for (script, _) in Script::all_samples() {
            collection.append_fallbacks(*script, family.into_iter());
        }
    }
    letters.fonts.extend(found);
    texts.iter_mut().for_each(|mut font| font.set_changed());
}

fn notice_letters(
    texts: Query<&Text, Changed<Text>>,
    spans: Query<&TextSpan, Changed<TextSpan>>,
    mut letters: ResMut<OtherLetters>,
) {
    for char in texts.iter().flat_map(|text| text.chars()).chain(spans.iter().flat_map(|span| span.chars())) {
        let is_other = !char.is_ascii() && !ICONS.contains(&char) && !has_character(ttf_inter::REGULAR, 0, char);
        if is_other && letters.all.insert(char) {
            letters.new.insert(char);
        }
    }
}

/// Starts a search for the new letters that no font has, unless a search is running.
fn look_for_fonts(mut letters: ResMut<OtherLetters>, jobs: Res<Jobs>) {
    if letters.search.is_some() || letters.new.is_empty() {
        return;
    }
    let mut wanted = std::mem::take(&mut letters.new);
    wanted.retain(|char| !letters.fonts.iter().any(|font| font.has(*char)));
    if !wanted.is_empty() {
        let folders = letters.folders.clone();
        letters.search = Some(jobs.start("Searching for letters", move |_| find_fonts(&folders, wanted)));
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::thread;
    use std::time::Duration;

    use epaint_default_fonts::HACK_REGULAR;
    use tempfile::{TempDir, tempdir};

    use super::*;

    /// Creates an app with a folder of fonts that has only Hack, which has Armenian letters.
    fn app() -> (App, TempDir) {
        let folder = tempdir().unwrap();
        fs::write(folder.path().join("hack.ttf"), HACK_REGULAR).unwrap();
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, plugin)).init_resource::<Jobs>().init_resource::<FontCx>();
        app.world_mut().resource_mut::<OtherLetters>().folders = vec![folder.path().to_owned()];
        (app, folder)
    }

    /// Draws frames until no search is running. Returns whether there was one.
    fn settle(app: &mut App) -> bool {
        let mut searched = false;
        loop {
            app.update();
            if app.world().resource::<OtherLetters>().search.is_none() {
                return searched;
            }
            searched = true;
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn set_text(app: &mut App, entity: Entity, text: &str) {
        app.world_mut().get_mut::<Text>(entity).unwrap().0 = text.to_owned();
    }

    /// The substitutes for Greek letters.
    fn substitutes(app: &mut App) -> Vec<String> {
        let collection = &mut app.world_mut().resource_mut::<FontCx>().context.collection;
        let families: Vec<_> = collection.fallback_families(Script::from_bytes(*b"Grek")).collect();
        families.into_iter().map(|family| collection.family_name(family).unwrap().to_owned()).collect()
    }

    #[test]
    fn letters_that_the_typeface_lacks_are_found_once_and_their_texts_laid_out_again() {
        let (mut app, _folder) = app();
        let text = app.world_mut().spawn(Text::new("route, Straße, дорога, δρόμος …")).id();
        assert!(!settle(&mut app), "the typeface has these");
        let laid_out = |app: &App| app.world().entity(text).get_change_ticks::<TextFont>().unwrap().changed;
        let before = laid_out(&app);

        set_text(&mut app, text, "ա 火");
        assert!(settle(&mut app));
        assert_eq!(substitutes(&mut app), ["Hack"]);
        assert_ne!(laid_out(&app), before);

        set_text(&mut app, text, "աբ 火");
        assert!(!settle(&mut app), "the new letter is in the font that was found");
        assert_eq!(substitutes(&mut app), ["Hack"]);
    }

    #[test]
    fn letters_that_no_font_has_are_looked_for_once() {
        let (mut app, _folder) = app();
        let text = app.world_mut().spawn(Text::new("火")).id();
        assert!(settle(&mut app));
        set_text(&mut app, text, "火火");
        assert!(!settle(&mut app));
        assert_eq!(substitutes(&mut app), [""; 0]);
        set_text(&mut app, text, "火ա");
        assert!(settle(&mut app), "another letter is looked for");
        assert_eq!(substitutes(&mut app), ["Hack"]);
    }
}
