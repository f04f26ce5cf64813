//! Repeated sub-steps: a mover that is stuck does the same in every sub-step that is left.

use threshold_land::vector::Vec3;
use threshold_land::{Frame, Rotation, Sphere};

use super::Transition;
use super::collision_info::{CollisionInfo, ContactPlane, HitNormal};
use super::sweep_path::{DeferredHit, Step, SweepPath, SweepPosition, Walkable};
use crate::flags::Flags;
use crate::probe::SweepProbe;

/// Number of earlier sub-steps to compare with. A wedged mover stays where it is or alternates
/// between two or three positions.
const MAX_PERIOD: u32 = 4;

/// Everything that one sub-step leaves to the next and that may differ from the last time. World,
/// mover, rules, begin and end stay the same for the whole sweep. Scratch and the list of failed
/// steps are caches, and the cell array is searched for again before it is read.
#[derive(Clone, Copy)]
struct SubStepState<'w> {
    path: SweepPath<'w>,
    planes: [ContactPlane; 2],
    normals: [HitNormal; 2],
    flags: Flags,
    hit_environment: bool,
    velocity_stopped: bool,
    held_at_edge: bool,
    stationary: u8,
    /// Number of touched objects. The list only grows.
    objects: usize,
}

/// Where the last sub-steps of a sweep ended, and the whole state after one of them.
pub(super) struct SubStepHistory<'w> {
    count: u32,
    /// By the number of the sub-step.
    origins: [Vec3; MAX_PERIOD as usize],
    /// The state and the number of its sub-step.
    noted: Option<(u32, SubStepState<'w>)>,
}

impl<'w> SubStepHistory<'w> {
    pub(super) fn new(begin: Vec3) -> Self {
        Self { count: 0, origins: [begin; MAX_PERIOD as usize], noted: None }
    }

    /// Notes the end of a sub-step. Returns after how many sub-steps the state has repeated itself:
    /// the next ones then repeat as well, because a sub-step reads nothing but its state.
    #[inline]
    pub(super) fn note<P: SweepProbe>(&mut self, transition: &Transition<'w, P>) -> Option<u32> {
        let origin = transition.path.curr.position.frame.origin;
        // Most sub-steps move the mover, and need no more than this.
        let has_been_here = self.origins.contains(&origin);
        self.origins[(self.count % MAX_PERIOD) as usize] = origin;
        self.count += 1;
        if has_been_here { self.find_period(SubStepState::of(transition)) } else { None }
    }

    /// Compares with the noted state. Notes this one instead if that is too old, or differs although
    /// the mover is at the same place.
    fn find_period(&mut self, state: SubStepState<'w>) -> Option<u32> {
        if let Some((number, noted)) = &self.noted {
            let period = self.count - number;
            if state_bits(noted) == state_bits(&state) {
                return Some(period);
            }
            let origin = |state: &SubStepState<'_>| state.path.curr.position.frame.origin;
            if period < MAX_PERIOD && origin(noted) != origin(&state) {
                return None;
            }
        }
        self.noted = Some((self.count, state));
        None
    }
}

impl<'w> SubStepState<'w> {
    fn of<P: SweepProbe>(transition: &Transition<'w, P>) -> Self {
        let CollisionInfo {
            plane,
            last_plane,
            sliding,
            hit,
            hit_environment,
            stationary,
            ref objects,
            velocity_stopped,
        } = transition.contact;
        Self {
            path: transition.path,
            planes: [plane, last_plane],
            normals: [sliding, hit],
            flags: transition.flags,
            hit_environment,
            velocity_stopped,
            held_at_edge: transition.held_at_edge,
            stationary,
            objects: objects.len(),
        }
    }
}

/// All fields, numbers as bits.
fn state_bits(state: &SubStepState<'_>) -> impl PartialEq + use<> {
    let SubStepState {
        path,
        planes,
        normals,
        flags,
        hit_environment,
        velocity_stopped,
        held_at_edge,
        stationary,
        objects,
    } = state;
    let planes = planes.map(|ContactPlane { valid, plane, cell, water }| {
        (valid, vector_bits(plane.normal), plane.d.to_bits(), cell, water)
    });
    let normals = normals.map(|HitNormal { valid, normal }| (valid, vector_bits(normal)));
    let flags = (*flags, [*hit_environment, *velocity_stopped, *held_at_edge]);
    (path_bits(path), planes, normals, flags, *stationary, *objects)
}

fn vector_bits(v: Vec3) -> [u32; 3] {
    v.to_array().map(f32::to_bits)
}

fn sphere_bits(sphere: Sphere) -> ([u32; 3], u32) {
    (vector_bits(sphere.centre), sphere.radius.to_bits())
}

fn position_bits(at: &SweepPosition<'_>) -> impl PartialEq + use<> {
    let SweepPosition { position, cell, offsets, low_offset } = at;
    let Frame { origin, rotation: Rotation { w, x, y, z } } = position.frame;
    let frame = (vector_bits(origin), [w, x, y, z].map(f32::to_bits));
    let cells = (position.cell, cell.map(|cell| cell.id()));
    (cells, frame, offsets.map(vector_bits), vector_bits(*low_offset))
}

/// All fields of a path except those that never change during a sweep.
fn path_bits(path: &SweepPath<'_>) -> impl PartialEq + use<> {
    let SweepPath {
        shape: _,
        begin: _,
        end: _,
        curr,
        check,
        backup,
        spheres,
        low_point,
        curr_centres,
        insert,
        step,
        walkable,
        deferred_hit,
        ethereal,
        hits_interior,
        building,
    } = path;
    let positions = [curr, check, backup].map(position_bits);
    let points = (spheres.map(sphere_bits), vector_bits(*low_point), curr_centres.map(vector_bits));
    let deferred =
        deferred_hit.map(|DeferredHit { step_up, normal }| (step_up, vector_bits(normal)));
    let walkable = walkable.map(|Walkable { polygon, sphere, up, space, scale }| {
        let shapes = (polygon.vertices.as_ptr_range(), std::ptr::from_ref(space));
        (shapes, sphere_bits(sphere), vector_bits(up), scale.to_bits())
    });
    let flags = (*ethereal, *hits_interior, *building);
    (positions, points, *insert, step_bits(step), walkable, deferred, flags)
}

fn step_bits(step: &Step) -> impl PartialEq + use<> {
    let Step {
        up,
        up_normal,
        down,
        amount,
        interpolation,
        allowance,
        checking_walkable,
        seeking_landing,
    } = *step;
    let numbers = [amount, interpolation, allowance].map(f32::to_bits);
    (vector_bits(up_normal), numbers, [up, down, checking_walkable, seeking_landing])
}
