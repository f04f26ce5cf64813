//! The check of buildings: their portals must lead into rooms and fit them.

use std::collections::BTreeSet;

use threshold_dat::{BspNode, BuildingInfo, BuildingPortalInfo, GfxObj, PortalPolygon, Records};
use threshold_land::vector::Vec3;
use threshold_land::{CellId, Frame, Position, adjust_to_outside};

use super::outline::centre;
use super::portals::{difference, outline_in_block};
use super::{BlockCheck, CheckedRoom, Severity};

/// A portal polygon in the shell of a building.
struct ShellPortal {
    /// Number of the building portal.
    portal: u16,
    /// In the frame of the landblock; empty if the polygon does not exist.
    outline: Vec<Vec3>,
}

impl BlockCheck<'_> {
    pub(super) fn check_buildings(&mut self, records: &mut Records<'_>) {
        let Some(info) = self.info.take() else { return };
        let block = self.block;
        for (number, building) in info.buildings.iter().enumerate() {
            let origin = building.frame.origin;
            // A building outside the landblock is an error of its own.
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
        let shell = self.shell_portals(records, building);
        let at = Position::new(cell, building.frame.origin);
        let setup = self.check.builder.setup(building.model);
        if setup.is_ok_and(|setup| !setup.has_physics_tree) {
            let message = format!("building {number}: its shell can be walked through everywhere");
            self.findings.note(record, at, message);
        }
        for shell_portal in shell.iter().flatten() {
            if usize::from(shell_portal.portal) >= building.portals.len() {
                let (count, portal) = (building.portals.len(), shell_portal.portal);
                let message = format!(
                    "building {number}: its shell has a polygon for portal {portal}, but the building has {count} portals"
                );
                let at = Position::new(cell, centre(&shell_portal.outline));
                self.findings.error(record, at, message);
            }
        }
        for (index, portal) in building.portals.iter().enumerate() {
            let is_own =
                |it: &&ShellPortal| usize::from(it.portal) == index && !it.outline.is_empty();
            let shell_portal = shell.as_ref().and_then(|shell| shell.iter().find(is_own));
            let at = shell_portal.map_or(at, |it| Position::new(cell, centre(&it.outline)));
            for (severity, problem) in self.portal_problems(portal, shell_portal, shell.is_some()) {
                let message = format!("building {number}, portal {index}: {problem}");
                self.findings.add(severity, record.into(), at, message);
            }
        }
    }

    /// Describes the problems of a building portal. With `shell_is_known` a missing `shell_portal` is one.
    fn portal_problems(
        &self,
        portal: &BuildingPortalInfo,
        shell_portal: Option<&ShellPortal>,
        shell_is_known: bool,
    ) -> Vec<(Severity, String)> {
        let mut problems = Vec::new();
        if shell_portal.is_none() && shell_is_known {
            problems.push((Severity::Note, "its shell has no polygon for it".to_owned()));
        }
        let other = self.block.cell(portal.other_cell);
        // A missing room is reported by the check of records.
        if let Some(room) = self.rooms.get(&other) {
            if !portal.visible.contains(&portal.other_cell) {
                problems.push((Severity::Error, format!("{other} is not in its stab list")));
            }
            problems.extend(misfit(room, portal, shell_portal));
        }
        problems
    }

    /// Returns the portal polygons of a building's shell; `None` if the shell cannot be read, which the check of
    /// records reports.
    fn shell_portals(
        &self,
        records: &mut Records<'_>,
        building: &BuildingInfo,
    ) -> Option<Vec<ShellPortal>> {
        let setup = self.check.builder.setup(building.model).ok()?;
        let mut parts = Vec::new();
        for part in &setup.parts {
            let model = records.get::<GfxObj>(part.model.id).ok()??;
            parts.push((model, building.frame.combine(&part.pose)));
        }
        let read = |order| {
            parts.iter().flat_map(|(model, frame)| portals_of(model, frame, order)).collect()
        };
        let usual: Vec<ShellPortal> = read(NumberOrder::PolygonFirst);
        let misfits = self.count_misfits(building, &usual);
        if misfits == (0, 0) {
            return Some(usual);
        }
        let unusual: Vec<ShellPortal> = read(NumberOrder::PortalFirst);
        Some(if self.count_misfits(building, &unusual) < misfits { unusual } else { usual })
    }

    /// Returns the number of shell portals without a building portal, and of those that do not fit their rooms.
    fn count_misfits(&self, building: &BuildingInfo, shell: &[ShellPortal]) -> (usize, usize) {
        let (mut impossible, mut unfit) = (0, 0);
        for shell_portal in shell {
            match building.portals.get(usize::from(shell_portal.portal)) {
                Some(portal) if !shell_portal.outline.is_empty() => {
                    let room = self.rooms.get(&self.block.cell(portal.other_cell));
                    let problem = room.and_then(|room| misfit(room, portal, Some(shell_portal)));
                    unfit += usize::from(problem.is_some());
                }
                _ => impossible += 1,
            }
        }
        (impossible, unfit)
    }

    /// Notes exit portals that no building portal leads to.
    pub(super) fn check_exits(&mut self) {
        let buildings = self.info.iter().flat_map(|info| &info.buildings);
        let portals = buildings.flat_map(|building| &building.portals);
        let named: BTreeSet<(u16, u16)> =
            portals.map(|portal| (portal.other_cell, portal.other_portal)).collect();
        for (cell, checked) in &self.rooms {
            for (index, portal) in (0_u16..).zip(checked.room.portals()) {
                if portal.other.is_none() && !named.contains(&(cell.low(), index)) {
                    let at =
                        checked.position_of(centre(checked.room.portal_polygon(portal).vertices));
                    let message =
                        format!("portal {index} leads outdoors, and no building leads in there");
                    self.findings.note(*cell, at, message);
                }
            }
        }
    }
}

/// The order of the two numbers in the portal list of a tree. Usually the polygon is first; some files have the portal
/// first.
#[derive(Clone, Copy)]
enum NumberOrder {
    PolygonFirst,
    PortalFirst,
}

fn portals_of(model: &GfxObj, frame: &Frame, order: NumberOrder) -> Vec<ShellPortal> {
    let mut shell = Vec::new();
    let Some(mesh) = &model.drawing else { return shell };
    for node in mesh.tree.iter() {
        let BspNode::Split(split) = node else { continue };
        for PortalPolygon { polygon, portal } in split.portals {
            let (polygon, portal) = match order {
                NumberOrder::PolygonFirst => (*polygon, *portal),
                NumberOrder::PortalFirst => (*portal, *polygon),
            };
            let ids = mesh.polygons.by_id(polygon).map_or(&[][..], |polygon| polygon.vertex_ids);
            let corners = ids.iter().filter_map(|id| model.vertices.by_id(*id));
            let outline = corners.map(|corner| frame.to_global(corner.position)).collect();
            shell.push(ShellPortal { portal, outline });
        }
    }
    shell
}

/// Describes why a building portal does not fit the portal of the room behind it, if so.
fn misfit(
    checked: &CheckedRoom,
    building_portal: &BuildingPortalInfo,
    shell_portal: Option<&ShellPortal>,
) -> Option<(Severity, String)> {
    let (number, flags) = (usize::from(building_portal.other_portal), building_portal.flags);
    // A number beyond the room's portals is reported by the check of records.
    let portal = checked.room.portals().get(number)?;
    let id = checked.room.id();
    if let Some(other) = portal.other {
        return Some((
            Severity::Error,
            format!("portal {number} of {id} leads to {other}, not outdoors"),
        ));
    }
    let outline = &shell_portal?.outline;
    let exact = flags.exact_match() || portal.exact_match;
    if let Some((severity, problem)) =
        difference(outline, &outline_in_block(checked, portal), exact)
    {
        return Some((severity, format!("with portal {number} of {id}, {problem}")));
    }
    let outline: Vec<Vec3> = outline.iter().map(|corner| checked.room.to_local(*corner)).collect();
    let plane = threshold_geom::plane_of(&outline)?;
    let front = checked.is_in_front(centre(&outline), plane.normal)?;
    (front != flags.portal_side())
        .then(|| (Severity::Error, format!("its flags state the wrong side for {id}")))
}
