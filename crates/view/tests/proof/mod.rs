//! Both halves of "exactly what is visible", checked by rays.

#![allow(dead_code, reason = "every test file uses some of it")]

use std::collections::BTreeMap;
use threshold_testkit::Random;

use threshold_land::CellId;
use threshold_land::vector::{DVec2, DVec3};
use threshold_view::{
    EntryPortal, MAX_REGIONS, MAX_SIDES, MAX_VISITS_PER_CELL, PortalWalk, Region, RegionContent,
    ViewRules, ViewScratch, Viewer, VisibleSet,
};
use threshold_world::World;

use crate::rays::{EntryPortalId, Hole, MARGIN, NO_MARGIN, RayVisit, Rays};

/// Distance of the near plane of the lenses here, in metres.
const NEAR: f64 = 0.1;
/// Solid angle in steradians below which a region may be missing: the bound of the walk with a margin for rounding.
const MIN_SOLID_ANGLE: f64 = 1.01e-7;
/// Width, on a screen from -1 to 1, below which a region may come from the millimetre in front of its entry portal that
/// counts as in the plane.
const THIN: f64 = 1e-3;

/// A world, rules, and a viewer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<'w> {
    pub(crate) world: &'w World,
    pub(crate) rules: ViewRules,
    pub(crate) viewer: Viewer,
}

/// Numbers of rays by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hits {
    pub(crate) rays: usize,
    /// Cells, and exit portals, that rays reached.
    pub(crate) reached: usize,
    /// Of those, the ones that the result shows through the same portal.
    pub(crate) same: usize,
    /// Those that are too small to be visible.
    pub(crate) small: usize,
    /// Those in or behind rooms that the stab lists do not name.
    pub(crate) refused: usize,
}

/// Numbers of regions by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Regions {
    pub(crate) all: usize,
    /// No ray arrives, and a portal on the way was passed whole.
    pub(crate) near: usize,
    /// No ray arrives, and a region on the way was merged.
    pub(crate) merged: usize,
    /// No ray arrives, and the region is hardly wider than rounding.
    pub(crate) thin: usize,
}

impl Scene<'_> {
    pub(crate) fn look<'s>(&self, scratch: &'s mut ViewScratch) -> &'s VisibleSet {
        let walk = PortalWalk { world: self.world, rules: self.rules };
        walk.run(scratch, &mut (), &self.viewer)
    }

    /// V1: checks that whatever a ray reaches is in the result, in a region with that point of the screen.
    #[track_caller]
    pub(crate) fn never_misses(
        &self,
        scratch: &mut ViewScratch,
        rays: usize,
        random: &mut Random,
    ) -> Hits {
        let seen = self.look(scratch);
        check_sound(seen);
        assert!(!seen.budget_hit(), "{:?}", self.viewer);
        let caster = Rays::new(self.world, &self.viewer, MARGIN);
        let holes: Vec<&Hole> = caster.holes().collect();
        let mut hits = Hits { rays, ..Hits::default() };
        for number in 0..rays {
            let mut aims = (0..8).map(|_| aim(&self.viewer, &holes, random));
            let aimed = if number % 2 == 0 { aims.find_map(|at| at) } else { None };
            let anywhere = DVec2::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0));
            let at = aimed.unwrap_or(anywhere);
            let all = caster.cast(at);
            for (place, reached) in all.iter().enumerate() {
                hits.reached += 1;
                let shown = showing(seen, self.world, at, reached);
                if shown == Shown::Not && is_refused(seen, &all, place) {
                    hits.refused += 1;
                    continue;
                }
                if shown == Shown::Not && caster.room_left(at, &all, place) < MIN_SOLID_ANGLE {
                    hits.small += 1;
                    continue;
                }
                let context = || format!("{:#?}\n{}", self.viewer, summary(seen));
                assert!(shown != Shown::Not, "{reached:?} at {at} is missed: {}", context());
                hits.same += usize::from(shown == Shown::Same);
            }
        }
        hits
    }

    /// V2: checks that a ray reaches every region through the entry portal of that region, or that there is a reason why
    /// not.
    #[track_caller]
    pub(crate) fn rarely_too_much(&self, scratch: &mut ViewScratch) -> Regions {
        let seen = self.look(scratch);
        let caster = Rays::new(self.world, &self.viewer, NO_MARGIN);
        let mut count = Regions::default();
        for region in seen.regions() {
            count.all += 1;
            if points_in(&region).into_iter().any(|at| is_hit(&caster, &region, at)) {
                continue;
            }
            let chain = chain(seen, region);
            let is_near = |via: &EntryPortal| {
                let side = if via.outdoors { -1.0 } else { 1.0 };
                let hole = caster.hole(via.cell, usize::from(via.portal));
                hole.is_near(&self.viewer, NEAR, side)
            };
            if chain.iter().flat_map(Region::entries).any(|via| is_near(&via)) {
                count.near += 1;
            } else if chain.iter().any(|region| region.entries().count() > 1) {
                count.merged += 1;
            } else {
                let (target, width) = (region.content(), width(&region));
                assert!(
                    width < THIN,
                    "{target:?} {:?} width {width}, {:#?}",
                    region.entry(),
                    self.viewer
                );
                count.thin += 1;
            }
        }
        count
    }
}

impl std::ops::AddAssign for Hits {
    fn add_assign(&mut self, other: Self) {
        self.rays += other.rays;
        self.reached += other.reached;
        self.same += other.same;
        self.small += other.small;
        self.refused += other.refused;
    }
}

impl std::ops::AddAssign for Regions {
    fn add_assign(&mut self, other: Self) {
        self.all += other.all;
        self.near += other.near;
        self.merged += other.merged;
        self.thin += other.thin;
    }
}

/// Checks what holds for every result.
#[track_caller]
pub(crate) fn check_sound(seen: &VisibleSet) {
    let stats = seen.stats();
    assert!(stats.visits <= MAX_VISITS_PER_CELL * stats.eligible, "{stats:?}");
    for region in seen.regions() {
        let (corners, planes) = (region.corners(), region.planes());
        assert!((3..=MAX_SIDES).contains(&corners.len()) && planes.len() == corners.len());
        let on_screen = |at: &DVec2| at.is_finite() && at.abs().max_element() <= 1.0 + 1e-9;
        assert!(corners.iter().all(on_screen), "{corners:?}");
        let is_side = |plane: &DVec3| (plane.truncate().length() - 1.0).abs() < 1e-9;
        assert!(planes.iter().all(is_side) && planes.iter().all(|plane| plane.is_finite()));
        for corner in corners {
            let least = planes.iter().map(|plane| plane.dot(corner.extend(1.0)));
            let least = least.fold(f64::INFINITY, f64::min);
            assert!(least > -1e-7, "a corner outside its own region: {least} of {corners:?}");
        }
        assert!(
            region.coverage() > 0.0 && region.coverage() <= 1.0 + 1e-9,
            "{}",
            region.coverage()
        );
    }
    let of_cells: usize = seen.cells().map(|cell| cell.regions().len()).sum();
    let of_others = seen.landscape().len() + seen.not_resident().len();
    assert_eq!(seen.regions().count(), of_cells + of_others, "every region is of something");
    check_order(seen);
    let mut listed: Vec<CellId> = Vec::new();
    for cell in seen.cells() {
        assert!(!listed.contains(&cell.id()), "{} is listed twice", cell.id());
        assert!((1..=MAX_REGIONS).contains(&cell.regions().len()), "{}", cell.id());
        let is_before = |via: EntryPortal| via.outdoors || listed.contains(&via.cell);
        let is_root = listed.is_empty() && cell.id() == seen.root();
        let is_in_order = cell.regions().flat_map(|region| region.entries()).any(is_before);
        assert!(is_root || is_in_order, "{} comes before what it is seen through", cell.id());
        listed.push(cell.id());
    }
}

/// A region is listed after its parent, so drawing in the reverse order draws the far side first.
#[track_caller]
fn check_order(seen: &VisibleSet) {
    let place = |region: Region<'_>| region.corners().as_ptr();
    let places: BTreeMap<_, usize> = seen.regions().map(place).zip(0..).collect();
    for region in seen.regions() {
        let Some(via) = region.entry() else { continue };
        let through = region_named(seen, &via);
        let is_after = places[&place(region)] > places[&place(through)];
        assert!(is_after, "{:?} is found before {via:?}", region.content());
    }
}

/// How the result shows what a ray reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Not,
    /// In a region with another entry portal, or a merged one.
    Else,
    /// In a region with the same entry portal.
    Same,
}

fn showing(seen: &VisibleSet, world: &World, at: DVec2, reached: &RayVisit) -> Shown {
    let mut regions = regions_of(seen, world, reached.cell);
    regions.retain(|region| region.contains(at));
    if regions.iter().any(|region| came_through(region, reached.through)) {
        Shown::Same
    } else if regions.is_empty() || reached.cell.is_none() {
        // Landscape regions are kept for each portal.
        Shown::Not
    } else {
        Shown::Else
    }
}

/// Returns whether a ray came to a place through a refused room.
fn is_refused(seen: &VisibleSet, all: &[RayVisit], place: usize) -> bool {
    let path = std::iter::successors(Some(place), |place| all[*place].from);
    path.filter_map(|place| all[place].cell).any(|cell| seen.unlisted().contains(&cell))
}

/// Returns the regions of a cell, of the landscape, or of a room that is not resident.
pub(crate) fn regions_of<'a>(
    seen: &'a VisibleSet,
    world: &World,
    cell: Option<CellId>,
) -> Vec<Region<'a>> {
    match cell {
        None => seen.landscape().collect(),
        Some(cell) if world.room(cell).is_some() => {
            seen.cell(cell).map(|cell| cell.regions().collect()).unwrap_or_default()
        }
        Some(cell) => {
            let there = seen
                .not_resident()
                .filter(|region| region.content() == RegionContent::NotResident(cell));
            there.collect()
        }
    }
}

/// Whether a region was entered through a portal, or is that of the root.
pub(crate) fn came_through(region: &Region<'_>, through: Option<EntryPortalId>) -> bool {
    match through {
        None => region.entry().is_none(),
        Some(through) => region.entries().any(|via| {
            let EntryPortal { cell, portal, outdoors, .. } = via;
            through == EntryPortalId { cell, portal: portal.into(), outdoors }
        }),
    }
}

/// Returns a region, its parent, and so on to the root.
pub(crate) fn chain<'a>(seen: &'a VisibleSet, region: Region<'a>) -> Vec<Region<'a>> {
    let mut chain = vec![region];
    while let Some(via) = chain.last().and_then(Region::entry) {
        chain.push(region_named(seen, &via));
        assert!(chain.len() < 10_000, "a chain of openings ends");
    }
    chain
}

fn region_named<'a>(seen: &'a VisibleSet, via: &EntryPortal) -> Region<'a> {
    let region = match via.outdoors {
        true => seen.landscape().nth(via.region),
        false => seen.cell(via.cell).and_then(|cell| cell.regions().nth(via.region)),
    };
    region.unwrap_or_else(|| panic!("{via:?} names no region"))
}

/// Returns a random point of a portal, on the screen.
fn aim(viewer: &Viewer, holes: &[&Hole], random: &mut Random) -> Option<DVec2> {
    let hole = holes.get(random.below(holes.len().max(1)))?;
    let weights: Vec<f64> = hole.corners.iter().map(|_| random.between(0.0, 1.0).powi(4)).collect();
    let parts = hole.corners.iter().zip(&weights).map(|(corner, weight)| *corner * *weight);
    let at = parts.sum::<DVec3>() / weights.iter().sum::<f64>();
    let screen = viewer.project(viewer.eye() + at)?;
    (screen.abs().max_element() < 1.0).then_some(screen)
}

/// Returns points well inside a region, its middle first.
pub(crate) fn points_in(region: &Region<'_>) -> Vec<DVec2> {
    let corners = region.corners();
    let middle = corners.iter().sum::<DVec2>() / corners.len() as f64;
    let next = corners.iter().cycle().skip(1);
    let rim = corners.iter().zip(next).flat_map(|(a, b)| [*a, (*a + *b) / 2.0]);
    let towards = |to: DVec2| [0.3, 0.6, 0.9].map(|part| middle + (to - middle) * part);
    std::iter::once(middle).chain(rim.flat_map(towards)).collect()
}

fn is_hit(caster: &Rays, region: &Region<'_>, at: DVec2) -> bool {
    let want = match region.content() {
        RegionContent::Room(cell) | RegionContent::NotResident(cell) => Some(cell),
        RegionContent::Landscape => None,
    };
    let reached = caster.cast(at);
    reached.iter().any(|it| it.cell == want && came_through(region, it.through))
}

/// Returns the least width of a region, on a screen from -1 to 1.
fn width(region: &Region<'_>) -> f64 {
    let reach = |plane: &DVec3| {
        let distances = region.corners().iter().map(|corner| plane.dot(corner.extend(1.0)));
        distances.fold(0.0, f64::max)
    };
    region.planes().iter().map(reach).fold(f64::INFINITY, f64::min)
}

fn summary(seen: &VisibleSet) -> String {
    let mut text = String::new();
    for cell in seen.cells() {
        let vias: Vec<_> =
            cell.regions().map(|region| (region.entry(), region.coverage())).collect();
        text += &format!("{} in {vias:?}\n", cell.id());
    }
    text + &format!("outside {}, refused {:?}", seen.landscape().len(), seen.unlisted())
}
