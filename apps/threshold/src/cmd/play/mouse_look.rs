//! Mouse motion that turns the camera.
//!
//! A captured mouse is read from one source. On platforms that can lock the pointer, that is raw motion. X11 cannot lock it and confines it
//! to the window by a grab, and with a grab the server sends all raw motion twice
//! (<https://github.com/rust-windowing/winit/issues/2846>). There the pointer is followed, and moved back to the middle of the window before
//! it reaches an edge.

/// Source of mouse motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum MotionSource {
    /// The mouse is not captured and points at the panel.
    #[default]
    None,
    /// Raw motion of the device.
    Raw,
    /// Positions of the pointer.
    Pointer,
}

/// Distance from the middle at which the pointer is moved back, as a part of the shorter side of the window. Larger lets a quick motion
/// reach an edge, where it is lost; smaller moves the pointer back more often.
const MAX_OFFSET: f64 = 0.125;
/// Positions elsewhere after which a move of the pointer counts as failed.
const MAX_MISSES: u32 = 32;

/// Adds up mouse motion between frames.
#[derive(Debug, Default)]
pub(super) struct MouseLook {
    source: MotionSource,
    /// The last position of the pointer, in pixels.
    at: Option<[f64; 2]>,
    recentring: Option<Recentring>,
    motion: [f64; 2],
}

/// A move of the pointer to the middle that no event has confirmed yet.
#[derive(Clone, Copy, Debug)]
struct Recentring {
    target: [f64; 2],
    /// Positions elsewhere since then.
    misses: u32,
}

impl MouseLook {
    /// Reads motion from another source, and drops motion that was not taken.
    pub(super) fn set_source(&mut self, source: MotionSource) {
        (self.source, self.recentring, self.motion) = (source, None, [0.0; 2]);
    }

    /// Handles raw motion of the device.
    pub(super) fn on_raw_motion(&mut self, by: [f64; 2]) {
        if self.source == MotionSource::Raw {
            self.add(by);
        }
    }

    /// Handles a position of the pointer in the window.
    pub(super) fn on_pointer_moved(&mut self, to: [f64; 2]) {
        let from = self.at.replace(to);
        if self.source != MotionSource::Pointer {
            return;
        }
        if let Some(recentring) = &mut self.recentring {
            if is_same(recentring.target, to) {
                // Our own move, not the user's.
                self.recentring = None;
                return;
            }
            recentring.misses += 1;
            if recentring.misses > MAX_MISSES {
                self.recentring = None;
            }
        }
        if let Some(from) = from {
            self.add([to[0] - from[0], to[1] - from[1]]);
        }
    }

    /// Returns where to move the pointer in a window of this size, in whole pixels; `None` if it can stay.
    pub(super) fn recentre_target(&mut self, size: [u32; 2]) -> Option<[u32; 2]> {
        let middle = size.map(|side| side / 2);
        let target = middle.map(f64::from);
        let max_offset = f64::from(size[0].min(size[1])) * MAX_OFFSET;
        let is_far = self.at.is_none_or(|at| distance(at, target) > max_offset);
        if self.source != MotionSource::Pointer || self.recentring.is_some() || !is_far {
            return None;
        }
        self.recentring = Some(Recentring { target, misses: 0 });
        Some(middle)
    }

    /// Handles a move of the pointer that the platform refused.
    pub(super) fn recentre_failed(&mut self) {
        self.recentring = None;
    }

    /// Takes the motion since the last call, in pixels to the right and down.
    pub(super) fn take_motion(&mut self) -> [f64; 2] {
        std::mem::take(&mut self.motion)
    }

    fn add(&mut self, by: [f64; 2]) {
        self.motion = [self.motion[0] + by[0], self.motion[1] + by[1]];
    }
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

fn is_same(a: [f64; 2], b: [f64; 2]) -> bool {
    distance(a, b) < 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [u32; 2] = [800, 600];

    /// Sends the events of X11 for a motion of the mouse: raw motion twice, and the position of the pointer.
    fn x11(look: &mut MouseLook, at: &mut [f64; 2], by: [f64; 2]) {
        *at = [at[0] + by[0], at[1] + by[1]];
        look.on_raw_motion(by);
        look.on_raw_motion(by);
        look.on_pointer_moved(*at);
    }

    #[test]
    fn a_confined_pointer_turns_by_its_own_motion_although_raw_motion_comes_twice() {
        let mut look = MouseLook::default();
        let mut at = [100.0, 100.0];
        look.on_pointer_moved(at);
        look.set_source(MotionSource::Pointer);
        let (mut put, mut whole) = (None, [0.0; 2]);
        for step in 0..2000_u32 {
            let by = [if step % 3 == 0 { 7.0 } else { -3.0 }, 1.0];
            x11(&mut look, &mut at, by);
            whole = [whole[0] + by[0], whole[1] + by[1]];
            // The server is a few events behind.
            if let Some((when, to)) = put
                && step >= when
            {
                at = to;
                look.on_pointer_moved(at);
                put = None;
            }
            if let Some(to) = look.recentre_target(SIZE) {
                put = Some((step + 3, to.map(f64::from)));
            }
            assert!((0.0..800.0).contains(&at[0]) && (0.0..600.0).contains(&at[1]), "{at:?}");
        }
        assert_eq!(look.take_motion(), whole);
        assert_eq!(look.take_motion(), [0.0; 2]);
    }

    #[test]
    fn a_locked_pointer_turns_by_raw_motion_alone() {
        let mut look = MouseLook::default();
        look.set_source(MotionSource::Raw);
        look.on_raw_motion([5.0, -2.0]);
        look.on_pointer_moved([300.0, 200.0]);
        look.on_pointer_moved([305.0, 198.0]);
        assert_eq!(look.take_motion(), [5.0, -2.0]);
        assert_eq!(look.recentre_target(SIZE), None);
    }

    #[test]
    fn a_free_mouse_does_not_turn() {
        let mut look = MouseLook::default();
        look.on_raw_motion([5.0, -2.0]);
        look.on_pointer_moved([300.0, 200.0]);
        look.on_pointer_moved([305.0, 198.0]);
        assert_eq!(look.take_motion(), [0.0; 2]);
    }

    #[test]
    fn a_pointer_that_cannot_be_moved_back_is_followed_all_the_same() {
        let mut look = MouseLook::default();
        look.on_pointer_moved([10.0, 10.0]);
        look.set_source(MotionSource::Pointer);
        assert_eq!(look.recentre_target(SIZE), Some([400, 300]));
        for step in 1..=100 {
            look.on_pointer_moved([10.0 + f64::from(step), 10.0]);
        }
        assert_eq!(look.take_motion(), [100.0, 0.0]);
        assert_eq!(look.recentre_target(SIZE), Some([400, 300]), "and is tried again");
    }
}
