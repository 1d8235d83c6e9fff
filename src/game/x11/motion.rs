//! Follows the desktop's setting for animations, which it publishes as [XSETTINGS](https://specifications.freedesktop.org/xsettings-spec/latest/):
//! GNOME, KDE and others do. The engine and its window library do not know it.

use std::thread::Builder;

use bevy::prelude::*;
use x11rb::connection::Connection;
use x11rb::errors::ReplyError;
use x11rb::protocol::xproto::{AtomEnum, ChangeWindowAttributesAux, ConnectionExt, EventMask};
use x11rb::rust_connection::RustConnection;

use crate::game::frames::reduced_motion::{ReducedMotion, SystemMotion};

use super::XServer;

/// The setting: 0 without animations.
const SETTING: &[u8] = b"Gtk/EnableAnimations";

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, start_watching.run_if(resource_exists::<XServer>));
}

fn start_watching(reduced: Res<ReducedMotion>) {
    let system = reduced.system().clone();
    // If there are too many threads, the setting is not followed.
    let _ = Builder::new().name("X settings".into()).spawn(move || watch(&system));
}

/// Follows the setting until the server or the program that publishes it is gone. It has its own connection, as it
/// takes all of its events.
fn watch(system: &SystemMotion) -> Option<()> {
    let (connection, screen) = x11rb::connect(None).ok()?;
    let manager = format!("_XSETTINGS_S{screen}");
    let [manager, settings] =
        [manager.as_bytes(), b"_XSETTINGS_SETTINGS"].map(|name| atom(&connection, name)).map(Result::ok);
    let (manager, settings) = manager.zip(settings)?;
    let owner = connection.get_selection_owner(manager).ok()?.reply().ok()?.owner;
    if owner == x11rb::NONE {
        return None;
    }
    let events = EventMask::PROPERTY_CHANGE | EventMask::STRUCTURE_NOTIFY;
    connection.change_window_attributes(owner, &ChangeWindowAttributesAux::new().event_mask(events)).ok()?;
    loop {
        let property =
            connection.get_property(false, owner, settings, AtomEnum::ANY, 0, u32::MAX).ok()?.reply().ok()?;
        let animates = integer(&property.value, SETTING).is_none_or(|value| value != 0);
        system.set(!animates);
        connection.wait_for_event().ok()?;
        while connection.poll_for_event().ok()?.is_some() {}
    }
}

fn atom(connection: &RustConnection, name: &[u8]) -> Result<u32, ReplyError> {
    Ok(connection.intern_atom(false, name)?.reply()?.atom)
}

/// The integer of this name in a list of settings; `None` if there is none, or if the list is damaged.
fn integer(list: &[u8], name: &[u8]) -> Option<i32> {
    let mut bytes = Bytes { left: list, is_big_endian: *list.first()? == 1 };
    bytes.take(4)?;
    bytes.number()?;
    for _ in 0..bytes.number()? {
        let kind = bytes.take(2)?[0];
        let length = bytes.short()?;
        let found = bytes.padded(length.into())? == name;
        bytes.number()?;
        match kind {
            0 => {
                let value = bytes.number()?.cast_signed();
                if found {
                    return Some(value);
                }
            }
            1 => {
                let length = bytes.number()?;
                bytes.padded(length as usize)?;
            }
            2 => drop(bytes.take(8)?),
            _ => return None,
        }
    }
    None
}

/// The rest of a list of settings.
struct Bytes<'a> {
    left: &'a [u8],
    is_big_endian: bool,
}

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, left) = self.left.split_at_checked(count)?;
        self.left = left;
        Some(taken)
    }

    /// Takes this many bytes, and the padding up to a multiple of four.
    fn padded(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.take(count.checked_next_multiple_of(4)?)?;
        taken.get(..count)
    }

    fn number(&mut self) -> Option<u32> {
        let bytes: [u8; 4] = self.take(4)?.try_into().ok()?;
        Some(if self.is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    fn short(&mut self) -> Option<u16> {
        let bytes: [u8; 2] = self.take(2)?.try_into().ok()?;
        Some(if self.is_big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list with a text, a colour, and an integer, in either order of bytes.
    fn list(is_big_endian: bool, animates: u32) -> Vec<u8> {
        let number = |number: u32| if is_big_endian { number.to_be_bytes() } else { number.to_le_bytes() };
        let head = |kind: u8, name: &[u8]| {
            let length = name.len() as u16;
            let length = if is_big_endian { length.to_be_bytes() } else { length.to_le_bytes() };
            let mut head = [&[kind, 0], &length[..], name].concat();
            head.resize(head.len().next_multiple_of(4), 0);
            [head, number(7).to_vec()].concat()
        };
        [
            vec![u8::from(is_big_endian), 0, 0, 0],
            number(1).to_vec(),
            number(3).to_vec(),
            head(1, b"Net/ThemeName"),
            number(5).to_vec(),
            b"Adwai\0\0\0".to_vec(),
            head(2, b"Net/Colour"),
            vec![0; 8],
            head(0, SETTING),
            number(animates).to_vec(),
        ]
        .concat()
    }

    #[test]
    fn an_integer_is_found_in_a_list_of_either_order_of_bytes_and_a_damaged_list_has_none() {
        for is_big_endian in [false, true] {
            for animates in [0, 1] {
                let list = list(is_big_endian, animates);
                assert_eq!(integer(&list, SETTING), Some(animates as i32));
                assert_eq!(integer(&list, b"Net/ThemeName"), None, "a text");
                (0..list.len()).for_each(|length| assert_eq!(integer(&list[..length], SETTING), None));
            }
        }
    }
}
