//! Commands in the help of errors, which users paste into a shell.

/// An argument as a shell needs it: in quotes if it has spaces or characters with a meaning.
///
/// ```
/// use emberwalk_map::diagnostics::shell_argument;
/// assert_eq!(shell_argument("a.txt"), "a.txt");
/// assert_eq!(shell_argument("my map.txt"), "\"my map.txt\"");
/// assert_eq!(shell_argument("$1's.txt"), r"'$1'\''s.txt'");
/// ```
pub fn shell_argument(argument: &str) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "/._-+:,@".contains(char);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        return argument.to_owned();
    }
    // Between double quotes, these characters have a meaning. Between single quotes, only a single quote has one.
    if argument.contains(['"', '$', '`', '\\', '!']) {
        return format!("'{}'", argument.replace('\'', "'\\''"));
    }
    format!("\"{argument}\"")
}

/// The command that converts `file`, as messages name it, to a map. `options` go before the output.
///
/// ```
/// use emberwalk_map::diagnostics::import_command;
/// assert_eq!(import_command("<stdin>", &[]), "emberwalk import - -o my.ron");
/// assert_eq!(import_command("a b.txt", &["--walls", "#"]), "emberwalk import \"a b.txt\" --walls \"#\" -o my.ron");
/// ```
pub fn import_command(file: &str, options: &[&str]) -> String {
    let options = options.iter().map(|option| shell_argument(option));
    let words: Vec<_> = std::iter::once(file_argument(file)).chain(options).collect();
    format!("emberwalk import {} -o my.ron", words.join(" "))
}

/// The argument that means `file`, as messages name it.
fn file_argument(file: &str) -> String {
    match file {
        "<stdin>" => "-".to_owned(),
        // A name that begins like an option.
        _ if file.starts_with('-') => shell_argument(&format!("./{file}")),
        _ => shell_argument(file),
    }
}

/// The help for a recording.
pub fn replay_help(file: &str) -> String {
    format!("play it: emberwalk replay {}", file_argument(file))
}

/// The help for a plan of many agents.
pub fn plan_help(file: &str) -> String {
    format!("check its paths: emberwalk crowd MAP --plan {}", file_argument(file))
}

/// The help for a file that can be converted to a map.
pub fn import_help(file: &str) -> String {
    format!("convert it to a map: {}", import_command(file, &[]))
}
