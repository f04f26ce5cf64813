//! Lines of sight: the stab lists of rooms and of building portals.
//!
//! A line of sight is straight, so it passes every convex room at most once and every opening on its
//! way in order. The search follows all chains of openings and clips the next opening by the planes that
//! separate the first opening of the chain from the last one; the rest is all that a line through both
//! can reach. All cuts keep a margin, so the lists may name a room too many and never one
//! too few. A long search skips openings if everything behind their plane was already seen.
//! Rooms seen across the open air, out of one window and in through another, are not in the list
//! of a room: the landscape shows them through the portals of the building.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;

use threshold_geom::plane_of;
use threshold_land::Plane;
use threshold_land::vector::Vec3;

use crate::tool::layout::{FarSide, Layout};
use crate::tool::plan::StabListMode;
use crate::tool::solid::outline::{self, Outline};

/// Tolerance for rounding, in metres: separating planes must separate to within it.
const ROUNDING: f32 = 1e-4;
/// The margin of every cut, in metres.
const MARGIN: f32 = 2e-3;
/// Planes over a base shorter than this, in metres, are too uncertain to cut by.
const MIN_BASE: f32 = 0.02;
/// Openings tested before the search stops and lists everything reachable; still correct, only larger.
const MAX_STEPS: usize = 100_000;
/// Openings tested for one plan before searches stop earlier, as in large halls that are open on all sides.
const MAX_PLAN_STEPS: usize = 500_000;
/// The limit of a search after that.
const MAX_STEPS_WHEN_LARGE: usize = 500;
/// Openings tested before the search checks whether there is anything new behind the next.
const LOOKAHEAD_AFTER: usize = 500;
/// Largest number of rooms for which it checks: the results take a bit for each opening and room.
const MAX_LOOKAHEAD_ROOMS: usize = 4096;

/// Everything visible from a room or through a portal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct VisibleRooms {
    /// Indices of rooms.
    pub(crate) rooms: BTreeSet<usize>,
    /// Whether the outdoors is visible.
    pub(crate) outdoors: bool,
}

/// The openings of all rooms, in the frame of the plan.
pub(crate) struct Sight {
    rooms: Vec<Vec<View>>,
    /// Everything reachable through openings, for each group of joined rooms.
    reaches: Vec<VisibleRooms>,
    /// The index into `reaches` for each room.
    reach_of: Vec<usize>,
    lists: StabListMode,
    /// Number of openings tested.
    steps: Cell<usize>,
}

/// An opening as seen from the room before it.
struct View {
    outline: Outline,
    /// The plane; it faces away from the room.
    onward: Plane,
    /// The room behind it; `None` outdoors.
    room: Option<usize>,
    /// Everything a line through it can reach, computed on first use.
    behind: OnceCell<ReachableRooms>,
}

/// Everything behind an opening, round any corner that does not lead back through its plane.
struct ReachableRooms {
    rooms: RoomSet,
    outdoors: bool,
}

/// A set of rooms, one bit each.
struct RoomSet(Vec<u64>);

impl RoomSet {
    fn new(rooms: usize) -> Self {
        Self(vec![0; rooms.div_ceil(64)])
    }

    /// Inserts a room; returns whether it was new.
    fn insert(&mut self, room: usize) -> bool {
        let (word, bit) = (&mut self.0[room / 64], 1 << (room % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(own, theirs)| own & !theirs == 0)
    }
}

/// A chain of openings.
struct Chain<'a> {
    first: &'a [Vec3],
    first_plane: Plane,
    /// The visible part of the last opening; `None` if the first is the only one.
    last: Option<(&'a [Vec3], Plane)>,
}

impl Sight {
    pub(crate) fn of(layout: &Layout, lists: StabListMode) -> Self {
        let views = |chamber: &crate::tool::layout::Chamber| {
            let view = |gate: &crate::tool::layout::Gate| {
                let outline = chamber.gate_in_plan(gate);
                let inward = plane_of(&outline).unwrap_or(Plane { normal: Vec3::Z, d: 0.0 });
                let room = match gate.beyond {
                    FarSide::Room { room, .. } => Some(room),
                    FarSide::Outdoors | FarSide::Window => None,
                };
                let onward = outline::opposite(&inward);
                View { outline, onward, room, behind: OnceCell::new() }
            };
            chamber.gates.iter().map(view).collect()
        };
        let rooms: Vec<Vec<View>> = layout.rooms.iter().map(views).collect();
        let unknown = vec![usize::MAX; rooms.len()];
        let (reaches, steps) = (Vec::new(), Cell::new(0));
        let mut sight = Self { rooms, reaches, reach_of: unknown, lists, steps };
        for room in 0..sight.rooms.len() {
            if sight.reach_of[room] == usize::MAX {
                let reach = sight.reach(room);
                let number = sight.reaches.len();
                reach.rooms.iter().for_each(|room| sight.reach_of[*room] = number);
                sight.reaches.push(reach);
            }
        }
        sight
    }

    /// Returns everything visible from a room, without the room itself.
    pub(crate) fn of_room(&self, room: usize) -> VisibleRooms {
        let mut seen = match self.lists {
            StabListMode::Reach => self.reach_of(room).clone(),
            StabListMode::Sight => self.search_from(room),
        };
        seen.rooms.remove(&room);
        seen
    }

    fn search_from(&self, room: usize) -> VisibleRooms {
        let mut search = Search::new(self, self.reach_of(room));
        search.see(room);
        for view in &self.rooms[room] {
            match view.room {
                None => search.seen.outdoors = true,
                Some(next) => {
                    search.look(&chain(&view.outline, view.onward), next, &mut vec![room])
                }
            }
        }
        search.finish()
    }

    /// Returns everything visible from outdoors through an opening of a room, with the room.
    pub(crate) fn through_exit(&self, room: usize, gate: usize) -> VisibleRooms {
        if self.lists == StabListMode::Reach {
            return self.reach_of(room).clone();
        }
        let mut search = Search::new(self, self.reach_of(room));
        let view = &self.rooms[room][gate];
        search.look(&chain(&view.outline, outline::opposite(&view.onward)), room, &mut Vec::new());
        search.finish()
    }

    /// Returns everything reachable from a room, with the room.
    fn reach_of(&self, room: usize) -> &VisibleRooms {
        &self.reaches[self.reach_of[room]]
    }

    fn behind(&self, view: &View) -> ReachableRooms {
        let mut behind = ReachableRooms { rooms: RoomSet::new(self.rooms.len()), outdoors: false };
        let mut pending: Vec<usize> = view.room.into_iter().collect();
        while let Some(next) = pending.pop() {
            if !behind.rooms.insert(next) {
                continue;
            }
            for on in &self.rooms[next] {
                if beyond(&on.outline, &view.onward).is_some() {
                    behind.outdoors |= on.room.is_none();
                    pending.extend(on.room);
                }
            }
        }
        behind
    }

    /// Returns everything reachable from a room through openings, round any corner.
    fn reach(&self, room: usize) -> VisibleRooms {
        let mut reach = VisibleRooms::default();
        let mut pending = vec![room];
        while let Some(next) = pending.pop() {
            if reach.rooms.insert(next) {
                let views = &self.rooms[next];
                reach.outdoors |= views.iter().any(|view| view.room.is_none());
                pending.extend(views.iter().filter_map(|view| view.room));
            }
        }
        reach
    }
}

fn chain(first: &[Vec3], first_plane: Plane) -> Chain<'_> {
    Chain { first, first_plane, last: None }
}

struct Search<'a> {
    sight: &'a Sight,
    seen: VisibleRooms,
    /// The rooms of `seen`.
    marked: RoomSet,
    /// Everything reachable at all: once all of it is seen, the search ends.
    reach: &'a VisibleRooms,
    steps: usize,
    /// Number of openings tested before the search stops.
    max_steps: usize,
}

impl<'a> Search<'a> {
    fn new(sight: &'a Sight, reach: &'a VisibleRooms) -> Self {
        let marked = RoomSet::new(sight.rooms.len());
        let max_steps =
            if sight.steps.get() > MAX_PLAN_STEPS { MAX_STEPS_WHEN_LARGE } else { MAX_STEPS };
        Self { sight, seen: VisibleRooms::default(), marked, reach, steps: 0, max_steps }
    }

    fn see(&mut self, room: usize) {
        self.seen.rooms.insert(room);
        self.marked.insert(room);
    }

    /// Returns whether everything behind an opening was seen before. Called only in a long search: in a hall of
    /// many open rooms most chains lead to rooms seen before.
    fn is_known(&self, view: &View) -> bool {
        if self.steps < LOOKAHEAD_AFTER || self.sight.rooms.len() > MAX_LOOKAHEAD_ROOMS {
            return false;
        }
        let behind = view.behind.get_or_init(|| self.sight.behind(view));
        (self.seen.outdoors || !behind.outdoors) && behind.rooms.is_within(&self.marked)
    }

    fn is_over(&self) -> bool {
        let (seen, reach) = (&self.seen, self.reach);
        let everything = seen.rooms.len() == reach.rooms.len() && seen.outdoors == reach.outdoors;
        everything || self.steps > self.max_steps
    }

    /// Looks into a room through a chain of openings, and on through the room's own. `trail` holds the
    /// rooms on the way: no line returns to one.
    fn look(&mut self, chain: &Chain<'_>, room: usize, trail: &mut Vec<usize>) {
        self.see(room);
        self.steps += 1;
        trail.push(room);
        for view in &self.sight.rooms[room] {
            let known = match view.room {
                None => self.seen.outdoors,
                Some(next) => trail.contains(&next) || self.is_known(view),
            };
            if known || self.is_over() {
                continue;
            }
            let Some(left) = chain.reaches(&view.outline) else { continue };
            match view.room {
                None => self.seen.outdoors = true,
                Some(next) => {
                    let last = Some((left.as_slice(), view.onward));
                    self.look(&Chain { last, ..*chain }, next, trail);
                }
            }
        }
        trail.pop();
    }

    /// Returns the result; everything reachable if the search was stopped.
    fn finish(self) -> VisibleRooms {
        self.sight.steps.set(self.sight.steps.get() + self.steps);
        if self.steps > self.max_steps { self.reach.clone() } else { self.seen }
    }
}

impl Chain<'_> {
    /// Returns the part of an opening that is visible through the chain.
    fn reaches(&self, target: &[Vec3]) -> Option<Outline> {
        let mut left = beyond(target, &self.first_plane)?;
        let Some((last, last_plane)) = &self.last else { return Some(left) };
        left = beyond(&left, last_plane)?;
        left = cut(left, self.first, last, CutPlaneSide::Onward)?;
        cut(left, last, self.first, CutPlaneSide::Backward)
    }
}

/// Returns the part of an opening beyond a plane; `None` also if all of it lies in the plane.
fn beyond(target: &[Vec3], plane: &Plane) -> Option<Outline> {
    let left = ahead(target, plane, MARGIN)?;
    (outline::reach(&left, plane).1 > MARGIN / 2.0).then_some(left)
}

/// Returns the part of an outline in front of a plane or up to `slack` behind it.
fn ahead(outline: &[Vec3], plane: &Plane, slack: f32) -> Option<Outline> {
    outline::clip(outline, &Plane { d: plane.d + slack, ..*plane }, 0.0)
}

/// Whether the planes of [`cut`] lie on the first opening of a chain, or on the last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CutPlaneSide {
    Onward,
    Backward,
}

/// Cuts the rest of an opening by all planes that run through an edge of `base` and a corner of
/// `other`, and have the first opening of the chain on one side and the last one on the other.
fn cut(mut left: Outline, base: &[Vec3], other: &[Vec3], outlook: CutPlaneSide) -> Option<Outline> {
    for (index, from) in base.iter().enumerate() {
        let to = base[(index + 1) % base.len()];
        for corner in other {
            let Some((plane, gap)) = separating(*from, to, *corner, base, other) else { continue };
            // `other` is in front. The eye is behind the first opening, the target beyond the last.
            let plane = match outlook {
                CutPlaneSide::Onward => plane,
                CutPlaneSide::Backward => outline::opposite(&plane),
            };
            let far = left.iter().map(|at| at.distance(*from)).fold(0.0, f32::max);
            // The plane may be off by the rounding over its base, and by more at a distance.
            let slack = MARGIN + 2.0 * ROUNDING * far / gap;
            left = ahead(&left, &plane, slack)?;
        }
    }
    Some(left)
}

/// The plane through an edge of `base` and a corner of `other`, if it separates the two: `base` behind,
/// `other` in front. Also the distance of the corner from the edge.
fn separating(
    from: Vec3,
    to: Vec3,
    corner: Vec3,
    base: &[Vec3],
    other: &[Vec3],
) -> Option<(Plane, f32)> {
    let edge = to - from;
    let normal = edge.cross(corner - from);
    let gap = normal.length() / edge.length();
    if !(gap > MIN_BASE && edge.length() > MIN_BASE) {
        return None;
    }
    let plane = Plane::through(normal.normalize_or_zero(), from);
    let (low, high) = outline::reach(base, &plane);
    let plane = match (low < -ROUNDING, high > ROUNDING) {
        (true, false) => plane,
        (false, true) => outline::opposite(&plane),
        // Across it, or all in it: no side.
        _ => return None,
    };
    (outline::reach(other, &plane).0 >= -ROUNDING).then_some((plane, gap))
}
