//! The option `--color`, which decides whether colours are printed.

use std::ffi::OsString;

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};

/// Removes `--color WHEN` from the arguments, and applies the choice to all output from now on.
///
/// This happens before the other arguments are parsed, because the parser's help and errors are coloured too, and
/// because the parser would not accept the option before a command name. An invalid choice stays in the arguments, so
/// that the parser reports it.
pub fn take_color_option(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut kept = Vec::<OsString>::new();
    let mut args = args.into_iter().peekable();
    kept.extend(args.next());
    let mut options_ended = false;
    while let Some(arg) = args.next() {
        options_ended |= arg == "--";
        let option = arg.to_str().filter(|_| !options_ended);
        let choice = match option {
            Some("--color") => args.peek().and_then(|value| parse_choice(value.to_str()?)),
            Some(arg) => arg.strip_prefix("--color=").and_then(parse_choice),
            None => None,
        };
        let Some(choice) = choice else {
            kept.push(arg);
            continue;
        };
        choice.write_global();
        if option == Some("--color") {
            args.next();
        }
    }
    kept
}

fn parse_choice(value: &str) -> Option<ColorChoice> {
    match value {
        "auto" => Some(ColorChoice::Auto),
        "always" => Some(ColorChoice::Always),
        "never" => Some(ColorChoice::Never),
        _ => None,
    }
}

/// Whether output to `stream` is coloured.
///
/// `--color` decides. Without it, output is coloured on a terminal that supports colours unless `NO_COLOR` is set, and
/// everywhere if `CLICOLOR_FORCE` is set.
pub fn use_colour(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_color_options_are_removed() {
        let kept = |args: &str| {
            let kept = take_color_option(args.split(' ').map(OsString::from));
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
