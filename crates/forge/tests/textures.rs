//! Texture coordinates of the built-in world: textures are not stretched, and boards end at the edges of steps.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails on unexpected values")]

mod built;

use glam::Mat2;
use threshold_dat::{
    FileKind, GfxObj, IndexedPolygon, Polygons, RecordKind, Records, Source, VertexArray, stippling,
};
use threshold_forge::{MadeWorld, Material, SEED, builtin, rooms};
use threshold_land::vector::{Vec2, Vec3};

use built::Cell;

/// Surfaces from this id on are textures of the sky, which are bent around the viewer with its domes.
const SKY: u32 = 0x0800_0200;
/// Minimum width of a polygon, in metres, for a measurement in single precision.
const MIN_WIDTH: f32 = 0.005;
/// Number of adjacent boards in the plank texture.
const BOARDS: f32 = 8.0;

/// Returns the corners of a drawn polygon with their texture coordinates; `None` without a texture.
fn pictured(vertices: &VertexArray, polygon: &IndexedPolygon<'_>) -> Option<Vec<(Vec3, Vec2)>> {
    if polygon.stippling & stippling::NO_FRONT_UVS != 0 || polygon.front_surface < 0 {
        return None;
    }
    let corners = polygon.vertex_ids.iter().zip(polygon.front_uvs);
    let corner = |(id, uv): (&u16, &u8)| {
        let vertex = vertices.by_id(*id).unwrap();
        (vertex.position, vertex.uvs[usize::from(*uv)])
    };
    Some(corners.map(corner).collect())
}

/// Texture mapping of a polygon.
struct MappingQuality {
    /// Repeats per metre in the direction with the most and in that with the fewest.
    density: [f32; 2],
    /// Maximum deviation of a corner's texture coordinates from those expected from the others.
    off: f32,
}

impl MappingQuality {
    /// Measures a polygon that is wide enough.
    fn of(corners: &[(Vec3, Vec2)]) -> Option<Self> {
        let (origin, start) = corners[0];
        let pairs = (1..corners.len()).flat_map(|a| (a + 1..corners.len()).map(move |b| (a, b)));
        let sides = |(a, b): (usize, usize)| [a, b].map(|k| corners[k].0 - origin);
        let area = |pair| {
            let [a, b] = sides(pair);
            a.cross(b).length()
        };
        let (a, b) = pairs.max_by(|one, other| area(*one).total_cmp(&area(*other)))?;
        let [to_a, to_b] = sides((a, b));
        let longest = to_a.length().max(to_b.length()).max(to_a.distance(to_b));
        if area((a, b)) / longest < MIN_WIDTH {
            return None;
        }
        let right = to_a.normalize();
        let up = to_a.cross(to_b).cross(to_a).normalize();
        let flat = |at: Vec3| Vec2::new((at - origin).dot(right), (at - origin).dot(up));
        let columns = |a: Vec2, b: Vec2| Mat2::from_cols_array_2d(&[a.into(), b.into()]);
        let places = columns(flat(corners[a].0), flat(corners[b].0));
        let shown = columns(corners[a].1 - start, corners[b].1 - start);
        let map = shown * places.inverse();
        let mapped = |at: Vec2| Vec2::from((map * glam::Vec2::from(at.to_array())).to_array());
        let off = corners.iter().map(|(at, uv)| uv.distance(start + mapped(flat(*at))));
        let (square, size) = (map.transpose() * map, map.determinant().abs());
        let half = (square.x_axis.x + square.y_axis.y) / 2.0;
        let most = (half + (half * half - size * size).max(0.0).sqrt()).sqrt();
        Some(Self { density: [most, size / most], off: off.fold(0.0, f32::max) })
    }
}

/// Every drawn polygon with its corners, its surface, and its location.
fn each_drawn(
    world: &MadeWorld,
    mut check: impl FnMut(&IndexedPolygon<'_>, &[(Vec3, Vec2)], u32, &str),
) {
    let mut all = |vertices: &VertexArray, polygons: &Polygons, surfaces: &[u32], place: &str| {
        for polygon in polygons.iter() {
            if let Some(corners) = pictured(vertices, &polygon) {
                let surface = surfaces[usize::try_from(polygon.front_surface).unwrap()];
                check(&polygon, &corners, surface, place);
            }
        }
    };
    for cell in built::cells(world) {
        let low = cell.record.surfaces.iter();
        let surfaces: Vec<u32> = low.map(|low| 0x0800_0000 | u32::from(*low)).collect();
        let place = format!("room {}", cell.id);
        all(&cell.structure.vertices, &cell.structure.drawing, &surfaces, &place);
    }
    let mut records = Records::new(world);
    let ids = world.ids(FileKind::Portal).into_iter();
    for id in ids.filter(|id| RecordKind::from_id(FileKind::Portal, *id) == RecordKind::GfxObj) {
        let model: GfxObj = records.get(id).unwrap().unwrap();
        let surfaces: Vec<u32> = model.surfaces.iter().map(|surface| surface.0).collect();
        let Some(drawing) = &model.drawing else { continue };
        all(&model.vertices, &drawing.polygons, &surfaces, &format!("model {id}"));
    }
}

/// Two kinds of polygons are excluded: those of the sky, and those too thin to be measured. Cards show their picture once at any
/// size, and may stretch it.
#[test]
fn textures_are_as_dense_along_a_polygon_as_across_it() {
    const CARDS: f32 = 4.0;
    let (mut tiled, mut cards, mut thin) = (0_usize, 0_usize, 0_usize);
    each_drawn(&builtin(SEED).unwrap(), |polygon, corners, surface, place| {
        if surface >= SKY {
            return;
        }
        let Some(MappingQuality { density: [most, least], off }) = MappingQuality::of(corners)
        else {
            thin += 1;
            return;
        };
        let here = format!("{place}, polygon {}: {most} and {least} to a metre", polygon.id);
        assert!(off < 1e-3, "{here}, bent by {off}");
        if polygon.stippling & stippling::FRONT_TILED != 0 {
            tiled += 1;
            assert!(most / least < 1.02 && (0.45..2.2).contains(&most), "{here}");
        } else {
            cards += 1;
            assert!(most / least < CARDS, "{here}");
        }
    });
    assert!(tiled > 5_000 && cards > 50, "{tiled} with tiles, {cards} cards");
    assert!(thin * 100 < tiled, "{thin} too thin, {tiled} others");
}

/// The front of a step: its level upper edge, as a height and the plane that it lies in.
struct Riser {
    top: f32,
    at: Vec3,
    normal: Vec3,
}

/// Polygons of a room with the plank texture, with their normals.
fn planks(cell: &Cell) -> Vec<(Vec3, Vec<(Vec3, Vec2)>)> {
    let plank = Material::all().position(|material| material == Material::Plank).unwrap();
    let plank = u16::try_from(0x0100 + plank).unwrap();
    let place = cell.record.surfaces.iter().position(|low| *low == plank);
    let shows = |polygon: &IndexedPolygon<'_>| {
        usize::try_from(polygon.front_surface).is_ok_and(|surface| Some(surface) == place)
    };
    let polygons = cell.structure.drawing.iter().filter(shows);
    let corners = polygons.filter_map(|polygon| pictured(&cell.structure.vertices, &polygon));
    let facing = |corners: Vec<(Vec3, Vec2)>| {
        let [a, b, c] = [0, 1, 2].map(|k: usize| corners[k].0);
        ((b - a).cross(c - a).normalize_or_zero(), corners)
    };
    corners.map(facing).collect()
}

/// Returns the distance of a texture coordinate from the nearest edge between boards, in boards.
fn off_edge(uv: Vec2) -> f32 {
    (uv.x * BOARDS - (uv.x * BOARDS).round()).abs()
}

/// Checks the steps of a room; returns their number.
fn check_steps(cell: &Cell) -> usize {
    let planks = planks(cell);
    let mut risers = Vec::new();
    for (normal, corners) in planks.iter().filter(|(normal, _)| normal.z.abs() < 1e-3) {
        let top = corners.iter().map(|(at, _)| at.z).fold(f32::MIN, f32::max);
        let edge: Vec<&(Vec3, Vec2)> = corners.iter().filter(|(at, _)| at.z > top - 1e-4).collect();
        for (at, uv) in &edge {
            assert!(off_edge(*uv) < 1e-2, "{}: a riser shows {uv} at {at}", cell.id);
        }
        risers.push(Riser { top, at: edge[0].0, normal: *normal });
    }
    let mut noses = 0;
    for (_, corners) in planks.iter().filter(|(normal, _)| normal.z > 0.999) {
        for riser in &risers {
            let lies_on = |(at, _): &&(Vec3, Vec2)| {
                (at.z - riser.top).abs() < 1e-4 && (*at - riser.at).dot(riser.normal).abs() < 1e-3
            };
            let edge: Vec<&(Vec3, Vec2)> = corners.iter().filter(lies_on).collect();
            noses += usize::from(edge.len() == 2);
            for (at, uv) in edge {
                assert!(off_edge(*uv) < 1e-2, "{}: a tread shows {uv} at {at}", cell.id);
            }
        }
    }
    noses
}

/// Regression: the boards of a tread continued over its edge and down the riser.
#[test]
fn no_board_continues_over_the_edge_of_a_step() {
    let world = builtin(SEED).unwrap();
    let cells = built::cells(&world);
    let is_stair = |name: &str| {
        ["inn stairs", "cellar steps", "steps"].contains(&name) || name.starts_with("turn ")
    };
    let named = rooms();
    let stairs = named.iter().filter(|room| is_stair(&room.name));
    let mut found = 0;
    for room in stairs {
        let cell = cells.iter().find(|cell| cell.id == room.cell).unwrap();
        let noses = check_steps(cell);
        assert!(room.name != "inn stairs" || noses == 13, "{noses} steps in the inn");
        found += noses;
    }
    assert!(found > 60, "{found} steps");
}
