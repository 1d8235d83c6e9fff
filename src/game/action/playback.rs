//! Playing something forwards and back: a search, a race or a recording.

/// The maximum number of times that the speed is doubled or halved.
const MAX_DOUBLINGS: i32 = 6;

/// An action of the controls that play a search, a race or a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Playback {
    /// Play or pause.
    Toggle,
    /// Go one step back.
    StepBack,
    /// Go one step forward.
    StepOn,
    /// Jump to the beginning.
    Start,
    /// Jump to the end.
    End,
    /// Play at half the speed.
    Slower,
    /// Play at twice the speed.
    Faster,
    /// Play at the normal speed times two to the power of this number.
    Doubled(i32),
    /// Jump to a position in the recording, 0 to 1.
    Seek(f32),
}

/// How something is played.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::game) struct PlaybackState {
    /// Whether it plays by itself. The player pauses it at its end.
    pub is_playing: bool,
    /// How often the speed was doubled, or halved if negative.
    doublings: i32,
}

impl PlaybackState {
    /// At the normal speed, not paused.
    pub(in crate::game) fn playing() -> Self {
        Self { is_playing: true, doublings: 0 }
    }

    /// The speed, as a multiple of the normal one.
    pub(in crate::game) fn speed(self) -> f64 {
        2f64.powi(self.doublings)
    }

    /// Carries out an action at a position between 0 and `end`. Returns the position to continue from.
    pub(in crate::game) fn act(&mut self, playback: Playback, position: f64, end: f64, step: f64) -> f64 {
        self.doublings = match playback {
            Playback::Slower => self.doublings - 1,
            Playback::Faster => self.doublings + 1,
            Playback::Doubled(times) => times,
            _ => self.doublings,
        }
        .clamp(-MAX_DOUBLINGS, MAX_DOUBLINGS);
        let to = match playback {
            Playback::Slower | Playback::Faster | Playback::Doubled(_) => return position,
            Playback::Toggle => {
                self.is_playing = !self.is_playing;
                // At the end it begins again.
                return if self.is_playing && position == end { 0.0 } else { position };
            }
            Playback::StepBack => position - step,
            Playback::StepOn => position + step,
            Playback::Start => 0.0,
            Playback::End => end,
            Playback::Seek(share) => f64::from(share) * end,
        };
        self.is_playing = false;
        to.clamp(0.0, end)
    }
}
