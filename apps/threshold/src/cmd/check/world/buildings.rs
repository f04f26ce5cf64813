//! The check of buildings: their openings must lead into rooms, and fit them.

use std::collections::BTreeSet;

use threshold_dat::{BspNode, BuildingInfo, BuildingPortalInfo, GfxObj, PortalPolygon, Records};
use threshold_land::glam::Vec3;
use threshold_land::{CellId, Frame, adjust_to_outside};

use super::outline::middle;
use super::portals::{difference, in_block};
use super::{Chamber, Severity, Site};

/// An opening in the shell of a building.
struct Hole {
    /// Which of the building's portals.
    portal: u16,
    /// In the landblock; empty where its polygon is not there.
    outline: Vec<Vec3>,
}

impl Site<'_> {
    pub(super) fn check_buildings(&mut self, records: &mut Records<'_>) {
        let Some(info) = self.info.take() else { return };
        let block = self.block;
        for (number, building) in info.buildings.iter().enumerate() {
            let origin = building.frame.origin;
            // One outside has had its error.
            let below = adjust_to_outside(block.as_cell(), origin).map(|(cell, _)| cell);
            if let Some(cell) = below.filter(|cell| cell.block() == block) {
                self.check_building(records, number, building, cell);
            }
        }
        self.info = Some(info);
    }

    fn check_building(
        &mut self,
        records: &mut Records<'_>,
        number: usize,
        building: &BuildingInfo,
        cell: CellId,
    ) {
        let record = self.block.cell(0xFFFE);
        let holes = self.holes(records, building);
        let at = (cell, building.frame.origin);
        let setup = self.check.builder.setup(building.model);
        if setup.is_ok_and(|setup| !setup.has_physics_tree) {
            let message = format!("building {number}: its shell can be walked through everywhere");
            self.found.note(record, at, message);
        }
        for hole in holes.iter().flatten() {
            if usize::from(hole.portal) >= building.portals.len() {
                let (count, portal) = (building.portals.len(), hole.portal);
                let message = format!(
                    "building {number}: its shell has an opening for portal {portal}, of {count}"
                );
                self.found.error(record, (cell, middle(&hole.outline)), message);
            }
        }
        for (index, portal) in building.portals.iter().enumerate() {
            let own = |hole: &&Hole| usize::from(hole.portal) == index && !hole.outline.is_empty();
            let hole = holes.as_ref().and_then(|holes| holes.iter().find(own));
            let at = hole.map_or(at, |hole| (cell, middle(&hole.outline)));
            for (severity, problem) in self.portal_problems(portal, hole, holes.is_some()) {
                let message = format!("building {number}, portal {index}: {problem}");
                self.found.add(severity, record.into(), at, message);
            }
        }
    }

    /// `known`: the openings of the shell are known.
    fn portal_problems(
        &self,
        portal: &BuildingPortalInfo,
        hole: Option<&Hole>,
        known: bool,
    ) -> Vec<(Severity, String)> {
        let mut problems = Vec::new();
        if hole.is_none() && known {
            problems.push((Severity::Note, "its shell has no opening there".to_owned()));
        }
        let other = self.block.cell(portal.other_cell);
        // A room that is not there is a fault of the record.
        if let Some(chamber) = self.rooms.get(&other) {
            if !portal.visible.contains(&portal.other_cell) {
                problems.push((Severity::Error, format!("{other} is not in its stab list")));
            }
            problems.extend(fit(chamber, portal, hole));
        }
        problems
    }

    /// The openings of a building's shell; `None` where the shell cannot be read, which is a fault of
    /// its record.
    fn holes(&self, records: &mut Records<'_>, building: &BuildingInfo) -> Option<Vec<Hole>> {
        let setup = self.check.builder.setup(building.model).ok()?;
        let mut parts = Vec::new();
        for part in &setup.parts {
            let model = records.get::<GfxObj>(part.model.id).ok()??;
            parts.push((model, building.frame.combine(&part.pose)));
        }
        let read = |order| parts.iter().flat_map(|(it, at)| holes_of(it, at, order)).collect();
        let custom: Vec<Hole> = read(Order::PolygonFirst);
        let misfits = self.misfits(building, &custom);
        if misfits == (0, 0) {
            return Some(custom);
        }
        let other: Vec<Hole> = read(Order::PortalFirst);
        Some(if self.misfits(building, &other) < misfits { other } else { custom })
    }

    /// How many openings of a shell cannot be, and how many do not fit their rooms.
    fn misfits(&self, building: &BuildingInfo, holes: &[Hole]) -> (usize, usize) {
        let (mut impossible, mut unfit) = (0, 0);
        for hole in holes {
            match building.portals.get(usize::from(hole.portal)) {
                Some(portal) if !hole.outline.is_empty() => {
                    let chamber = self.rooms.get(&self.block.cell(portal.other_cell));
                    let problem = chamber.and_then(|chamber| fit(chamber, portal, Some(hole)));
                    unfit += usize::from(problem.is_some());
                }
                _ => impossible += 1,
            }
        }
        (impossible, unfit)
    }

    /// A way out that no building has as a way in.
    pub(super) fn check_exits(&mut self) {
        let buildings = self.info.iter().flat_map(|info| &info.buildings);
        let portals = buildings.flat_map(|building| &building.portals);
        let named: BTreeSet<(u16, u16)> =
            portals.map(|portal| (portal.other_cell, portal.other_portal)).collect();
        for (cell, chamber) in &self.rooms {
            for (index, portal) in (0_u16..).zip(chamber.room.portals()) {
                if portal.other.is_none() && !named.contains(&(cell.low(), index)) {
                    let at = chamber.place(middle(chamber.room.portal_polygon(portal).vertices));
                    let message =
                        format!("portal {index} leads outdoors, and no building leads in there");
                    self.found.note(*cell, at, message);
                }
            }
        }
    }
}

/// Which number comes first where a tree lists an opening. The custom is the polygon; there are files
/// with the portal first.
#[derive(Clone, Copy)]
enum Order {
    PolygonFirst,
    PortalFirst,
}

fn holes_of(model: &GfxObj, frame: &Frame, order: Order) -> Vec<Hole> {
    let mut holes = Vec::new();
    let Some(mesh) = &model.drawing else { return holes };
    for node in mesh.tree.iter() {
        let BspNode::Split(split) = node else { continue };
        for PortalPolygon { polygon, portal } in split.portals {
            let (polygon, portal) = match order {
                Order::PolygonFirst => (*polygon, *portal),
                Order::PortalFirst => (*portal, *polygon),
            };
            let ids = mesh.polygons.by_id(polygon).map_or(&[][..], |polygon| polygon.vertex_ids);
            let corners = ids.iter().filter_map(|id| model.vertices.by_id(*id));
            let outline = corners.map(|corner| frame.to_global(corner.position)).collect();
            holes.push(Hole { portal, outline });
        }
    }
    holes
}

/// What is wrong between the opening of a shell and the portal of the room behind it, and how
/// bad that is.
fn fit(
    chamber: &Chamber,
    way_in: &BuildingPortalInfo,
    hole: Option<&Hole>,
) -> Option<(Severity, String)> {
    let (number, flags) = (usize::from(way_in.other_portal), way_in.flags);
    // A number beyond the room's portals is a fault of the record.
    let portal = chamber.room.portals().get(number)?;
    let id = chamber.room.id();
    if let Some(other) = portal.other {
        return Some((
            Severity::Error,
            format!("portal {number} of {id} leads to {other}, not outdoors"),
        ));
    }
    let hole = &hole?.outline;
    let exact = flags.exact_match() || portal.exact_match;
    if let Some((severity, problem)) = difference(hole, &in_block(chamber, portal), exact) {
        return Some((severity, format!("with portal {number} of {id}, {problem}")));
    }
    let hole: Vec<Vec3> = hole.iter().map(|corner| chamber.room.to_local(*corner)).collect();
    let plane = threshold_geom::plane_of(&hole)?;
    let front = chamber.is_before(middle(&hole), plane.normal)?;
    (front != flags.portal_side())
        .then(|| (Severity::Error, format!("{id} is not on the side of it that its flags say")))
}
