//! Which character may have been meant by one that stands for nothing.

use crate::terrain::{Layer, Terrain, Tileset};

/// Characters that are taken for others: the one meant, and those that look or lie like it.
const ALIKE: &[(char, &str)] = &[
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

/// What would be right instead of `char` in a row of `layer`.
pub(super) fn suggestion(tileset: &Tileset, layer: Layer, char: char) -> String {
    let of = |layer| tileset.layer(layer).map(|(_, terrain)| terrain);
    if let Some(terrain) = only(of(layer).filter(|terrain| same_letter(terrain.char, char))) {
        return format!("did you mean {:?}?", terrain.char);
    }
    if let Some(alike) = alike(char) {
        if alike == '.' && layer == Layer::Overlay {
            return "did you mean '.', which is nothing?".into();
        }
        if let Some(terrain) = of(layer).find(|terrain| terrain.char == alike) {
            return format!("did you mean {alike:?} ({})?", terrain.name);
        }
    }
    let begins = |terrain: &&Terrain| terrain.name.chars().next().is_some_and(|first| same_letter(first, char));
    if let Some(terrain) = only(of(layer).filter(begins)) {
        return format!("did you mean {:?} ({})?", terrain.char, terrain.name);
    }
    let (other, name) = match layer {
        Layer::Base => (Layer::Overlay, "overlay"),
        Layer::Overlay => (Layer::Base, "base"),
    };
    if let Some(terrain) = only(of(other).filter(|terrain| same_letter(terrain.char, char))) {
        return format!("did you mean {:?} ({})? It belongs in `{name}`", terrain.char, terrain.name);
    }
    let all: Vec<_> = of(layer).map(|terrain| format!("{} {}", terrain.char, terrain.name)).collect();
    let kind = if layer == Layer::Base { "ground is one of" } else { "an overlay is . for nothing, or one of" };
    format!("{kind} {}", all.join(", "))
}

/// The one that there is; `None` if there are several.
fn only<'a>(mut terrains: impl Iterator<Item = &'a Terrain>) -> Option<&'a Terrain> {
    terrains.next().filter(|_| terrains.next().is_none())
}

/// Whether the two differ by case at most, or by one of them being as wide as a CJK character.
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

fn alike(char: char) -> Option<char> {
    match narrow(char) {
        ' ' => Some('.'),
        char => ALIKE.iter().find(|(_, all)| all.contains(char)).map(|(meant, _)| *meant),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_character_is_named() {
        let tileset = Tileset::load(None).unwrap();
        for (layer, char, says) in [
            (Layer::Base, 'g', "did you mean 'G'?"),
            (Layer::Base, 'Ｓ', "did you mean 'S'?"),
            (Layer::Base, '-', "did you mean '~' (water)?"),
            (Layer::Base, 'w', "did you mean '~' (water)?"),
            (Layer::Base, 'r', "did you mean 'R' (road)? It belongs in `overlay`"),
            (Layer::Base, '?', "ground is one of G grass, S snow, D sand, ~ water"),
            (Layer::Overlay, 'w', "did you mean 'W'?"),
            (Layer::Overlay, '\t', "did you mean '.', which is nothing?"),
            (Layer::Overlay, '\u{a0}', "did you mean '.', which is nothing?"),
            (Layer::Overlay, 'В', "did you mean 'B' (bridge)?"),
            (Layer::Overlay, 'c', "did you mean '2' (castle)?"),
            (Layer::Overlay, 'p', "did you mean 'F' (pine forest)?"),
            (Layer::Overlay, 'l', "did you mean '1' (tent)?"),
            (Layer::Overlay, 'g', "did you mean 'G' (grass)? It belongs in `base`"),
        ] {
            assert_eq!(suggestion(&tileset, layer, char), says, "{char}");
        }
        assert!(
            suggestion(&tileset, Layer::Overlay, 'é').starts_with("an overlay is . for nothing, or one of R road, ")
        );
    }
}
