//! Dangers of cells, which fade.

use super::Board;
use crate::{CrowdEvent, Danger};
use emberwalk_path::EntryCost;
use emberwalk_path::grid::{Cell, Size};

impl Board {
    /// Sets the danger of a cell for a kind.
    pub(crate) fn set_danger(&mut self, kind: usize, cell: Cell, danger: Option<EntryCost>) {
        if self.land.set_danger(kind, cell, danger) {
            self.report_danger(Some(kind), cell, Size::new(1, 1));
        }
    }

    /// Adds a danger that fades.
    pub(crate) fn add_danger(&mut self, danger: Danger) {
        self.land.add_danger(danger, self.now);
        self.report_danger_around(danger);
        self.wait_for_fading();
    }

    /// Lets dangers fade whose time has come.
    pub(crate) fn fade(&mut self) {
        while let Some(danger) = self.land.fade(self.now) {
            self.report_danger_around(danger);
        }
        self.wait_for_fading();
    }

    fn wait_for_fading(&mut self) {
        if let Some(time) = self.land.next_fading() {
            self.agenda.add_fading(time);
        }
    }

    fn report_danger_around(&mut self, danger: Danger) {
        let (corner, size) = danger.area(self.grid().size());
        self.report_danger(danger.kind, corner, size);
    }

    /// Reports that the danger of a rectangle has changed. Guides follow in the next beats.
    fn report_danger(&mut self, kind: Option<usize>, corner: Cell, size: Size) {
        self.events.push(CrowdEvent::DangerChanged { kind, corner, size, time: self.now });
        self.add_beat();
    }
}
