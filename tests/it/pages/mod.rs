//! The Markdown files of the repository: their commands print what they show, their code is tested code, their lists
//! are complete, and their links lead somewhere.

#[cfg(all(feature = "cli", target_os = "linux"))]
mod commands;
mod links;
mod lists;
mod snippets;
mod web;

use std::ops::Range;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::support::file;

/// A Markdown file.
struct Page {
    /// Its path in the repository, with `/`.
    path: String,
    text: String,
}

impl Page {
    fn events(&self) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
        Parser::new_ext(&self.text, Options::ENABLE_TABLES).into_offset_iter()
    }

    /// `page:line` of a place in the text, as editors understand it.
    fn place(&self, offset: usize) -> String {
        format!("{}:{}", self.path, self.text[..offset].matches('\n').count() + 1)
    }

    /// The code blocks and the HTML comments, in order.
    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        for (event, range) in self.events() {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                    open = Some(Block::new(self.place(range.start), &language));
                }
                Event::Start(Tag::HtmlBlock) => open = Some(Block::new(self.place(range.start), HTML)),
                Event::Text(text) | Event::Html(text) => {
                    if let Some(block) = &mut open {
                        block.text.push_str(&text);
                    }
                }
                Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock) => blocks.extend(open.take()),
                _ => {}
            }
        }
        blocks
    }
}

/// The language of a [`Block`] of HTML.
const HTML: &str = "html";

/// A block of code or of HTML.
struct Block {
    /// `page:line`.
    place: String,
    /// The language after the opening fence: `console`, `rust`.
    language: String,
    text: String,
}

impl Block {
    fn new(place: String, language: &str) -> Self {
        Self { place, language: language.into(), text: String::new() }
    }
}

/// All Markdown files of the repository.
fn pages() -> Vec<Page> {
    files(&["md"])
        .into_iter()
        .map(|path| Page { text: std::fs::read_to_string(file(&path)).unwrap().replace("\r\n", "\n"), path })
        .collect()
}

/// The paths of all files of the repository with one of these extensions, sorted.
fn files(extensions: &[&str]) -> Vec<String> {
    let root = file("").canonicalize().unwrap();
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if is_ours(&path) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extensions.iter().any(|&wanted| extension == wanted)) {
                found.push(in_repository(&root, &path));
            }
        }
    }
    found.sort();
    found
}

/// Whether a folder has files of the repository, and not what was built or downloaded.
fn is_ours(folder: &Path) -> bool {
    let name = folder.file_name().unwrap().to_string_lossy();
    name == ".github" || !(name.starts_with('.') || ["target", "dist", "book", "node_modules"].contains(&&*name))
}

fn in_repository(root: &Path, path: &Path) -> String {
    let parts: PathBuf = path.strip_prefix(root).unwrap().into();
    parts.to_string_lossy().replace('\\', "/")
}

/// Fails with all of these failures.
fn assert_none(failures: &[String]) {
    assert!(failures.is_empty(), "\n{}\n\n{} in all", failures.join("\n"), failures.len());
}
