//! Finds fonts that have certain characters.

use std::collections::BTreeSet;
use std::path::PathBuf;

use bevy::prelude::*;
use fontique::{Blob, Collection, CollectionOptions, FamilyInfo, FontStyle, FontWeight, FontWidth};
use swash::FontRef;
use swash::scale::ScaleContext;

use super::font_folders::font_files;

/// The maximum number of fonts that one search finds, because they stay in memory.
const MAX_FOUND: usize = 8;

/// A font that was found.
pub(super) struct FoundFont {
    pub family: String,
    pub data: Blob<u8>,
    /// The number of the font in its file.
    index: u32,
}

impl FoundFont {
    /// Whether the font has this character.
    pub fn has(&self, char: char) -> bool {
        has_character(self.data.as_ref(), self.index, char)
    }
}

/// Whether a font in a file has a glyph for this character.
pub(super) fn has_character(file: &[u8], index: u32, char: char) -> bool {
    FontRef::from_index(file, index as usize).is_some_and(|font| font.charmap().map(char) != 0)
}

/// Finds fonts in these folders that together have as many of the `wanted` characters as possible. It takes the font
/// with the most of them first, and prefers upright fonts of regular weight.
pub(super) fn find_fonts(folders: &[PathBuf], mut wanted: BTreeSet<char>) -> Vec<FoundFont> {
    let mut collection = Collection::new(CollectionOptions { shared: false, system_fonts: false });
    collection.load_fonts_from_paths(font_files(folders));
    let mut names: Vec<_> = collection.family_names().map(str::to_owned).collect();
    names.sort();
    let families = names.iter().filter(|name| !is_substitute(name));
    let families = families.filter_map(|name| collection.family_by_name(name));
    let mut candidates: Vec<_> = families.filter_map(|family| Candidate::new(family, &wanted)).collect();
    candidates.sort_by_key(Candidate::unusualness);

    let mut found = Vec::new();
    while found.len() < MAX_FOUND {
        // Of equal ones, `max_by_key` would take the last.
        let best = candidates.iter().rev().max_by_key(|candidate| candidate.characters.intersection(&wanted).count());
        let Some(best) = best.filter(|best| !best.characters.is_disjoint(&wanted)) else { break };
        wanted.retain(|char| !best.characters.contains(char));
        found.extend(best.load());
    }
    found
}

/// Whether a family only has boxes for all characters, or is hidden from users (both on macOS).
fn is_substitute(family: &str) -> bool {
    family.starts_with('.') || family.replace(' ', "").starts_with("LastResort")
}

/// A font with some of the wanted characters: the font of its family that the engine takes.
struct Candidate {
    family: FamilyInfo,
    characters: BTreeSet<char>,
}

impl Candidate {
    fn new(family: FamilyInfo, wanted: &BTreeSet<char>) -> Option<Self> {
        let font = family.default_font()?;
        let characters = drawn_characters(font.load(None)?.as_ref(), font.index(), wanted);
        (!characters.is_empty()).then_some(Self { family, characters })
    }

    /// The difference between the font and a regular, upright one; the lower, the better.
    fn unusualness(&self) -> Option<(bool, bool, u32)> {
        let font = self.family.default_font()?;
        let weight = (font.weight().value() - FontWeight::NORMAL.value()).abs();
        Some((font.style() != FontStyle::Normal, font.width() != FontWidth::NORMAL, weight as u32))
    }

    /// Reads the file into memory; a mapped file might change.
    fn load(&self) -> Option<FoundFont> {
        let font = self.family.default_font()?;
        let data = font.load(None)?.as_ref().to_vec();
        Some(FoundFont { family: self.family.name().to_owned(), data: Blob::from(data), index: font.index() })
    }
}

/// The `wanted` characters that a font has as outlines. The engine leaves out a text with a glyph that it
/// cannot draw, such as a coloured picture of a format that it does not know.
fn drawn_characters(file: &[u8], index: u32, wanted: &BTreeSet<char>) -> BTreeSet<char> {
    let Some(font) = FontRef::from_index(file, index as usize) else { return BTreeSet::new() };
    let charmap = font.charmap();
    let mut context = ScaleContext::new();
    let mut scaler = context.builder(font).size(16.0).build();
    let is_drawn = |char: &char| {
        let glyph = charmap.map(*char);
        glyph != 0 && scaler.scale_outline(glyph).is_some_and(|outline| !outline.points().is_empty())
    };
    wanted.iter().copied().filter(is_drawn).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use epaint_default_fonts::{HACK_REGULAR, UBUNTU_LIGHT};
    use tempfile::tempdir;

    use super::*;

    /// Searches a folder with Ubuntu Light, whose family gets the name `Abuntu`, and the regular Hack.
    fn find_in_two(wanted: &[char]) -> Vec<String> {
        let [old, new] =
            ["Ubuntu", "Abuntu"].map(|name| name.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>());
        let mut renamed = UBUNTU_LIGHT.to_vec();
        for at in 0..renamed.len() - old.len() {
            if renamed[at..].starts_with(&old) {
                renamed[at..at + new.len()].copy_from_slice(&new);
            }
        }
        let folder = tempdir().unwrap();
        fs::write(folder.path().join("light.ttf"), renamed).unwrap();
        fs::write(folder.path().join("regular.ttf"), HACK_REGULAR).unwrap();
        families(&find_fonts(&[folder.path().to_owned()], BTreeSet::from_iter(wanted.iter().copied())))
    }

    fn families(fonts: &[FoundFont]) -> Vec<String> {
        fonts.iter().map(|font| font.family.clone()).collect()
    }

    #[test]
    fn a_font_is_found_by_its_characters() {
        let folder = tempdir().unwrap();
        fs::write(folder.path().join("hack.ttf"), HACK_REGULAR).unwrap();
        fs::write(folder.path().join("broken.ttf"), &HACK_REGULAR[..1000]).unwrap();
        fs::write(folder.path().join("text.ttf"), "no font").unwrap();
        fs::write(folder.path().join("empty.ttf"), "").unwrap();
        let folders = [folder.path().join("missing"), folder.path().to_owned()];

        let found = find_fonts(&folders, BTreeSet::from(['ж', '火']));
        assert_eq!(families(&found), ["Hack"]);
        assert!(found[0].has('ж') && !found[0].has('火'));
        assert_eq!(families(&find_fonts(&folders, BTreeSet::from(['火']))), [""; 0]);
        assert_eq!(families(&find_fonts(&folders, BTreeSet::from(['\u{a0}']))), [""; 0], "a glyph without an outline");
    }

    #[test]
    fn the_font_with_the_most_characters_is_taken_or_else_the_regular_one() {
        assert_eq!(find_in_two(&['ж', 'ω']), ["Hack"], "both have them");
        assert_eq!(find_in_two(&['ж', 'ἀ', 'ᾳ']), ["Abuntu"]);
        assert_eq!(find_in_two(&['ж', 'ա', 'ბ', 'ᾳ']), ["Hack", "Abuntu"]);
    }

    #[test]
    fn families_that_would_draw_boxes_are_left_out() {
        for (family, expected) in [("Last Resort High-Efficiency", true), (".LastResort", true), ("Lasting", false)] {
            assert_eq!(is_substitute(family), expected, "{family}");
        }
    }
}
