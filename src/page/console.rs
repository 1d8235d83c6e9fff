//! Writes the log into the console of the browser.

use std::io::{self, Write};

use tracing::{Level, Metadata};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;
use wasm_bindgen::JsValue;
use web_sys::console;

/// The log filter, unless the page address sets another one.
const DEFAULT: &str = "warn,emberwalk=info";

/// Writes the log into the console. `filter` has the form of `RUST_LOG`.
pub fn log(filter: Option<&str>) {
    let filter = filter.and_then(|filter| EnvFilter::try_new(filter).ok()).unwrap_or_else(|| EnvFilter::new(DEFAULT));
    let log = tracing_subscriber::fmt().with_env_filter(filter).without_time().with_ansi(false).with_writer(Console);
    log.log_internal_errors(false).init();
}

/// Creates the log lines.
struct Console;

/// A log line, which is written when it is complete.
struct Line {
    level: Level,
    text: Vec<u8>,
}

impl<'a> MakeWriter<'a> for Console {
    type Writer = Line;

    fn make_writer(&'a self) -> Line {
        Line { level: Level::INFO, text: Vec::new() }
    }

    fn make_writer_for(&'a self, metadata: &Metadata<'_>) -> Line {
        Line { level: *metadata.level(), text: Vec::new() }
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let text = JsValue::from(String::from_utf8_lossy(&self.text).trim_end());
        match self.level {
            Level::ERROR => console::error_1(&text),
            Level::WARN => console::warn_1(&text),
            _ => console::log_1(&text),
        }
    }
}
