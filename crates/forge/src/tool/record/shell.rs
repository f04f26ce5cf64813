//! Shells: the outside of buildings.

use threshold_dat::{BspMesh, GfxObj, RecordId};
use threshold_geom::plane_of;
use threshold_land::Plane;
use threshold_land::vector::Vec3;

use super::mesh::Vertices;
use crate::stock::material::Material;
use crate::tool::error::{ForgeError, ForgeErrorKind};
use crate::tool::layout::{Chamber, Gate, Layout, solid};
use crate::tool::opening::FIT;
use crate::tool::plan::{Plan, RoomKey};
use crate::tool::room::{FaceMaterials, LEVEL, UPRIGHT};
use crate::tool::solid::outline::{self, Outline};
use crate::tool::solid::union::{self, SurfacePiece};
use crate::tool::solid::{Convex, Side};
use crate::tool::tree::drawing::{Drawing, DrawnPolygon, PortalOpening};
use crate::tool::tree::physics::Physics;

/// Thickness of outer walls and roofs, in metres. A wall with a door or window has none: the
/// opening of the room is the opening of the shell.
const WALL: f32 = 0.3;
/// Depth of the foundation below the lowest floors, in metres.
const FOUNDATION: f32 = 1.5;
/// Maximum height over the lowest floor, in metres, of floors that stand on the ground.
const GROUND_FLOOR: f32 = 0.5;

/// A shell without an id.
pub(crate) struct Shell {
    pub(crate) model: GfxObj,
    /// Leaves of its drawing tree.
    pub(crate) leaves: u32,
    /// Room and gate of each portal, in the order of the building's portals.
    pub(crate) portals: Vec<(usize, usize)>,
}

/// A gate that leads outdoors.
struct Exit<'a> {
    room: usize,
    number: usize,
    gate: &'a Gate,
    /// In the frame of the plan, facing outwards.
    side: Side,
}

/// Returns the shell of a building: the union of its rooms with thick walls around them.
pub(crate) fn shell(layout: &Layout, plan: &Plan) -> Result<Shell, ForgeError> {
    let exits = exits(layout);
    let (solids, skins) = solids(layout, plan, &exits)?;
    let around = union::surface(&solids)?;
    let (mut closed, mut carved) = (around.clone(), around);
    for exit in &exits {
        let here = |error: ForgeError| error.in_room(plan.site(RoomKey(exit.room)));
        carved = carve(carved, exit).map_err(here)?;
        if exit.gate.is_passable() {
            closed = carve(closed, exit).map_err(here)?;
        }
    }
    let doors: Vec<Side> =
        exits.iter().filter(|exit| exit.gate.is_passable()).map(|exit| exit.side.clone()).collect();
    let is_solid = |at: Vec3| solids.iter().any(|solid| solid.distance(at) < 0.0);
    let closed: Vec<Side> = closed.into_iter().map(|piece| piece.side).collect();
    let physics = Physics::of_solids(&closed, &doors, is_solid, &bounds(&solids));
    let drawn = |piece: SurfacePiece| {
        let ShellSolid { looks, level } = &skins[piece.solid];
        let material = looks.facing(piece.side.plane.normal, *level);
        DrawnPolygon { side: piece.side, material, card: None }
    };
    let port = |(portal, exit): (usize, &Exit<'_>)| {
        // A room has at most 255 openings, and a landblock 65,278 rooms: wider lists are refused.
        PortalOpening { side: exit.side.clone(), portal: u16::try_from(portal).unwrap_or(u16::MAX) }
    };
    let drawing = Drawing::of_surface(
        carved.into_iter().map(drawn).collect(),
        exits.iter().enumerate().map(port).collect(),
    );
    let portals = exits.iter().map(|exit| (exit.room, exit.number)).collect();
    let tree = drawing.tree();
    Ok(Shell { model: model(&physics, &drawing)?, leaves: tree.leaves, portals })
}

/// A model with both meshes.
pub(crate) fn model(physics: &Physics, drawing: &Drawing) -> Result<GfxObj, ForgeError> {
    let mut vertices = Vertices::default();
    let drawing = BspMesh { polygons: vertices.drawing(drawing)?, tree: drawing.tree().tree };
    let physics = BspMesh { polygons: vertices.physics(physics)?, tree: physics.tree() };
    let (vertices, materials) = vertices.finish();
    let corners = vertices.iter().map(|vertex| vertex.position);
    let (low, high) = corners.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), corner| {
        (low.min(corner), high.max(corner))
    });
    Ok(GfxObj {
        id: RecordId::NONE,
        other_flags: 0,
        surfaces: materials.into_iter().map(Material::surface).collect(),
        sort_centre: if vertices.is_empty() { Vec3::ZERO } else { (low + high) / 2.0 },
        vertices,
        physics: Some(physics),
        drawing: Some(drawing),
        degrade: None,
    })
}

fn exits(layout: &Layout) -> Vec<Exit<'_>> {
    let mut exits = Vec::new();
    for (room, chamber) in layout.rooms.iter().enumerate() {
        for (number, gate) in chamber.gates.iter().enumerate() {
            if gate.leads_out() {
                exits.push(Exit { room, number, gate, side: outward(chamber, gate) });
            }
        }
    }
    exits
}

fn outward(chamber: &Chamber, gate: &Gate) -> Side {
    let outline: Outline = outline::reversed(&chamber.gate_in_plan(gate));
    let normal = chamber.space.sides[gate.face].plane.normal;
    let normal = chamber.frame.rotation.rotate(normal);
    let plane = plane_of(&outline).unwrap_or(Plane::through(normal, outline[0]));
    Side { outline, plane }
}

/// Returns the solids of the shell: the rooms with walls around them, then the solids of the plan.
fn solids(
    layout: &Layout,
    plan: &Plan,
    exits: &[Exit<'_>],
) -> Result<(Vec<Convex>, Vec<ShellSolid>), ForgeError> {
    let mut solids = around_rooms(layout, exits);
    let mut skins = vec![ShellSolid { looks: plan.outside, level: LEVEL }; solids.len()];
    for (number, (shape, material)) in plan.solids.iter().enumerate() {
        solids.push(solid(shape, "a solid of the shell")?);
        let mut looks = FaceMaterials::all(*material);
        if plan.roofs.contains(&number) {
            looks.walls = plan.outside.walls;
        }
        skins.push(ShellSolid { looks, level: UPRIGHT });
    }
    Ok((solids, skins))
}

/// Materials of a solid of the shell.
#[derive(Clone)]
struct ShellSolid {
    looks: FaceMaterials,
    /// Maximum upward part of the normal of faces that count as walls.
    level: f32,
}

fn around_rooms(layout: &Layout, exits: &[Exit<'_>]) -> Vec<Convex> {
    let seen = layout.rooms.iter().filter(|room| !room.buried);
    let placed: Vec<Convex> = seen.map(|room| room.space.placed(&room.frame)).collect();
    let lowest = |solid: &Convex| solid.bounds().0.z;
    let ground = placed.iter().map(lowest).fold(f32::INFINITY, f32::min);
    let grow = |solid: &Convex| {
        let on_the_ground = lowest(solid) < ground + GROUND_FLOOR;
        let thickness = |side: &Side| match side.plane.normal.z {
            _ if exits.iter().any(|exit| exit.lies_in(side)) => 0.0,
            z if z < -0.9 && on_the_ground => FOUNDATION,
            _ => WALL,
        };
        let grown = solid.grown(thickness)?;
        // A wall must not grow into the doorway of an adjacent room, so it has no thickness there.
        let covered: Vec<Outline> = exits.iter().filter_map(|exit| exit.behind(&grown)).collect();
        let reaches = |side: &Side| {
            covered.iter().any(|part| outline::reach(part, &side.plane).1 > outline::ON)
        };
        solid.grown(|side| if reaches(side) { 0.0 } else { thickness(side) })
    };
    placed.iter().map(|solid| grow(solid).unwrap_or_else(|| solid.clone())).collect()
}

impl Exit<'_> {
    /// Returns whether an outline lies in a side of a room.
    fn lies_in(&self, side: &Side) -> bool {
        let (low, high) = outline::reach(&self.side.outline, &side.plane);
        low > -FIT && high < FIT && side.plane.normal.dot(self.side.plane.normal) > 0.0
    }

    /// Returns the part of an outline that is covered by a solid.
    fn behind(&self, solid: &Convex) -> Option<Outline> {
        let step = self.side.plane.normal * (2.0 * FIT);
        let before: Outline = self.side.outline.iter().map(|corner| *corner + step).collect();
        let inside = |left: Option<Outline>, side: &Side| {
            outline::clip(&left?, &outline::opposite(&side.plane), 0.0)
        };
        solid.sides.iter().fold(Some(before), inside)
    }
}

/// Cuts an exit out of the surface; the whole exit must lie in it.
fn carve(surface: Vec<SurfacePiece>, exit: &Exit<'_>) -> Result<Vec<SurfacePiece>, ForgeError> {
    let hole = &exit.side;
    let (left, taken) = union::carve(surface, &hole.outline, hole.plane.normal);
    let missing = 1.0 - taken / outline::area(&hole.outline);
    if missing < 0.01 {
        return Ok(left);
    }
    // A share of one, so the number of hundredths fits.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
    let hundredths = (missing.clamp(0.0, 1.0) * 100.0) as u8;
    Err(ForgeErrorKind::ExitBlocked(hundredths).here().in_opening(exit.gate.opening))
}

/// Returns a box around all solids with a margin, as planes that face away from it.
fn bounds(solids: &[Convex]) -> Vec<Plane> {
    let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (low, high) = solids
        .iter()
        .map(Convex::bounds)
        .fold(start, |(low, high), (l, h)| (low.min(l), high.max(h)));
    around(low - Vec3::ONE, high + Vec3::ONE)
}

/// Returns the faces of a box, facing away from it.
pub(crate) fn around(low: Vec3, high: Vec3) -> Vec<Plane> {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let faces = |axis: Vec3| [Plane::through(axis, high), Plane::through(-axis, low)];
    axes.into_iter().flat_map(faces).collect()
}
