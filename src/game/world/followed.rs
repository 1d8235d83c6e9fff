//! The files that the window follows from its start.

use emberwalk_map::diagnostics::Diagnostics;

use super::first_load::FirstLoad;
use super::loader::{Loader, Source, VersionKey};

/// The files to follow.
#[derive(Debug)]
pub enum Followed {
    /// They were read by this loader, with this result.
    Read(Box<Loader>, Box<Result<VersionKey, Diagnostics>>),
    /// They are still being read.
    Pending(FirstLoad),
}

impl Followed {
    /// Returns what is wrong with them; `None` if nothing is, or that is not known yet.
    pub fn faults(&self) -> Option<&Diagnostics> {
        if let Self::Read(_, known) = self { known.as_ref().as_ref().err() } else { None }
    }

    /// Returns which files they are.
    pub fn source(&self) -> &Source {
        match self {
            Self::Read(loader, _) => loader.source(),
            Self::Pending(load) => load.source(),
        }
    }
}
