//! How far the mouse has turned the view.
//!
//! A mouse that is held is read from one source. Where the platform can lock the pointer that is its raw motion. X11 cannot lock it and
//! confines it to the window by a grab, and with such a grab the server sends all raw motion twice
//! (<https://github.com/rust-windowing/winit/issues/2846>); there the pointer itself is followed, and put back into the middle of the window
//! before it comes to an edge.

/// Where motion is read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Source {
    /// The mouse is free and points at things.
    #[default]
    None,
    /// Raw motion of the device.
    Raw,
    /// Positions of the pointer.
    Pointer,
}

/// The pointer is put back once it is this far from the middle, as a part of the shorter side of the window. Larger lets a quick hand reach
/// an edge before, where motion is lost; smaller puts it back more often.
const FAR: f64 = 0.125;
/// After this many positions elsewhere the pointer is not waited for any longer: it was not put back.
const MAX_MISSES: u32 = 32;

/// Sums up how far the mouse has gone.
#[derive(Debug, Default)]
pub(super) struct MouseLook {
    source: Source,
    /// The last position of the pointer, in pixels.
    at: Option<[f64; 2]>,
    /// Where the pointer was put and has not been seen yet, and how often it was seen elsewhere since.
    put: Option<([f64; 2], u32)>,
    moved: [f64; 2],
}

impl MouseLook {
    /// Reads motion from another source; what was not taken is dropped.
    pub(super) fn read_from(&mut self, source: Source) {
        (self.source, self.put, self.moved) = (source, None, [0.0; 2]);
    }

    /// The device has moved.
    pub(super) fn raw_motion(&mut self, by: [f64; 2]) {
        if self.source == Source::Raw {
            self.add(by);
        }
    }

    /// The pointer is at a position of the window.
    pub(super) fn pointer_at(&mut self, to: [f64; 2]) {
        let from = self.at.replace(to);
        if self.source != Source::Pointer {
            return;
        }
        if let Some((target, misses)) = &mut self.put {
            if is_same(*target, to) {
                // That was not the hand.
                self.put = None;
                return;
            }
            *misses += 1;
            if *misses > MAX_MISSES {
                self.put = None;
            }
        }
        if let Some(from) = from {
            self.add([to[0] - from[0], to[1] - from[1]]);
        }
    }

    /// Where the pointer is to be put by now in a window of this size, if anywhere; whole pixels.
    pub(super) fn put_back(&mut self, size: [u32; 2]) -> Option<[u32; 2]> {
        let middle = size.map(|side| side / 2);
        let target = middle.map(f64::from);
        let far = f64::from(size[0].min(size[1])) * FAR;
        let is_far = self.at.is_none_or(|at| distance(at, target) > far);
        if self.source != Source::Pointer || self.put.is_some() || !is_far {
            return None;
        }
        self.put = Some((target, 0));
        Some(middle)
    }

    /// The pointer could not be put anywhere.
    pub(super) fn not_put(&mut self) {
        self.put = None;
    }

    /// How far the mouse has gone since this was asked last, in pixels, to the right and down.
    pub(super) fn take(&mut self) -> [f64; 2] {
        std::mem::take(&mut self.moved)
    }

    fn add(&mut self, by: [f64; 2]) {
        self.moved = [self.moved[0] + by[0], self.moved[1] + by[1]];
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

    /// What X11 sends for a hand that moves: raw motion twice, and the pointer's position.
    fn x11(look: &mut MouseLook, at: &mut [f64; 2], by: [f64; 2]) {
        *at = [at[0] + by[0], at[1] + by[1]];
        look.raw_motion(by);
        look.raw_motion(by);
        look.pointer_at(*at);
    }

    #[test]
    fn a_confined_pointer_turns_as_far_as_the_hand_moves_though_raw_motion_comes_twice() {
        let mut look = MouseLook::default();
        let mut at = [100.0, 100.0];
        look.pointer_at(at);
        look.read_from(Source::Pointer);
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
                look.pointer_at(at);
                put = None;
            }
            if let Some(to) = look.put_back(SIZE) {
                put = Some((step + 3, to.map(f64::from)));
            }
            assert!((0.0..800.0).contains(&at[0]) && (0.0..600.0).contains(&at[1]), "{at:?}");
        }
        assert_eq!(look.take(), whole);
        assert_eq!(look.take(), [0.0; 2]);
    }

    #[test]
    fn a_locked_pointer_turns_by_raw_motion_alone() {
        let mut look = MouseLook::default();
        look.read_from(Source::Raw);
        look.raw_motion([5.0, -2.0]);
        look.pointer_at([300.0, 200.0]);
        look.pointer_at([305.0, 198.0]);
        assert_eq!(look.take(), [5.0, -2.0]);
        assert_eq!(look.put_back(SIZE), None);
    }

    #[test]
    fn a_free_mouse_does_not_turn() {
        let mut look = MouseLook::default();
        look.raw_motion([5.0, -2.0]);
        look.pointer_at([300.0, 200.0]);
        look.pointer_at([305.0, 198.0]);
        assert_eq!(look.take(), [0.0; 2]);
    }

    #[test]
    fn a_pointer_that_cannot_be_put_back_is_followed_on() {
        let mut look = MouseLook::default();
        look.pointer_at([10.0, 10.0]);
        look.read_from(Source::Pointer);
        assert_eq!(look.put_back(SIZE), Some([400, 300]));
        for step in 1..=100 {
            look.pointer_at([10.0 + f64::from(step), 10.0]);
        }
        assert_eq!(look.take(), [100.0, 0.0]);
        assert_eq!(look.put_back(SIZE), Some([400, 300]), "and is tried again");
    }
}
