//! Puts letters on whole pixels. Between two pixels, rounding on the graphics card would decide which pixel of a letter
//! is drawn, and some draw one of them twice.

use bevy::prelude::*;
use bevy::text::TextLayoutInfo;
use bevy::ui::widget::text_system;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PostUpdate, round_positions.after(text_system));
}

fn round_positions(mut texts: Query<&mut TextLayoutInfo, Changed<TextLayoutInfo>>) {
    for mut text in &mut texts {
        // Nobody has to lay out the text again because of this.
        for glyph in &mut text.bypass_change_detection().glyphs {
            let half = glyph.atlas_info.rect.size() / 2.0;
            glyph.position = (glyph.position - half).round() + half;
        }
    }
}
