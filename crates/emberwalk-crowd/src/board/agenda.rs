//! The agenda of a crowd: when agents decide next, who decides now, and the next beat.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::rank::Rank;
use crate::index::AgentIndex;
use emberwalk_path::time::CrowdTime;

/// The time between two beats. Each beat does a slice of the work that takes long or has to wait. With 1/64 s or 1/16 s
/// instead, the full rooms and the small islands take the same time within 1 %.
const BEAT: CrowdTime = CrowdTime::SECOND.divided_by(32);

/// Agents that get their orders at the same time set out in waves, one with each beat. Otherwise the first step of a
/// large crowd would make a tick long, and so would the next steps, which would all end at the same times. A wave has
/// this many agents, or more if there would be more than `WAVES` waves. With 8 or 32 waves instead, as many agents
/// arrive, and the longest tick is 20 % longer or as long.
const MIN_IN_WAVE: usize = 500;
const WAVES: usize = 20;

/// The due entries. At the same time, agents come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Entry {
    /// An agent ends its step and decides, if this is still the time that it [is due](super::agents::Agent::due).
    Agent(AgentIndex),
    Beat,
    /// The next slice of the waiting searches for routes.
    Slice,
    /// Dangers fade.
    Fading,
    /// Announced changes are made, before agents decide.
    Announced,
}

#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Agenda {
    entries: BinaryHeap<Reverse<(CrowdTime, Entry)>>,
    /// Whether the next beat is on the agenda, and the next slice of searches.
    has_beat: bool,
    has_slice: bool,
    /// The time of the entry at which dangers fade next. Others of this kind are outdated.
    fading: Option<CrowdTime>,
    /// The same for the next announced change.
    announced: Option<CrowdTime>,
    /// The agents that decide now.
    deciding: BinaryHeap<Rank>,
    /// When agents got their last orders, and how many.
    ordered_at: CrowdTime,
    ordered: usize,
}

impl Agenda {
    /// The time of the next entry.
    pub(super) fn next_time(&self) -> Option<CrowdTime> {
        self.entries.peek().map(|&Reverse((time, _))| time)
    }

    /// Takes the next entry off the agenda, if it is for this time.
    pub(super) fn take_due(&mut self, time: CrowdTime) -> Option<Entry> {
        if self.next_time() != Some(time) {
            return None;
        }
        let Reverse((_, entry)) = self.entries.pop()?;
        match entry {
            Entry::Agent(_) => {}
            Entry::Beat => self.has_beat = false,
            Entry::Slice => self.has_slice = false,
            Entry::Fading => self.fading = self.fading.filter(|&next| next != time),
            Entry::Announced => self.announced = self.announced.filter(|&next| next != time),
        }
        Some(entry)
    }

    /// Adds a time at which an agent is due.
    pub(super) fn add(&mut self, agent: AgentIndex, due: CrowdTime) {
        self.entries.push(Reverse((due, Entry::Agent(agent))));
    }

    /// Adds the next beat, unless it is there. Beats have a fixed rhythm, so that moves do not depend on how often
    /// `advance` is called.
    pub(super) fn add_beat(&mut self, now: CrowdTime) {
        if !std::mem::replace(&mut self.has_beat, true) {
            self.entries.push(Reverse((now.rounded_down_to(BEAT) + BEAT, Entry::Beat)));
        }
    }

    /// Adds the next slice of searches at this time, unless it is there.
    pub(super) fn add_slice(&mut self, time: CrowdTime) {
        if !std::mem::replace(&mut self.has_slice, true) {
            self.entries.push(Reverse((time, Entry::Slice)));
        }
    }

    /// Adds a time at which dangers fade, unless they do so before.
    pub(super) fn add_fading(&mut self, time: CrowdTime) {
        if self.fading.is_none_or(|next| time < next) {
            self.fading = Some(time);
            self.entries.push(Reverse((time, Entry::Fading)));
        }
    }

    /// Adds a time at which an announced change is made, unless another is made before.
    pub(super) fn add_announced(&mut self, time: CrowdTime) {
        if self.announced.is_none_or(|next| time < next) {
            self.announced = Some(time);
            self.entries.push(Reverse((time, Entry::Announced)));
        }
    }

    /// When an agent that gets an order now sets out, in a crowd of this many agents.
    pub(super) fn time_to_set_out(&mut self, now: CrowdTime, agents: usize) -> CrowdTime {
        if std::mem::replace(&mut self.ordered_at, now) != now {
            self.ordered = 0;
        }
        let wave = self.ordered / MIN_IN_WAVE.max(agents / WAVES);
        self.ordered += 1;
        now + BEAT.times(wave as u64)
    }

    /// Lets the agent of this rank decide now.
    pub(super) fn call(&mut self, rank: Rank) {
        self.deciding.push(rank);
    }

    /// The next agent that decides now: the agent of the highest rank.
    pub(super) fn take_deciding(&mut self) -> Option<AgentIndex> {
        self.deciding.pop().map(Rank::agent)
    }
}
