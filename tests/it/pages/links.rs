//! The links of the pages: files that exist, headings that exist, and a table of contents with every page of the guide.

use std::collections::{HashMap, HashSet};

use pulldown_cmark::{Event, Tag, TagEnd};

use super::{Page, assert_none, files, pages};
use crate::support::file;

/// A link or an image.
struct Link {
    /// `page:line`.
    place: String,
    address: String,
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let pages = pages();
    let anchors: HashMap<_, _> = pages.iter().map(|page| (page.path.as_str(), anchors(page))).collect();
    let mut failures = Vec::new();
    for page in &pages {
        for Link { place, address } in links(page) {
            let (path, anchor) = address.split_once('#').unwrap_or((&address, ""));
            let target = if path.is_empty() { Some(page.path.clone()) } else { resolve(&page.path, path) };
            match target {
                Some(target) if file(&target).exists() => {
                    if !anchor.is_empty() && !anchors.get(&*target).is_some_and(|anchors| anchors.contains(anchor)) {
                        failures.push(format!("{place}: {target} has no heading #{anchor}"));
                    }
                }
                _ => failures.push(format!("{place}: there is no {address}")),
            }
        }
    }
    assert_none(&failures);
}

#[test]
fn the_table_of_contents_of_the_guide_has_every_page() {
    const CONTENTS: &str = "docs/src/SUMMARY.md";
    let pages = pages();
    let contents = pages.iter().find(|page| page.path == CONTENTS).expect(CONTENTS);
    let listed: HashSet<_> = links(contents).iter().filter_map(|link| resolve(CONTENTS, &link.address)).collect();
    let missing: Vec<_> = files(&["md"])
        .into_iter()
        .filter(|path| path.starts_with("docs/src/") && path != CONTENTS && !listed.contains(path))
        .collect();
    assert_none(&missing);
}

/// The links and images that lead to files of the repository or to headings.
fn links(page: &Page) -> Vec<Link> {
    let mut links = Vec::new();
    for (event, range) in page.events() {
        let addresses = match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => vec![dest_url.to_string()],
            Event::Html(html) | Event::InlineHtml(html) => attributes(&html),
            _ => continue,
        };
        let is_ours = |address: &String| !address.contains("://") && !address.starts_with("mailto:");
        links.extend(
            addresses.into_iter().filter(is_ours).map(|address| Link { place: page.place(range.start), address }),
        );
    }
    links
}

/// The addresses in HTML.
fn attributes(html: &str) -> Vec<String> {
    ["href=\"", "src=\"", "srcset=\""]
        .iter()
        .flat_map(|name| html.split(name).skip(1))
        .filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()))
        .collect()
}

/// The path in the repository of a path that is relative to a page, or `None` if it leads out of the repository.
pub(super) fn resolve(page: &str, path: &str) -> Option<String> {
    let mut parts: Vec<_> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The anchors of a page's headings, by the rule of GitHub.
fn anchors(page: &Page) -> HashSet<String> {
    let mut anchors = HashSet::new();
    let mut heading: Option<String> = None;
    for (event, _) in page.events() {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let slug = slug(&heading.take().unwrap_or_default());
                let copies = (1..).map(|number| format!("{slug}-{number}"));
                let free = std::iter::once(slug.clone()).chain(copies).find(|slug| !anchors.contains(slug));
                anchors.extend(free);
            }
            _ => {}
        }
    }
    anchors
}

/// Letters become small, spaces hyphens, and other signs nothing.
fn slug(heading: &str) -> String {
    let kept = |&letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    heading.to_lowercase().chars().filter(kept).map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}
