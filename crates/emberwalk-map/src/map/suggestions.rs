//! Suggests which character the author of a map meant by an unknown one.

use crate::terrain::{Layer, Terrain, Tileset};

/// Each character with the characters that are mistaken for it, because they look alike or are next to it on the
/// keyboard.
const LOOK_ALIKES: &[(char, &str)] = &[
    ('.', "_,·•…:‧∙\t"),
    ('1', "lI|!¹"),
    ('2', "zZ²"),
    ('~', "-–—≈∼˜"),
    ('A', "АΑ"),
    ('B', "ВΒ8"),
    ('C', "Сс"),
    ('D', "Ð"),
    ('E', "ЕΕ"),
    ('F', "Ϝ"),
    ('G', "6"),
    ('H', "НΗ"),
    ('K', "КΚ"),
    ('M', "МΜ"),
    ('O', "0ОΟ"),
    ('P', "РΡ"),
    ('S', "5Ѕ$"),
    ('T', "ТΤ7+"),
    ('V', "Ѵ"),
    ('X', "ХΧ"),
    ('v', "νѵ"),
    ('t', "т†"),
];

/// Each digit with the characters that are mistaken for it.
const LIKE_DIGITS: &[(char, &str)] =
    &[('0', "OoОоΟο_,·•"), ('1', "lI|!¹"), ('2', "Zz²"), ('3', "³"), ('5', "Ss"), ('8', "B")];

/// Help on what to write instead of `char` in a row of `heights`.
pub(super) fn level_suggestion(tileset: &Tileset, char: char) -> String {
    let narrow = narrow(char);
    let alike = LIKE_DIGITS.iter().find(|(_, all)| all.contains(narrow)).map(|(digit, _)| *digit);
    let digit = Some(narrow).filter(char::is_ascii_digit);
    let known = tileset.find(char).map(|id| &tileset[id]);
    match (digit.or(alike), known) {
        (_, Some(Terrain { name, layer, .. })) => {
            let layer = if *layer == Layer::Base { "base" } else { "overlay" };
            format!("a level is a digit, 0 to 9; {char:?} ({name}) belongs in `{layer}`")
        }
        (Some(digit), None) => format!("did you mean {digit:?}?"),
        (None, None) => "a level is a digit, 0 to 9; `.` and space are 0".into(),
    }
}

/// Help on what to write instead of `char` in a row of `layer`.
pub(super) fn suggestion(tileset: &Tileset, layer: Layer, char: char) -> String {
    if let Some(similar) = similar(tileset, layer, char) {
        return similar;
    }
    let terrains_of = |layer| tileset.layer(layer).map(|(_, terrain)| terrain);
    let begins = |terrain: &&Terrain| terrain.name.chars().next().is_some_and(|first| same_letter(first, char));
    if let Some(terrain) = only(terrains_of(layer).filter(begins)) {
        return format!("did you mean {:?} ({})?", terrain.char, terrain.name);
    }
    let (other, name) = match layer {
        Layer::Base => (Layer::Overlay, "overlay"),
        Layer::Overlay => (Layer::Base, "base"),
    };
    if let Some(terrain) = only(terrains_of(other).filter(|terrain| same_letter(terrain.char, char))) {
        return format!("did you mean {:?} ({})? It belongs in `{name}`", terrain.char, terrain.name);
    }
    let all: Vec<_> = terrains_of(layer).map(|terrain| format!("{} {}", terrain.char, terrain.name)).collect();
    let kind = if layer == Layer::Base { "ground is one of" } else { "an overlay is . for nothing, or one of" };
    format!("{kind} {}", all.join(", "))
}

/// Help on a character of a terrain that does not belong in `layer`, but in the layer called `other`. It may be a slip for a
/// similar character.
pub(super) fn suggestion_for_other_layer(tileset: &Tileset, layer: Layer, other: &str, char: char) -> String {
    let belongs = format!("it belongs in `{other}`");
    similar(tileset, layer, char).map_or(belongs.clone(), |similar| format!("{belongs}; {similar}"))
}

/// Asks whether the user meant a character that stands for a terrain of the layer and looks like `char`, or is the same
/// letter.
fn similar(tileset: &Tileset, layer: Layer, char: char) -> Option<String> {
    let terrains = || tileset.layer(layer).map(|(_, terrain)| terrain);
    if let Some(terrain) = only(terrains().filter(|terrain| same_letter(terrain.char, char))) {
        return Some(format!("did you mean {:?}?", terrain.char));
    }
    let alike = look_alike(char)?;
    if alike == '.' && layer == Layer::Overlay {
        return Some("did you mean '.' (nothing)?".into());
    }
    let terrain = terrains().find(|terrain| terrain.char == alike)?;
    Some(format!("did you mean {alike:?} ({})?", terrain.name))
}

/// The single terrain; `None` if there are several.
fn only<'a>(mut terrains: impl Iterator<Item = &'a Terrain>) -> Option<&'a Terrain> {
    terrains.next().filter(|_| terrains.next().is_none())
}

/// Whether the two characters are the same letter, apart from case and full width.
fn same_letter(a: char, b: char) -> bool {
    narrow(a).to_lowercase().eq(narrow(b).to_lowercase())
}

fn narrow(char: char) -> char {
    match char {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(char) - 0xfee0).unwrap_or(char),
        '\u{3000}' | '\u{a0}' => ' ',
        other => other,
    }
}

fn look_alike(char: char) -> Option<char> {
    match narrow(char) {
        ' ' => Some('.'),
        char => LOOK_ALIKES.iter().find(|(_, all)| all.contains(char)).map(|(original, _)| *original),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_similar_character_is_suggested() {
        let tileset = Tileset::load(None).unwrap();
        for (layer, char, expected) in [
            (Layer::Base, 'g', "did you mean 'G'?"),
            (Layer::Base, 'Ｓ', "did you mean 'S'?"),
            (Layer::Base, '-', "did you mean '~' (water)?"),
            (Layer::Base, 'w', "did you mean '~' (water)?"),
            (Layer::Base, 'r', "did you mean 'R' (road)? It belongs in `overlay`"),
            (Layer::Base, '?', "ground is one of G grass, S snow, D sand, ~ water, P paving"),
            (Layer::Overlay, 'b', "did you mean 'B'?"),
            (Layer::Overlay, '\t', "did you mean '.' (nothing)?"),
            (Layer::Overlay, '\u{a0}', "did you mean '.' (nothing)?"),
            (Layer::Overlay, 'В', "did you mean 'B' (bridge)?"),
            (Layer::Overlay, 'c', "did you mean 'C'?"),
            (Layer::Overlay, 'p', "did you mean 'P' (paving)? It belongs in `base`"),
            (Layer::Overlay, 'd', "did you mean 'v' (dormant volcano)?"),
        ] {
            assert_eq!(suggestion(&tileset, layer, char), expected, "{char}");
        }
        let in_base = |char| suggestion_for_other_layer(&tileset, Layer::Base, "overlay", char);
        let in_overlay = |char| suggestion_for_other_layer(&tileset, Layer::Overlay, "base", char);
        assert_eq!(in_base('s'), "it belongs in `overlay`; did you mean 'S'?");
        assert_eq!(in_overlay('S'), "it belongs in `base`; did you mean 's'?");
        assert_eq!(in_base('R'), "it belongs in `overlay`");
        assert!(
            suggestion(&tileset, Layer::Overlay, 'é').starts_with("an overlay is . for nothing, or one of R road, ")
        );
    }
}
