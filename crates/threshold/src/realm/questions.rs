//! Questions to a realm.

use threshold_land::vector::Vec3;
use threshold_land::{CellId, Position, Sphere};
use threshold_motion::{Mover, Outcome, Sight, SightExclusions, StandResult, Sweeper};
use threshold_query::SceneQuery;
use threshold_view::{Lens, PortalWalk, Viewer, VisibleSet};
use threshold_why as why;
use threshold_world::{BodyId, CellArray, CellSearch, ObjectId};

use super::bodies::{check_finite, not_finite, on_land_cell};
use super::size::{mover_to_place, shape_to_place, sight_point};
use super::{BodyOptions, Realm, RealmError, Spot};

/// Largest radius of [`Realm::cells_at`], in metres.
const MAX_RADIUS: f32 = 1000.0;

impl Realm {
    /// Returns the distance between two bodies or doors, in metres, also across landblocks.
    pub fn distance(&self, a: BodyId, b: BodyId) -> Result<f32, RealmError> {
        Ok(self.object(a)?.position().offset_to(self.object(b)?.position()).length())
    }

    /// Lists the bodies that entered and are within a distance of a body or door, in metres from origin to origin, nearest first and
    /// without itself. Walls do not count: [`sees`](Self::sees) does. Bodies that are lost are left out.
    pub fn bodies_within(
        &self,
        body: BodyId,
        metres: f32,
    ) -> Result<Vec<(f32, BodyId)>, RealmError> {
        let at = self.object(body)?.position();
        let others = self.crowd.bodies().map(|other| other.id).filter(|other| *other != body);
        let others = others.filter_map(|other| {
            let object = self.world.body(other).filter(|object| !object.is_lost())?;
            let distance = at.offset_to(object.position()).length();
            (distance <= metres).then_some((distance, other))
        });
        let mut within: Vec<(f32, BodyId)> = others.collect();
        within.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Ok(within)
    }

    /// Returns the cell that contains a point, given in the frame of the landblock of a known cell: the known cell, or one behind a
    /// portal at the point; from a land cell, the cell below the point. `None` if there is none, or it is not loaded.
    ///
    /// Movers do not need it: they carry their cell along. Retail: `CObjCell::find_cell_list` for a point.
    pub fn cell_at(&self, known: CellId, at: impl Into<Vec3>) -> Option<CellId> {
        let (mut array, at) = (CellArray::new(), at.into());
        let point = Sphere::new(at, 0.0);
        CellSearch::new(&self.world).spheres(&Position::new(known, at), &[point], &mut array).cell
    }

    /// Returns the cells that a sphere touches, in the order in which a sweep would test them. The known cell must contain its
    /// centre, or be next to the one that does; outdoors any land cell of the landblock will do. Retail:
    /// `CObjCell::find_cell_list`.
    pub fn cells_at(
        &self,
        known: CellId,
        centre: impl Into<Vec3>,
        radius: f32,
    ) -> Result<Vec<CellId>, RealmError> {
        if !(0.0..=MAX_RADIUS).contains(&radius) {
            let range = 0.0..=f64::from(MAX_RADIUS);
            return Err(RealmError::OutOfRange { what: "radius", value: radius.into(), range });
        }
        let centre = centre.into();
        if !centre.is_finite() {
            return Err(not_finite("place", centre));
        }
        let at = on_land_cell(Position::new(known, centre))?;
        if !self.world.is_resident(at.cell) {
            return Err(RealmError::NotLoaded(at.cell));
        }
        let mut array = CellArray::new();
        let sphere = Sphere::new(at.frame.origin, radius);
        // The array lists the cells; which of them contains the centre is not asked.
        let _ = CellSearch::new(&self.world).spheres(&at, &[sphere], &mut array);
        Ok(array.entries().iter().map(|entry| entry.cell).collect())
    }

    /// Tests whether one body sees another: from head to head, past creatures but not past walls, ground and objects.
    ///
    /// A line that crosses land that is not loaded is [`Sight::Unknown`].
    pub fn sees(&mut self, viewer: BodyId, target: BodyId) -> Result<Sight, RealmError> {
        let [eye, seen] = [self.head(viewer)?, self.head(target)?];
        let exclusions =
            SightExclusions { viewer: Some(viewer), target: Some(ObjectId::body(target)) };
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        Ok(sweeper.line_of_sight(&mut self.scratch, &eye, &seen, exclusions))
    }

    /// Tests the line between two points. The cell of the second only names the landblock of its point. A point closer than 10 cm
    /// to a wall is hidden: test from eye to eye, not from foot to foot.
    pub fn line_of_sight(&mut self, from: &Position, to: &Position) -> Result<Sight, RealmError> {
        for at in [from, to] {
            if !at.frame.origin.is_finite() {
                return Err(not_finite("place", at.frame.origin));
            }
        }
        let from = &on_land_cell(*from)?;
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        Ok(sweeper.line_of_sight(&mut self.scratch, from, to, SightExclusions::default()))
    }

    /// Returns the position of the head of a body, or the middle of an item: where [`sees`](Self::sees) looks from and to. Its cell is
    /// that of the body; [`cell_at`](Self::cell_at) finds that of the head.
    pub fn head(&self, body: BodyId) -> Result<Position, RealmError> {
        let object = self.object(body)?;
        if object.is_lost() {
            return Err(RealmError::Lost(body));
        }
        let mut at = *object.position();
        let shape = shape_to_place(object.setup(), object.scale());
        at.frame.origin = at.frame.to_global(sight_point(&shape));
        Ok(at)
    }

    /// Returns rays, sphere casts, overlaps, nearest objects, cones and arcs in the world of the realm.
    ///
    /// ```
    /// use threshold::query::{QueryFilter, QueryScratch, Ray};
    /// use threshold::{CellId, Position, Realm, forge};
    ///
    /// let realm = Realm::whole(forge::builtin(forge::SEED)?);
    /// let (from, mut scratch) = (Position::from((CellId(0xA9B4_0106), [132.0, 106.0, 41.0])), QueryScratch::new());
    /// let ray = Ray::new(from, [0.0, 1.0, 0.0], 50.0); // to the north
    /// let first = realm.scene().ray(&mut scratch, &ray, &QueryFilter::default())?;
    /// println!("{:?}", first.hit.expect("the wall of the taproom").target);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scene(&self) -> SceneQuery<'_> {
        SceneQuery::new(&self.world)
    }

    /// Returns where a body would stand at a spot: on the ground, and out of any walls it overlapped by a little. Refused without
    /// room, without walkable ground within a step below, or where nothing is loaded.
    pub fn can_stand(
        &mut self,
        options: &BodyOptions,
        spot: impl Into<Spot>,
    ) -> Result<Position, RealmError> {
        let spec = self.spec(BodyId(self.next_body), options, &spot.into())?;
        let at = spec.position;
        self.check_cell(&at)?;
        let mover = Mover { body: None, ..mover_to_place(&spec) };
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        match sweeper.can_stand(&mut self.scratch, &mover, &at) {
            StandResult::Stands { at, .. } => Ok(at),
            StandResult::NoRoom(why) => Err(RealmError::Refused { at, why }),
            StandResult::TooSteep => Err(RealmError::TooSteep(at)),
            StandResult::NoGround => Err(RealmError::NoGround(at)),
            StandResult::Sea => Err(RealmError::Sea(at.cell.block())),
            _ => Err(RealmError::Nowhere(at)),
        }
    }

    /// Returns where a straight move of a body to a position would end, in which cell, and what it would touch. The cell of the
    /// position only names its landblock. Nothing changes; a caller that wants the body there [teleports](Realm::teleport) it.
    ///
    /// For servers whose clients move by themselves: a position that a client reports is possible if the sweep ends there. What
    /// cannot be decided is [`refused`](threshold_motion::Outcome::refused), such as a move of more than about 14 metres at once.
    pub fn sweep(&mut self, body: BodyId, to: &Position) -> Result<Outcome, RealmError> {
        if !to.frame.origin.is_finite() {
            return Err(not_finite("place", to.frame.origin));
        }
        self.body(body)?;
        let object = self.object(body)?;
        if object.is_lost() {
            return Err(RealmError::Lost(body));
        }
        let from = *object.position();
        let mover = self.crowd.get(body).and_then(|body| body.mover(&self.world));
        let mover = mover.ok_or(RealmError::UnknownBody(body))?;
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        Ok(sweeper.sweep(&mut self.scratch, &mut (), &mover, &from, to))
    }

    /// Explains a step of a body, `ahead` metres forwards, in sentences: how far it leads, and which obstacle is where. A walker
    /// blocked by a wall stands still without an event; this tells why.
    ///
    /// [`why`](crate::why) explains any move in detail.
    pub fn why(&self, body: BodyId, ahead: f32) -> Result<Vec<String>, RealmError> {
        check_finite("distance", ahead)?;
        let mover = self.body(body)?.mover(&self.world);
        let mut mover = mover.ok_or(RealmError::UnknownBody(body))?;
        // With the sliding normal, the explanation would only say that nothing is left of the move.
        mover.stance.sliding = false;
        let from = self.at(body)?;
        let mut to = from;
        to.frame.origin += from.frame.rotation.rotate(Vec3::Y) * ahead;
        let sweeper = Sweeper { world: &self.world, rules: self.rules };
        let (_, explained) = why::sweep(&sweeper, &mover, &from, &to);
        Ok(explained.summary.iter().map(|node| node.text.clone()).collect())
    }

    /// Returns the visible set from a point of a cell, looking at another point, both in the frame of its landblock, with a field
    /// of view of 60 degrees on a screen of 16:9. [`look_from`](Self::look_from) takes any viewer.
    pub fn look(
        &mut self,
        cell: CellId,
        eye: impl Into<Vec3>,
        at: impl Into<Vec3>,
    ) -> Result<&VisibleSet, RealmError> {
        let (eye, at) = (eye.into().as_dvec3(), at.into().as_dvec3());
        let viewer = Viewer::looking_at(cell, eye, at, Lens::default())?;
        self.look_from(&viewer)
    }

    /// Returns the visible set of a viewer: visible rooms, each with its regions of the screen, and the regions of the landscape.
    pub fn look_from(&mut self, viewer: &Viewer) -> Result<&VisibleSet, RealmError> {
        if !self.world.is_resident(viewer.cell()) {
            return Err(RealmError::NotLoaded(viewer.cell()));
        }
        Ok(PortalWalk::new(&self.world).run(&mut self.sight, &mut (), viewer))
    }
}
