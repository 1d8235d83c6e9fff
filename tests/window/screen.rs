//! A virtual screen: its pixels, its windows, and a simulated keyboard and mouse.

use std::cell::Cell;
use std::io::{BufRead, BufReader, IoSlice};
use std::process::{Child, Command, Stdio};

use image::{Rgb, RgbImage};
use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::xproto::{
    AtomEnum, AutoRepeatMode, BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ChangeKeyboardControlAux, ConfigureWindowAux,
    ConnectionExt, CreateWindowAux, ImageFormat, InputFocus, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT,
    Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;

/// Width and height of the screen, in pixels.
const SIZE: (u16, u16) = (1600, 1000);

/// The bytes of a request that simulates an input.
const FAKE_INPUT_LENGTH: usize = 36;

/// A virtual X server.
pub struct Server {
    process: Child,
    name: String,
}

impl Server {
    /// Starts a server with these options on a free display number.
    pub fn start(options: &[&str]) -> Self {
        let (width, height) = SIZE;
        let mut process = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &format!("{width}x{height}x24"), "-nolisten", "tcp"])
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb can be started");
        let mut number = String::new();
        let stdout = process.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut number).expect("Xvfb says its display");
        Self { process, name: format!(":{}", number.trim()) }
    }

    /// The value of `DISPLAY` for programs that use it.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn kill(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A virtual X server and a connection to it.
pub struct Screen {
    server: Server,
    x: RustConnection,
    root: Window,
    /// The number of the extension XTEST, which simulates input.
    xtest: u8,
    sent: Cell<Sent>,
}

/// One input of a user.
#[derive(Clone, Copy)]
pub enum Input {
    /// Moves the pointer to a pixel.
    Point((i32, i32)),
    /// Presses a button of the mouse.
    Press(Button),
    /// Releases it.
    Release(Button),
    /// Presses a key.
    PressKey(Key),
    /// Releases it.
    ReleaseKey(Key),
}

impl Input {
    /// Presses and releases a button of the mouse.
    pub const fn click(button: Button) -> [Self; 2] {
        [Self::Press(button), Self::Release(button)]
    }

    /// Presses and releases a key.
    pub const fn key(key: Key) -> [Self; 2] {
        [Self::PressKey(key), Self::ReleaseKey(key)]
    }

    /// Presses and releases keys, of which the first are held while the others are pressed.
    pub fn chord(keys: &[Key]) -> Vec<Self> {
        let pressed = keys.iter().map(|key| Self::PressKey(*key));
        pressed.chain(keys.iter().rev().map(|key| Self::ReleaseKey(*key))).collect()
    }
}

/// The number of events that have been sent, and where the pointer is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sent {
    /// Keys pressed or released.
    pub keys: usize,
    /// Buttons pressed or released, without the wheel.
    pub buttons: usize,
    /// Clicks of the wheel.
    pub wheel: usize,
    /// The pixel under the pointer; `None` if it has not been moved yet.
    pub pointer: Option<(i32, i32)>,
}

impl Sent {
    fn note(&mut self, input: Input) {
        match input {
            Input::Point(pixel) => self.pointer = Some(pixel),
            Input::Press(Button::WheelUp | Button::WheelDown) => self.wheel += 1,
            Input::Release(Button::WheelUp | Button::WheelDown) => {}
            Input::Press(_) | Input::Release(_) => self.buttons += 1,
            Input::PressKey(_) | Input::ReleaseKey(_) => self.keys += 1,
        }
    }
}

/// A button of the mouse, by its number.
#[derive(Clone, Copy)]
#[repr(u8)]
pub enum Button {
    Left = 1,
    Right = 3,
    WheelUp = 4,
    WheelDown = 5,
}

/// A key, by its keysym.
#[derive(Clone, Copy)]
pub struct Key(pub u32);

impl Key {
    pub const SPACE: Self = Self(0x20);
    pub const ENTER: Self = Self(0xff0d);
    pub const ESCAPE: Self = Self(0xff1b);
    pub const TAB: Self = Self(0xff09);
    pub const HOME: Self = Self(0xff50);
    pub const UP: Self = Self(0xff52);
    pub const RIGHT: Self = Self(0xff53);
    pub const PAGE_UP: Self = Self(0xff55);
    pub const PAGE_DOWN: Self = Self(0xff56);
    pub const END: Self = Self(0xff57);
    pub const SHIFT: Self = Self(0xffe1);
    pub const CTRL: Self = Self(0xffe3);
    pub const ALT: Self = Self(0xffe9);
    pub const F2: Self = Self(0xffbf);
    pub const F6: Self = Self(0xffc3);
    pub const F8: Self = Self(0xffc5);
    pub const F12: Self = Self(0xffc9);

    /// The key of a letter.
    pub const fn letter(letter: char) -> Self {
        Self(letter as u32)
    }

    /// The key of a letter that [`Screen::replace_letters`] has put there.
    pub const fn other_letter(letter: char) -> Self {
        Self(0x0100_0000 + letter as u32)
    }
}

impl Screen {
    /// Starts a server that ends with its last client.
    pub fn open() -> Self {
        let server = Server::start(&["-terminate"]);
        let (x, _) = RustConnection::connect(Some(server.name()))
            .unwrap_or_else(|error| panic!("display {}: {error}", server.name()));
        let root = x.setup().roots[0].root;
        let xtest = x.extension_information("XTEST").expect("the server answers").expect("Xvfb has XTEST").major_opcode;
        // A key that a busy machine releases late is not repeated.
        let once = ChangeKeyboardControlAux::new().auto_repeat_mode(AutoRepeatMode::OFF);
        x.change_keyboard_control(&once).expect("the server listens").check().expect("the keyboard can be set");
        Self { server, x, root, xtest, sent: Cell::default() }
    }

    /// The inputs that have been sent since the last call of [`count_from_here`](Self::count_from_here).
    pub fn sent(&self) -> Sent {
        self.sent.get()
    }

    /// Counts what is sent from now on.
    pub fn count_from_here(&self) {
        self.sent.set(Sent { pointer: self.sent.get().pointer, ..Sent::default() });
    }

    /// The value of `DISPLAY` for programs that use this screen.
    pub fn name(&self) -> &str {
        self.server.name()
    }

    /// Kills the server without warning.
    pub fn kill(&mut self) {
        self.server.kill();
    }

    /// The current pixels in the top left corner of the screen.
    pub fn pixels(&self, (width, height): (u32, u32)) -> RgbImage {
        let (w, h) = (width as u16, height as u16);
        let image = self.x.get_image(ImageFormat::Z_PIXMAP, self.root, 0, 0, w, h, !0).expect("the server listens");
        let data = image.reply().expect("the screen can be read").data;
        RgbImage::from_fn(width, height, |x, y| {
            let at = 4 * (y * width + x) as usize;
            Rgb([data[at + 2], data[at + 1], data[at]])
        })
    }

    /// The window whose title starts with `beginning`, and its title.
    pub fn window(&self, beginning: &str) -> Option<(Window, String)> {
        let windows = self.x.query_tree(self.root).ok()?.reply().ok()?.children;
        windows.into_iter().find_map(|window| {
            let title = self.title(window)?;
            title.starts_with(beginning).then_some((window, title))
        })
    }

    fn title(&self, window: Window) -> Option<String> {
        let name = self.x.intern_atom(false, b"_NET_WM_NAME").ok()?.reply().ok()?.atom;
        let title = self.x.get_property(false, window, name, AtomEnum::ANY, 0, 1000).ok()?.reply().ok()?;
        String::from_utf8(title.value).ok()
    }

    /// Whether keys go to this window.
    pub fn has_keyboard(&self, window: Window) -> bool {
        self.x.get_input_focus().ok().and_then(|cookie| cookie.reply().ok()).is_some_and(|reply| reply.focus == window)
    }

    /// Takes the keyboard away from the window that has it, as when the user turns to another window.
    pub fn take_keyboard(&self) {
        let focus = self.x.set_input_focus(InputFocus::NONE, self.root, 0_u32).expect("the server listens");
        focus.check().expect("the root can have it");
    }

    /// Gives a window another size.
    pub fn resize(&self, window: Window, (width, height): (u32, u32)) {
        let size = ConfigureWindowAux::new().width(width).height(height);
        self.x.configure_window(window, &size).expect("the server listens").check().expect("the window is there");
    }

    /// Takes a window off the screen, as window managers do when it is minimised.
    pub fn unmap(&self, window: Window) {
        self.x.unmap_window(window).expect("the server listens").check().expect("the window is there");
    }

    /// Puts it back.
    pub fn map(&self, window: Window) {
        self.x.map_window(window).expect("the server listens").check().expect("the window is there");
    }

    /// Covers the whole screen with a window, and returns it.
    pub fn cover(&self) -> Window {
        let id = self.x.generate_id().expect("there are free ids");
        let (attributes, input_output) = (CreateWindowAux::new().override_redirect(1), WindowClass::INPUT_OUTPUT);
        let (width, height) = SIZE;
        let created = self.x.create_window(0, id, self.root, 0, 0, width, height, 0, input_output, 0, &attributes);
        created.expect("the server listens").check().expect("a window can be made");
        self.map(id);
        id
    }

    /// Lets the keys of these letters type other ones, as after the user has chosen another layout.
    pub fn replace_letters(&self, letters: &[(char, char)]) {
        // The keysyms of all characters that have no older keysym.
        const UNICODE: u32 = 0x0100_0000;
        let sign = |letter: char| UNICODE + u32::from(letter);
        for (letter, other) in letters {
            let capital = other.to_uppercase().next().unwrap_or(*other);
            let (code, signs) = (self.code(Key::letter(*letter)), [sign(*other), sign(capital)]);
            let changed = self.x.change_keyboard_mapping(1, code, signs.len() as u8, &signs);
            changed.expect("the server listens").check().expect("the key can be changed");
        }
    }

    /// Moves the pointer to a pixel.
    pub fn point(&self, pixel: (i32, i32)) {
        self.send(&[Input::Point(pixel)]);
    }

    /// Presses and releases a button of the mouse.
    pub fn click(&self, button: Button) {
        self.send(&Input::click(button));
    }

    /// Presses a button and holds it.
    pub fn press(&self, button: Button) {
        self.send(&[Input::Press(button)]);
    }

    /// Releases a button.
    pub fn release(&self, button: Button) {
        self.send(&[Input::Release(button)]);
    }

    /// Presses and releases a key.
    pub fn key(&self, key: Key) {
        self.send(&Input::key(key));
    }

    /// Presses a key and holds it.
    pub fn press_key(&self, key: Key) {
        self.send(&[Input::PressKey(key)]);
    }

    /// Releases a key.
    pub fn release_key(&self, key: Key) {
        self.send(&[Input::ReleaseKey(key)]);
    }

    /// Sends inputs that belong together as if a user had caused them: no time passes between them, however busy the
    /// machine is.
    pub fn send(&self, inputs: &[Input]) {
        let requests: Vec<_> = inputs.iter().map(|input| self.request(*input)).collect();
        let send = |request: &[u8; FAKE_INPUT_LENGTH]| {
            self.x.send_request_without_reply(&[IoSlice::new(request)], Vec::new()).expect("the server listens")
        };
        let sent: Vec<_> = requests.iter().map(send).collect();
        sent.into_iter().for_each(|sent| sent.check().expect("the server plays the event"));
        let mut count = self.sent.get();
        inputs.iter().for_each(|input| count.note(*input));
        self.sent.set(count);
    }

    /// The key code of a key that needs no Shift.
    fn code(&self, Key(sign): Key) -> u8 {
        let setup = self.x.setup();
        let (first, count) = (setup.min_keycode, setup.max_keycode - setup.min_keycode + 1);
        let keys = self.x.get_keyboard_mapping(first, count).expect("the server listens").reply().expect("it has keys");
        let mut signs = keys.keysyms.chunks(usize::from(keys.keysyms_per_keycode));
        let key = signs.position(|signs| signs.first() == Some(&sign)).expect("the keyboard has the key");
        first + key as u8
    }

    /// The request FakeInput of the extension XTEST.
    fn request(&self, input: Input) -> [u8; FAKE_INPUT_LENGTH] {
        const FAKE_INPUT: u8 = 2;
        let (event, detail, (x, y)) = match input {
            Input::Point(pixel) => (MOTION_NOTIFY_EVENT, 0, pixel),
            Input::Press(button) => (BUTTON_PRESS_EVENT, button as u8, (0, 0)),
            Input::Release(button) => (BUTTON_RELEASE_EVENT, button as u8, (0, 0)),
            Input::PressKey(key) => (KEY_PRESS_EVENT, self.code(key), (0, 0)),
            Input::ReleaseKey(key) => (KEY_RELEASE_EVENT, self.code(key), (0, 0)),
        };
        let mut request = [0; FAKE_INPUT_LENGTH];
        request[..2].copy_from_slice(&[self.xtest, FAKE_INPUT]);
        request[2..4].copy_from_slice(&(FAKE_INPUT_LENGTH as u16 / 4).to_ne_bytes());
        request[4..6].copy_from_slice(&[event, detail]);
        request[12..16].copy_from_slice(&self.root.to_ne_bytes());
        request[24..26].copy_from_slice(&(x as i16).to_ne_bytes());
        request[26..28].copy_from_slice(&(y as i16).to_ne_bytes());
        request
    }
}
