//! A tower with stairs that wind around a newel, in wedges of an octagon.

use threshold_land::vector::{Vec2, Vec3};

use super::mason::Mason;
use super::stock::Stock;
use crate::stock::material::Material;
use crate::tool::opening::{Face, Opening};
use crate::tool::plan::{Plan, RoomKey};
use crate::tool::room::{FaceMaterials, RoomSpec};
use crate::tool::shape::Shape;

/// Wedges per turn.
const SIDES: usize = 8;
/// Height difference of consecutive wedges, in metres: two steps.
const RISE: f32 = 0.6;
/// Thickness of the floor between two turns, in metres.
const SLAB: f32 = 0.3;

/// Stairs that wind up around a newel to the left, as rooms. The first wedge is level and in the south.
pub(super) struct SpiralStairs {
    /// The centre of the newel, at the floor of the first wedge.
    pub(super) foot: Vec3,
    /// Radii of the newel and of the outer wall, to the middle of their sides, in metres.
    pub(super) radii: [f32; 2],
    /// Number of wedges.
    pub(super) wedges: usize,
    /// Whether the last wedge is level as well.
    pub(super) level_end: bool,
    /// Maximum ceiling heights, by the side of the octagon.
    pub(super) ceilings: [f32; SIDES],
    pub(super) looks: FaceMaterials,
}

impl SpiralStairs {
    /// Returns a corner of the octagons, numbered as by [`Shape::regular`]: wedge `n` lies between corners `n` and `n + 1`.
    pub(super) fn corner(&self, radius: f32, number: usize) -> Vec2 {
        let side = std::f32::consts::TAU / 8.0;
        #[allow(clippy::cast_precision_loss, reason = "below 8")]
        let angle = ((number % SIDES) as f32 - 0.5) * side;
        let reach = radius / libm::cosf(side / 2.0);
        self.foot.truncate() + Vec2::new(reach * libm::sinf(angle), -reach * libm::cosf(angle))
    }

    /// Returns the floor height of a wedge.
    pub(super) fn floor(&self, number: usize) -> f32 {
        #[allow(clippy::cast_precision_loss, reason = "a few dozen")]
        let steps = number.saturating_sub(1) as f32;
        self.foot.z + RISE * steps
    }

    /// Returns the ceiling height of a wedge: the next turn, or the limit of its side.
    fn top(&self, number: usize) -> f32 {
        let ceiling = self.ceilings[number % SIDES];
        let next_turn = self.floor(number + SIDES) - SLAB;
        if number + SIDES < self.wedges { next_turn.min(ceiling) } else { ceiling }
    }

    fn wedge(&self, number: usize) -> RoomSpec {
        let [inner, outer] = self.radii;
        let [a, b] = [number, number + 1].map(|at| self.corner(inner, at));
        let [c, d] = [number, number + 1].map(|at| self.corner(outer, at));
        let (low, high) = (self.floor(number), self.top(number));
        // The outer wall first, as wall 0.
        let room = RoomSpec::prism([c, d, b, a], low, high).named(&format!("turn {number}"));
        let room = room.materials(self.looks).buried();
        if number == 0 || (self.level_end && number + 1 == self.wedges) {
            return room;
        }
        let (e, f) = ((a + b) / 2.0, (c + d) / 2.0);
        let top = low + RISE / 2.0;
        let step = Shape::prism([f, d, b, e], low, top).boarded([e, f].map(|at| at.extend(top)));
        room.block_of(self.looks.up, step)
    }

    /// Returns the vertical rectangle at the end of a wedge, between two heights.
    pub(super) fn gap(&self, number: usize, [low, high]: [f32; 2]) -> [Vec3; 4] {
        let [inner, outer] = self.radii.map(|radius| self.corner(radius, number + 1));
        [inner.extend(low), outer.extend(low), outer.extend(high), inner.extend(high)]
    }

    /// Adds the wedges to a plan.
    pub(super) fn build(&self, plan: &mut Plan) -> Vec<RoomKey> {
        let keys: Vec<RoomKey> =
            (0..self.wedges).map(|number| plan.room(self.wedge(number))).collect();
        for (number, pair) in keys.windows(2).enumerate() {
            let high = self.top(number).min(self.top(number + 1));
            let gap = self.gap(number, [self.floor(number + 1), high]);
            plan.join(pair[0], pair[1], Opening::polygon(gap));
        }
        keys
    }
}

/// Radii of the tower's newel and of its outer wall, to the middle of their sides, in metres.
const RADII: [f32; 2] = [0.9, 4.2];
/// Number of wedges: two turns.
const WEDGES: usize = 2 * SIDES;
/// Position in the lookout, before a window.
pub(super) const LOOKOUT: [f32; 2] = [2.4, -1.9];

/// Returns the path up the tower in its plan: through the porch, and around the newel from the middle of each wedge to the next.
pub(super) fn climb() -> impl Iterator<Item = [f32; 2]> {
    let [inner, outer] = RADII;
    let radius = (inner + outer) / 2.0;
    let middle = move |number: usize| {
        #[allow(clippy::cast_precision_loss, reason = "a few dozen")]
        let angle = number as f32 / SIDES as f32 * std::f32::consts::TAU;
        [radius * libm::sinf(angle), -radius * libm::cosf(angle)]
    };
    let porch = [0.0, -outer - 1.3];
    [porch].into_iter().chain((0..=WEDGES).map(middle))
}

/// Two turns up to a lookout over three sides of the octagon.
pub(super) fn tower(stock: &mut Stock<'_>) -> Plan {
    const OUTER: f32 = RADII[1];
    const TOP: f32 = 12.6;
    let looks = FaceMaterials::new(Material::Ashlar, Material::Plank, Material::Timber);
    let mut m = Mason::new(looks);
    let porch = m.room("tower porch", [-1.5, -OUTER - 2.6, 0.0], [1.5, -OUTER, 2.8]);
    let mut winding = SpiralStairs {
        foot: Vec3::ZERO,
        radii: RADII,
        wedges: WEDGES,
        level_end: false,
        ceilings: [TOP; SIDES],
        looks,
    };
    // The lookout starts at the end of the last wedge, over the three sides that follow.
    let loft = winding.floor(winding.wedges);
    winding.ceilings[..3].fill(loft - SLAB);
    m.front_door(stock, porch, Face::SOUTH);
    let mut plan = m.plan;
    let wedges = winding.build(&mut plan);
    let outside = (0..4).map(|number| winding.corner(OUTER, number));
    let floor: Vec<Vec2> = outside.chain([Vec2::ZERO]).collect();
    let lookout =
        plan.room(RoomSpec::prism(floor, loft, TOP).named("lookout").materials(looks).buried());
    plan.join(porch.key, wedges[0], Opening::door(Face::NORTH).size(1.6, 2.2));
    let last = winding.wedges - 1;
    plan.join(wedges[last], lookout, Opening::polygon(winding.gap(last, [loft, TOP])));
    for number in [2, 4, 6, 9, 11, 13] {
        let slit = Opening::pane(Face::Wall(0)).size(0.6, 1.4).sill(1.2);
        plan.window(wedges[number], slit);
    }
    for wall in 0..3 {
        plan.window(lookout, Opening::pane(Face::Wall(wall)).size(1.6, 1.3));
    }
    stock.furnish_room(&mut plan, lookout, &[("brazier", [2.6, -0.6, loft], 0.0)]);
    plan.outside(FaceMaterials::new(Material::Ashlar, Material::Slate, Material::Timber));
    plan.solid(Material::Ashlar, Shape::regular(SIDES, OUTER, -1.5, TOP + 0.4));
    plan.solid(Material::Slate, Shape::spire(SIDES, OUTER + 0.7, [TOP + 0.3, TOP + 6.0]));
    plan
}
