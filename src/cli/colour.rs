//! Whether what is printed has colours.

use std::ffi::OsString;

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};

/// The arguments without `--color WHEN`, which from now on holds for all that is printed.
///
/// It is taken out before the rest is parsed, for what the parser itself prints has colours too, and a command takes no
/// other arguments before its name. What is no choice of a colour stays, for the parser to refuse.
pub fn chosen(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let (mut kept, mut args): (Vec<OsString>, _) = (Vec::new(), args.into_iter().peekable());
    kept.extend(args.next());
    let mut ended = false;
    while let Some(arg) = args.next() {
        ended |= arg == "--";
        let written = arg.to_str().filter(|_| !ended);
        let choice = match written {
            Some("--color") => args.peek().and_then(|value| choice(value.to_str()?)),
            Some(arg) => arg.strip_prefix("--color=").and_then(choice),
            None => None,
        };
        let Some(choice) = choice else {
            kept.push(arg);
            continue;
        };
        choice.write_global();
        if written == Some("--color") {
            args.next();
        }
    }
    kept
}

fn choice(value: &str) -> Option<ColorChoice> {
    match value {
        "auto" => Some(ColorChoice::Auto),
        "always" => Some(ColorChoice::Always),
        "never" => Some(ColorChoice::Never),
        _ => None,
    }
}

/// Whether what goes to `stream` is coloured: as `--color` says, and without it on a terminal that can show colours,
/// unless `NO_COLOR` is set, and everywhere if `CLICOLOR_FORCE` is.
pub fn colour(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_chooses_a_colour_is_taken_out() {
        let kept = |args: &str| {
            let kept = chosen(args.split(' ').map(OsString::from));
            kept.join(" ".as_ref()).into_string().unwrap()
        };
        assert_eq!(kept("emberwalk --color never route valley"), "emberwalk route valley");
        assert_eq!(kept("emberwalk route --color=always valley"), "emberwalk route valley");
        assert_eq!(kept("emberwalk --color pink route"), "emberwalk --color pink route");
        assert_eq!(kept("emberwalk --color"), "emberwalk --color");
        assert_eq!(kept("emberwalk -- --color=never"), "emberwalk -- --color=never");
        ColorChoice::Auto.write_global();
    }
}
