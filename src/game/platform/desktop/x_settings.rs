//! The settings that a desktop publishes for programs under X11, by the protocol
//! [XSETTINGS](https://specifications.freedesktop.org/xsettings-spec/latest/): GNOME, KDE and others do.

use x11rb::protocol::xproto::{Atom, AtomEnum, ConnectionExt, Window};
use x11rb::rust_connection::RustConnection;

/// The program that publishes the settings of a screen.
pub(in crate::game) struct XSettings {
    /// Its window.
    pub owner: Window,
    /// The property of the window that has the settings.
    property: Atom,
}

impl XSettings {
    /// The settings of a screen; `None` if no program publishes any, or if the server does not answer.
    pub fn find(connection: &RustConnection, screen: usize) -> Option<Self> {
        let atom = |name: &str| Some(connection.intern_atom(false, name.as_bytes()).ok()?.reply().ok()?.atom);
        let owner = connection.get_selection_owner(atom(&format!("_XSETTINGS_S{screen}"))?).ok()?.reply().ok()?.owner;
        if owner == x11rb::NONE {
            return None;
        }
        Some(Self { owner, property: atom("_XSETTINGS_SETTINGS")? })
    }

    /// The current list of settings; `None` if the program or the server is gone.
    pub fn read(&self, connection: &RustConnection) -> Option<Vec<u8>> {
        let list = connection.get_property(false, self.owner, self.property, AtomEnum::ANY, 0, u32::MAX / 4).ok()?;
        Some(list.reply().ok()?.value)
    }
}

/// The integer of this name in a list of settings; `None` if there is none, or if the list is damaged.
pub(in crate::game) fn integer(list: &[u8], name: &[u8]) -> Option<i32> {
    // Its type and the length of its name precede the name; padding and a serial number follow.
    let is_big_endian = *list.first()? == 1;
    let length = name.len() as u16;
    let length = if is_big_endian { length.to_be_bytes() } else { length.to_le_bytes() };
    let head = [&[0, 0], &length[..], name].concat();
    let start = list.windows(head.len()).position(|bytes| bytes == head)? + head.len().next_multiple_of(4) + 4;
    let value = list.get(start..start + 4)?.try_into().ok()?;
    Some(if is_big_endian { i32::from_be_bytes(value) } else { i32::from_le_bytes(value) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTING: &[u8] = b"Gtk/EnableAnimations";

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
