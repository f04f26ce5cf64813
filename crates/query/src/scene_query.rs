//! The questions of one caller to one world.

use threshold_geom::{OrientedBox, Sector};
use threshold_land::Position;
use threshold_land::vector::DVec3;
use threshold_world::World;

use crate::collect::Mode;
use crate::filter::QueryFilter;
use crate::hit::{Extent, FirstHit, Hit};
use crate::question::{
    BoxOverlap, Cone, NearestObjects, QueryError, Ray, SphereCast, SphereOverlap, check_position,
};
use crate::volume::{Cast, Still, Volume};
use crate::walk::{QueryScratch, Walk};

/// Asks what is in a world. It only reads, and costs nothing to create.
///
/// Methods that end in `_all` or `s` replace the contents of `hits` with everything found, the
/// nearest first; the others return the nearest hit.
#[derive(Clone, Copy, Debug)]
pub struct SceneQuery<'w> {
    /// The world.
    pub world: &'w World,
}

impl<'w> SceneQuery<'w> {
    /// Creates a query of a world.
    pub fn new(world: &'w World) -> Self {
        Self { world }
    }

    /// Returns the first surface that a ray hits.
    ///
    /// # Errors
    ///
    /// If a number is not finite or out of its range, or the position is in no cell.
    pub fn ray(
        &self,
        scratch: &mut QueryScratch,
        ray: &Ray,
        filter: &QueryFilter<'_>,
    ) -> Result<FirstHit, QueryError> {
        self.sphere_cast(scratch, &ray.with_radius(0.0), filter)
    }

    /// Finds all surfaces on a ray. It goes on behind a surface that it hits, in the cell that it is
    /// in: behind a wall without a portal there is nothing.
    ///
    /// # Errors
    ///
    /// As for [`ray`](Self::ray).
    pub fn ray_all(
        &self,
        scratch: &mut QueryScratch,
        ray: &Ray,
        filter: &QueryFilter<'_>,
        hits: &mut Vec<Hit>,
    ) -> Result<Extent, QueryError> {
        self.sphere_cast_all(scratch, &ray.with_radius(0.0), filter, hits)
    }

    /// Returns the first surface that a moving sphere touches.
    ///
    /// # Errors
    ///
    /// As for [`ray`](Self::ray).
    pub fn sphere_cast(
        &self,
        scratch: &mut QueryScratch,
        cast: &SphereCast,
        filter: &QueryFilter<'_>,
    ) -> Result<FirstHit, QueryError> {
        cast.check()?;
        let from = check_position(&cast.path.from)?;
        let extent = self.walk(scratch, &from, filter, cast_of(&from, cast), Mode::First);
        Ok(first_of(scratch, extent))
    }

    /// Finds all surfaces that a moving sphere touches.
    ///
    /// # Errors
    ///
    /// As for [`ray`](Self::ray).
    pub fn sphere_cast_all(
        &self,
        scratch: &mut QueryScratch,
        cast: &SphereCast,
        filter: &QueryFilter<'_>,
        hits: &mut Vec<Hit>,
    ) -> Result<Extent, QueryError> {
        hits.clear();
        cast.check()?;
        let from = check_position(&cast.path.from)?;
        let extent = self.walk(scratch, &from, filter, cast_of(&from, cast), Mode::All);
        append(scratch, hits, usize::MAX);
        Ok(extent)
    }

    /// Returns the nearest surface that a sphere overlaps.
    ///
    /// # Errors
    ///
    /// As for [`ray`](Self::ray).
    pub fn sphere_overlap(
        &self,
        scratch: &mut QueryScratch,
        sphere: &SphereOverlap,
        filter: &QueryFilter<'_>,
    ) -> Result<FirstHit, QueryError> {
        let (at, volume) = sphere_of(sphere)?;
        let extent = self.walk(scratch, &at, filter, volume, Mode::First);
        Ok(first_of(scratch, extent))
    }

    /// Finds all surfaces that a sphere overlaps, each polygon and shape once.
    ///
    /// # Errors
    ///
    /// As for [`ray`](Self::ray).
    pub fn sphere_overlaps(
        &self,
        scratch: &mut QueryScratch,
        sphere: &SphereOverlap,
        filter: &QueryFilter<'_>,
        hits: &mut Vec<Hit>,
    ) -> Result<Extent, QueryError> {
        hits.clear();
        let (at, volume) = sphere_of(sphere)?;
        let extent = self.walk(scratch, &at, filter, volume, Mode::All);
        append(scratch, hits, usize::MAX);
        Ok(extent)
    }

    /// Returns the surface nearest to its centre that a box overlaps.
    ///
    /// # Errors
    ///
    /// As for [`ray`](Self::ray), and if its rotation is not valid.
    pub fn box_overlap(
        &self,
        scratch: &mut QueryScratch,
        shape: &BoxOverlap,
        filter: &QueryFilter<'_>,
    ) -> Result<FirstHit, QueryError> {
        let (at, volume) = box_of(shape)?;
        let extent = self.walk(scratch, &at, filter, volume, Mode::First);
        Ok(first_of(scratch, extent))
    }

    /// Finds all surfaces that a box overlaps, each polygon and shape once.
    ///
    /// # Errors
    ///
    /// As for [`box_overlap`](Self::box_overlap).
    pub fn box_overlaps(
        &self,
        scratch: &mut QueryScratch,
        shape: &BoxOverlap,
        filter: &QueryFilter<'_>,
        hits: &mut Vec<Hit>,
    ) -> Result<Extent, QueryError> {
        hits.clear();
        let (at, volume) = box_of(shape)?;
        let extent = self.walk(scratch, &at, filter, volume, Mode::All);
        append(scratch, hits, usize::MAX);
        Ok(extent)
    }

    /// Finds the nearest objects, each once with its nearest point; an object without a shape counts
    /// as a point. Walls between do not matter, but objects in rooms to which no portal within the
    /// radius leads are not found. Of the filter only what concerns objects counts.
    ///
    /// # Errors
    ///
    /// As for [`ray`](Self::ray).
    pub fn nearest(
        &self,
        scratch: &mut QueryScratch,
        nearest: &NearestObjects,
        filter: &QueryFilter<'_>,
        hits: &mut Vec<Hit>,
    ) -> Result<Extent, QueryError> {
        hits.clear();
        nearest.check()?;
        let (at, volume) = sphere_of(&SphereOverlap { at: nearest.at, radius: nearest.radius })?;
        let extent = self.walk(scratch, &at, filter, volume, Mode::Objects);
        append(scratch, hits, nearest.count);
        Ok(extent)
    }

    /// Finds the objects that a cone touches, each once with the point nearest to the tip, which may
    /// lie beside the cone. Walls between do not matter, but a room is reached only if the cone
    /// touches the portal that leads there.
    ///
    /// # Errors
    ///
    /// As for [`ray`](Self::ray).
    pub fn cone(
        &self,
        scratch: &mut QueryScratch,
        cone: &Cone,
        filter: &QueryFilter<'_>,
        hits: &mut Vec<Hit>,
    ) -> Result<Extent, QueryError> {
        hits.clear();
        cone.check()?;
        let from = check_position(&cone.from)?;
        let axis = unit(cone.direction.as_dvec3());
        let cosine = libm::cos(f64::from(cone.half_angle).to_radians());
        let (apex, length) = (from.frame.origin.as_dvec3(), f64::from(cone.length));
        let volume = Still::Sector(Sector::new(apex, axis, cosine, length));
        let extent = self.walk(scratch, &from, filter, volume, Mode::Objects);
        append(scratch, hits, usize::MAX);
        Ok(extent)
    }

    pub(crate) fn walk(
        &self,
        scratch: &mut QueryScratch,
        from: &Position,
        filter: &QueryFilter<'_>,
        volume: impl Volume,
        mode: Mode,
    ) -> Extent {
        Walk { world: self.world, filter, volume, start: from.cell, scratch }.run(mode)
    }
}

/// Returns a direction at unit length; zero stays zero.
fn unit(direction: DVec3) -> DVec3 {
    direction.normalize_or_zero()
}

fn cast_of(from: &Position, cast: &SphereCast) -> Cast {
    let direction = unit(cast.path.direction.as_dvec3());
    let (length, radius) = (f64::from(cast.path.length), f64::from(cast.radius));
    Cast::new(from.frame.origin.as_dvec3(), direction, length, radius)
}

fn sphere_of(sphere: &SphereOverlap) -> Result<(Position, Still), QueryError> {
    sphere.check()?;
    let at = check_position(&sphere.at)?;
    let (centre, radius) = (at.frame.origin.as_dvec3(), f64::from(sphere.radius));
    Ok((at, Still::Ball { centre, radius }))
}

fn box_of(shape: &BoxOverlap) -> Result<(Position, Still), QueryError> {
    shape.check()?;
    let at = check_position(&shape.at)?;
    let axes = at.frame.rotation.rows().0.map(|row| unit(row.as_dvec3()));
    let (centre, half) = (at.frame.origin.as_dvec3(), shape.half.as_dvec3());
    Ok((at, Still::Box(OrientedBox { centre, axes, half })))
}

pub(crate) fn first_of(scratch: &QueryScratch, extent: Extent) -> FirstHit {
    FirstHit { hit: scratch.collector.found.first().map(|found| found.hit), extent }
}

fn append(scratch: &QueryScratch, hits: &mut Vec<Hit>, count: usize) {
    hits.extend(scratch.collector.found.iter().take(count).map(|found| found.hit));
}
