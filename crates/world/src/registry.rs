//! Which object is in which cell.

use std::collections::{BTreeMap, BTreeSet};

use threshold_land::glam::Vec3;
use threshold_land::{CellId, Position, Sphere, block_offset_between};

use crate::block::{Member, ObjectList};
use crate::builder::Piece;
use crate::cells::{CellArray, CellSearch, Counters, ListedCell, PlacedPart};
use crate::object::{BodyId, BodySpec, Listing, Object, ObjectId, Registration, State};
use crate::piece::PieceId;
use crate::world::{Edition, World};

/// All objects, and who asked for what.
#[derive(Debug)]
pub(crate) struct Objects {
    /// Cells name objects by their place in here.
    places: Vec<Option<Object>>,
    free: Vec<u32>,
    by_id: BTreeMap<ObjectId, u32>,
    /// Who looks again when a piece comes or goes.
    askers: BTreeSet<(PieceId, u32)>,
    scratch: Scratch,
    /// For the moment of comparison.
    pieces: Vec<PieceId>,
}

#[derive(Debug, Default)]
struct Scratch {
    array: CellArray,
    parts: Vec<PlacedPart>,
    spheres: Vec<Sphere>,
}

/// There is no body of that number in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {0}")]
pub struct UnknownBody(pub BodyId);

impl Default for Objects {
    fn default() -> Self {
        let mut array = CellArray::new();
        array.trace = Some(Vec::new());
        Self {
            places: Vec::new(),
            free: Vec::new(),
            by_id: BTreeMap::new(),
            askers: BTreeSet::new(),
            scratch: Scratch { array, ..Scratch::default() },
            pieces: Vec::new(),
        }
    }
}

impl Objects {
    pub(crate) fn at(&self, place: u32) -> Option<&Object> {
        self.places.get(place as usize)?.as_ref()
    }

    pub(crate) fn all_mut(&mut self) -> &mut [Option<Object>] {
        &mut self.places
    }

    pub(crate) fn get(&self, id: ObjectId) -> Option<&Object> {
        self.at(*self.by_id.get(&id)?)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Object> {
        self.by_id.values().filter_map(|place| self.at(*place))
    }

    /// Those whose name is this one or comes after it.
    fn from(&self, first: ObjectId) -> impl Iterator<Item = &Object> {
        self.by_id.range(first..).filter_map(|(_, place)| self.at(*place))
    }

    pub(crate) fn at_mut(&mut self, place: u32) -> Option<&mut Object> {
        self.places.get_mut(place as usize)?.as_mut()
    }

    /// An object whose name is free.
    fn insert(&mut self, object: Object) -> u32 {
        let id = object.id();
        let place = self.free.pop().unwrap_or_else(|| {
            self.places.push(None);
            // 2^32 objects do not fit into memory.
            u32::try_from(self.places.len() - 1).unwrap_or(u32::MAX)
        });
        self.places[place as usize] = Some(object);
        self.by_id.insert(id, place);
        place
    }

    fn remove(&mut self, place: u32) -> Option<Object> {
        let object = self.places.get_mut(place as usize)?.take()?;
        self.by_id.remove(&object.id());
        self.free.push(place);
        Some(object)
    }

    /// Those whose cells may change with a piece.
    fn askers(&self, piece: PieceId) -> Vec<u32> {
        let all = (piece, 0)..=(piece, u32::MAX);
        self.askers.range(all).map(|(_, place)| *place).collect()
    }
}

/// Fills `array` with the cells of an object, by the rule for its kind.
///
/// | object | rule |
/// |---|---|
/// | is lost | none |
/// | emits particles | its own cell |
/// | has swept to where it is | the spheres it sweeps with, if any |
/// | has a physics tree, or never moves and has no cylinder | the boxes of its parts |
/// | has cylinders | their lower ends; of what never moves only cells it can see |
/// | anything else | its sorting sphere |
///
/// Retail: `CPhysicsObj::calc_cross_cells` and `calc_cross_cells_static`.
fn list_cells(world: &World, object: &Object, scratch: &mut Scratch) {
    let Scratch { array, parts, spheres, .. } = scratch;
    let (position, setup, state) = (object.position(), object.setup(), object.state());
    let (search, fixed) = (CellSearch::new(world), state.has(State::STATIC));
    let placed = |sphere: &Sphere, scale: f32| {
        Sphere::new(position.frame.to_global(sphere.centre * scale), sphere.radius * scale)
    };
    array.do_not_load = fixed;
    if object.listing() == Listing::Lost {
        array.clear();
    } else if state.has(State::PARTICLE_EMITTER) {
        search.parts(position.cell, &[], array);
    } else if object.listing() == Listing::Swept && !setup.spheres.is_empty() {
        spheres.clear();
        spheres.extend(setup.spheres.iter().map(|sphere| placed(sphere, object.scale())));
        search.touched(position, spheres, array);
    } else if setup.has_physics_tree || fixed && setup.cylinders.is_empty() {
        object.placed_parts(parts);
        search.parts(position.cell, parts, array);
    } else if !setup.cylinders.is_empty() {
        search.cylinders(position, &setup.cylinders, array);
    } else {
        // Without a shape of any kind it is a point. Retail does not scale it.
        let sphere = setup.sorting_sphere.unwrap_or(Sphere::new(Vec3::ZERO, 0.0));
        search.touched(position, &[placed(&sphere, 1.0)], array);
    }
}

/// Bounds in the frame of the landblock of one cell, in that of another.
fn bounds_in(bounds: &Sphere, own: CellId, cell: CellId) -> Sphere {
    Sphere::new(bounds.centre + block_offset_between(cell, own), bounds.radius)
}

impl World {
    /// Puts a body into the world and into the cells it touches, in place of an earlier one of that number.
    ///
    /// Retail: `CPhysicsObj::enter_world` without its search for a free place.
    pub fn insert(&mut self, spec: BodySpec) {
        let place = self.put(spec);
        self.register(place);
    }

    /// Puts a body into the world and into the cells that the search for its place has found, in place of an
    /// earlier one of that number. The cells count as in [`move_swept`](Self::move_swept); without any it finds
    /// its own as in [`insert`](Self::insert).
    ///
    /// Retail: `CPhysicsObj::enter_world` and the shadows of its `SetPositionInternal`.
    pub fn insert_at(&mut self, spec: BodySpec, cells: &[ListedCell], missed: &[CellId]) {
        let place = self.put(spec);
        if cells.is_empty() {
            self.register(place);
        } else {
            self.list_swept(place, cells, missed);
        }
    }

    /// Takes a body out of the world.
    pub fn remove(&mut self, body: BodyId) -> Result<Object, UnknownBody> {
        let place = self.place_of(body)?;
        self.take(place).ok_or(UnknownBody(body))
    }

    /// Moves a body and finds the cells it touches anew, by its own shapes.
    ///
    /// Retail: `CPhysicsObj::recalc_cross_cells`.
    pub fn move_body(&mut self, body: BodyId, position: Position) -> Result<(), UnknownBody> {
        let place = self.place_of(body)?;
        self.set_position(place, position, Listing::Own);
        self.register(place);
        Ok(())
    }

    /// Moves a body into the cells that its sweep has found, and touches no list that stays as it is. `missed`
    /// are cells that the sweep asked for and that were not resident. What has a physics tree finds its own
    /// cells as in [`move_body`](Self::move_body); a sweep without cells leaves the body in those it was in.
    ///
    /// Retail: the shadows of `CPhysicsObj::SetPositionInternal`.
    pub fn move_swept(
        &mut self,
        body: BodyId,
        position: Position,
        cells: &[ListedCell],
        missed: &[CellId],
    ) -> Result<(), UnknownBody> {
        let place = self.place_of(body)?;
        let object = self.objects.at_mut(place).ok_or(UnknownBody(body))?;
        object.set_position(position);
        self.list_swept(place, cells, missed);
        Ok(())
    }

    /// Leaves a body where no cell contains it: it has a position and is in no list, until it is moved again.
    ///
    /// Retail: `CPhysicsObj::GotoLostCell`.
    pub fn lose(&mut self, body: BodyId, position: Position) -> Result<(), UnknownBody> {
        let place = self.place_of(body)?;
        self.set_position(place, position, Listing::Lost);
        self.register(place);
        Ok(())
    }

    /// Changes a body's state, and finds its cells anew where these depend on what has changed.
    pub fn set_state(&mut self, body: BodyId, state: State) -> Result<(), UnknownBody> {
        const LISTED_BY: State = State::STATIC.with(State::PARTICLE_EMITTER, true);
        let place = self.place_of(body)?;
        let object = self.objects.at_mut(place).ok_or(UnknownBody(body))?;
        let before = object.state();
        object.set_state(state);
        if (before.0 ^ state.0) & LISTED_BY.0 != 0 {
            self.register(place);
        }
        Ok(())
    }

    /// A body.
    pub fn body(&self, body: BodyId) -> Option<&Object> {
        self.object(ObjectId::body(body))
    }

    /// All bodies, by number.
    pub fn bodies(&self) -> impl Iterator<Item = &Object> {
        self.objects.from(ObjectId::body(BodyId(0)))
    }

    /// The bodies that no cell contains or whose own cell is not resident, by number. Retail: those in the lost
    /// cell.
    pub fn lost_bodies(&self) -> impl Iterator<Item = &Object> {
        self.bodies().filter(|object| object.is_lost() || !self.is_resident(object.position().cell))
    }

    /// What the searches for the cells of objects did.
    pub fn registration_counters(&self) -> Counters {
        self.objects.scratch.array.counters
    }

    pub(crate) fn place_of(&self, body: BodyId) -> Result<u32, UnknownBody> {
        self.objects.by_id.get(&ObjectId::body(body)).copied().ok_or(UnknownBody(body))
    }

    fn set_position(&mut self, place: u32, position: Position, listing: Listing) {
        if let Some(object) = self.objects.at_mut(place) {
            object.set_listing(listing);
            object.set_position(position);
        }
    }

    /// Puts a body into the world, in place of an earlier one of that number, and into no cell.
    fn put(&mut self, spec: BodySpec) -> u32 {
        // Nobody of that number is the usual case.
        let _ = self.remove(spec.body);
        self.objects.insert(Object::body(spec))
    }

    /// Lists a body that stands where a sweep has ended in the cells of the sweep.
    pub(crate) fn list_swept(&mut self, place: u32, cells: &[ListedCell], missed: &[CellId]) {
        let Some(object) = self.objects.at_mut(place) else { return };
        if object.state().has(State::HAS_PHYSICS_TREE) {
            object.set_listing(Listing::Own);
            return self.register(place);
        }
        let known = object.knows(cells, missed);
        object.set_listing(Listing::Swept);
        match known {
            _ if cells.is_empty() => {}
            true if !object.has_left(object.position()) => {}
            true => self.tell_lists(place),
            false => self.enlist(place, cells, missed),
        }
    }

    /// Tells the lists that an object is in where it is.
    fn tell_lists(&mut self, place: u32) {
        let Some(object) = self.objects.at_mut(place) else { return };
        object.note_told();
        let cells = std::mem::take(&mut object.cells);
        let (id, own, bounds) = (object.id(), object.position().cell, object.told_bounds());
        for cell in cells.iter().map(|registered| registered.cell) {
            let bounds = bounds_in(&bounds, own, cell);
            if let Some(list) = self.list_mut(cell)
                && let Ok(at) = list.binary_search_by_key(&id, |member| member.id)
            {
                list[at].bounds = bounds;
            }
        }
        if let Some(object) = self.objects.at_mut(place) {
            object.cells = cells;
        }
    }

    /// Finds the cells of an object anew.
    pub(crate) fn register(&mut self, place: u32) {
        let mut scratch = std::mem::take(&mut self.objects.scratch);
        if let Some(object) = self.objects.at(place) {
            list_cells(self, object, &mut scratch);
            let asked = scratch.array.trace.as_deref().unwrap_or_default();
            self.enlist(place, scratch.array.entries(), asked);
        }
        self.objects.scratch = scratch;
    }

    /// Makes the lists of cells say what `entries` say, and remembers what was asked for; only what changes is
    /// touched.
    fn enlist(&mut self, place: u32, entries: &[ListedCell], asked: &[CellId]) {
        let Some(mut object) = self.objects.places.get_mut(place as usize).and_then(Option::take)
        else {
            return;
        };
        self.note_asked(place, &mut object, entries, asked);
        object.missed = !asked.is_empty();
        if !object.is_in(entries) || object.has_left(object.position()) {
            object.note_told();
            self.edit_lists(place, &object, entries);
            object.cells.clear();
            // As it is now: a piece may have come or gone since the cells were found.
            object.cells.extend(entries.iter().map(|entry| Registration {
                cell: entry.cell,
                resident: self.is_resident(entry.cell),
            }));
        }
        self.objects.places[place as usize] = Some(object);
    }

    fn note_asked(
        &mut self,
        place: u32,
        object: &mut Object,
        entries: &[ListedCell],
        asked: &[CellId],
    ) {
        let objects = &mut self.objects;
        let pieces = &mut objects.pieces;
        pieces.clear();
        pieces.extend(
            asked.iter().copied().chain(entries.iter().map(|e| e.cell)).map(PieceId::from_cell),
        );
        pieces.sort_unstable();
        pieces.dedup();
        if object.asked != *pieces {
            object.asked.iter().for_each(|piece| {
                objects.askers.remove(&(*piece, place));
            });
            objects.askers.extend(pieces.iter().map(|piece| (*piece, place)));
            object.asked.clone_from(pieces);
        }
    }

    fn edit_lists(&mut self, place: u32, object: &Object, entries: &[ListedCell]) {
        let (id, kind, bounds) = (object.id(), object.kind(), object.told_bounds());
        let stays = |cell: CellId| entries.iter().any(|entry| entry.cell == cell);
        for old in object.cells.iter().filter(|old| old.resident && !stays(old.cell)) {
            self.delist(old.cell, id);
        }
        for entry in entries {
            let bounds = bounds_in(&bounds, object.position().cell, entry.cell);
            let Some(list) = self.list_mut(entry.cell) else { continue };
            match list.binary_search_by_key(&id, |member| member.id) {
                Ok(at) => list[at].bounds = bounds,
                Err(at) => list.insert(at, Member { id, place, kind, bounds }),
            }
        }
    }

    fn delist(&mut self, cell: CellId, id: ObjectId) {
        if let Some(list) = self.list_mut(cell)
            && let Ok(at) = list.binary_search_by_key(&id, |member| member.id)
        {
            list.remove(at);
        }
    }

    /// Takes an object out of its cells and off its place.
    fn take(&mut self, place: u32) -> Option<Object> {
        let mut object = self.objects.remove(place)?;
        for old in std::mem::take(&mut object.cells) {
            self.delist(old.cell, object.id());
        }
        for piece in std::mem::take(&mut object.asked) {
            self.objects.askers.remove(&(piece, place));
        }
        Some(object)
    }

    /// Puts a piece where ids find it, and its objects into the cells they touch; then lets those look again
    /// that asked for it before it came.
    pub(crate) fn place_piece(&mut self, piece: Piece) {
        self.edition = Edition::default();
        self.adopted_at.insert(piece.id(), self.edition.clone());
        if let Piece::Land(land) = &piece
            && !land.buildings().is_empty()
            && let Err(place) = self.blocks_with_buildings.binary_search(&land.block())
        {
            self.blocks_with_buildings.insert(place, land.block());
        }
        let askers = self.objects.askers(piece.id());
        let objects =
            self.blocks[usize::from(piece.id().block().0)].get_or_insert_default().put(piece);
        let own: Vec<u32> = objects.into_iter().map(|object| self.objects.insert(object)).collect();
        own.into_iter().chain(askers).for_each(|place| self.register(place));
    }

    /// Takes a piece away with its objects; those of others that asked for it look again.
    pub(crate) fn remove_piece(&mut self, id: PieceId) -> bool {
        let slot = &mut self.blocks[usize::from(id.block().0)];
        let Some(block) = slot.as_deref_mut() else { return false };
        if !block.take(id) {
            return false;
        }
        self.edition = Edition::default();
        self.adopted_at.remove(&id);
        if block.is_empty() {
            *slot = None;
        }
        if let (PieceId::Land(_), Ok(place)) =
            (id, self.blocks_with_buildings.binary_search(&id.block()))
        {
            self.blocks_with_buildings.remove(place);
        }
        for place in self.own_objects(id) {
            self.take(place);
        }
        self.objects.askers(id).into_iter().for_each(|place| self.register(place));
        true
    }

    /// The places of the objects that came with a piece.
    fn own_objects(&self, id: PieceId) -> Vec<u32> {
        let all = match id {
            PieceId::Land(block) => {
                ObjectId::outdoor(block, 0)..=ObjectId::scenery(block, u32::MAX)
            }
            PieceId::Room(cell) => ObjectId::indoor(cell, 0)..=ObjectId::indoor(cell, u32::MAX),
        };
        self.objects.by_id.range(all).map(|(_, place)| *place).collect()
    }

    /// The list of a resident cell.
    fn list_mut(&mut self, cell: CellId) -> Option<&mut ObjectList> {
        self.blocks[usize::from(cell.block().0)].as_deref_mut()?.list_mut(cell)
    }
}
