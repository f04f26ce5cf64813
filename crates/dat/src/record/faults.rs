//! Faults of records that can be decoded: invalid indices.

use super::{
    AnyRecord, BspNode, BspTree, CellStructure, GfxObj, Polygons, RegionDesc, SetupRecord,
    VertexArray,
};

/// Rooms of a landblock: 0x0100 to 0xFFFD.
const MAX_CELLS: u32 = 0xFEFE;

/// A set of ids.
struct IdSet(Box<[u64; 1024]>);

impl IdSet {
    fn of(ids: impl Iterator<Item = u16>) -> Self {
        let mut bits = Box::new([0_u64; 1024]);
        ids.for_each(|id| bits[usize::from(id) >> 6] |= 1 << (id & 63));
        Self(bits)
    }

    fn has(&self, id: u16) -> bool {
        self.0[usize::from(id) >> 6] >> (id & 63) & 1 != 0
    }
}

impl AnyRecord {
    /// Reports all invalid indices in the record: vertices, polygons and parts that it refers to
    /// and does not have.
    pub fn faults(&self, found: &mut dyn FnMut(String)) {
        match self {
            Self::GfxObj(model) => gfx_obj(model, found),
            Self::Environment(environment) => {
                for structure in &environment.structures {
                    let id = structure.id;
                    cell_structure(structure, &mut |fault| {
                        found(format!("structure {id}: {fault}"));
                    });
                }
            }
            Self::LandBlockInfo(info) if info.cells > MAX_CELLS => {
                found(format!("{} cells, a landblock has room for {MAX_CELLS}", info.cells));
            }
            Self::Setup(setup) => self::setup(setup, found),
            Self::Region(region) => self::region(region, found),
            _ => {}
        }
    }
}

fn gfx_obj(model: &GfxObj, found: &mut dyn FnMut(String)) {
    let surfaces = Some(model.surfaces.len());
    for (name, mesh) in [("physics", &model.physics), ("drawing", &model.drawing)] {
        if let Some(mesh) = mesh {
            let mut found = |fault| found(format!("{name} {fault}"));
            polygons(&mesh.polygons, &model.vertices, surfaces, &mut found);
            // The portals of a shell are those of the building that uses it.
            tree(&mesh.tree, &mesh.polygons, None, &mut found);
        }
    }
}

fn cell_structure(structure: &CellStructure, found: &mut dyn FnMut(String)) {
    let trees = [
        ("cell", Some(&structure.cell_tree), &structure.drawing),
        ("physics", Some(&structure.physics_tree), &structure.physics),
        ("drawing", structure.drawing_tree.as_ref(), &structure.drawing),
    ];
    for (name, list) in [("physics", &structure.physics), ("drawing", &structure.drawing)] {
        let mut found = |fault| found(format!("{name} {fault}"));
        polygons(list, &structure.vertices, None, &mut found);
    }
    let openings = Some(structure.portals.len());
    for (name, tree, list) in trees {
        if let Some(tree) = tree {
            self::tree(tree, list, openings, &mut |fault| found(format!("{name} {fault}")));
        }
    }
    let ids = IdSet::of(structure.drawing.iter().map(|polygon| polygon.id));
    for portal in structure.portals.iter().filter(|portal| !ids.has(**portal)) {
        found(format!("portal list: no drawing polygon {portal}"));
    }
}

fn polygons(
    list: &Polygons,
    vertices: &VertexArray,
    surfaces: Option<usize>,
    found: &mut dyn FnMut(String),
) {
    let ids = IdSet::of(vertices.iter().map(|vertex| vertex.id));
    for polygon in list.iter() {
        let id = polygon.id;
        if polygon.vertex_ids.len() < 3 {
            found(format!(
                "polygon {id}: {} vertices, 3 or more expected",
                polygon.vertex_ids.len()
            ));
        }
        if let Some(vertex) = polygon.vertex_ids.iter().find(|vertex| !ids.has(**vertex)) {
            found(format!("polygon {id}: no vertex {vertex}"));
        }
        for index in [polygon.front_surface, polygon.back_surface] {
            let missing = |count: usize| usize::try_from(index).is_ok_and(|index| index >= count);
            if surfaces.is_some_and(missing) {
                found(format!("polygon {id}: no surface {index}"));
            }
        }
    }
}

fn tree(tree: &BspTree, list: &Polygons, openings: Option<usize>, found: &mut dyn FnMut(String)) {
    let ids = IdSet::of(list.iter().map(|polygon| polygon.id));
    for (index, node) in tree.iter().enumerate() {
        let (named, portals) = match node {
            BspNode::Leaf(leaf) => (leaf.polygons, &[][..]),
            BspNode::Split(split) => {
                if !split.tag.is_known() {
                    found(format!("tree node {index}: unknown tag {:?}", split.tag));
                }
                (split.polygons, split.portals)
            }
        };
        for portal in portals {
            if openings.is_some_and(|count| usize::from(portal.portal) >= count) {
                found(format!("tree node {index}: no portal {}", portal.portal));
            }
        }
        let named = named.iter().copied().chain(portals.iter().map(|portal| portal.polygon));
        for polygon in named.filter(|polygon| !ids.has(*polygon)) {
            found(format!("tree node {index}: no polygon {polygon}"));
        }
    }
}

fn setup(setup: &SetupRecord, found: &mut dyn FnMut(String)) {
    let parts = setup.parts.len();
    for location in setup.holding_locations.iter().chain(&setup.connection_points) {
        // -1 stands for the whole object.
        if location.part != u32::MAX && location.part as usize >= parts {
            found(format!("location {}: no part {}", location.key, location.part));
        }
    }
}

fn region(region: &RegionDesc, found: &mut dyn FnMut(String)) {
    let missing =
        |index: i32, count: usize| usize::try_from(index).is_ok_and(|index| index >= count);
    let scenes = region.scene_types.as_ref().map_or(0, Vec::len);
    for (index, kind) in region.terrain.types.iter().enumerate() {
        for scene in kind.scene_types.iter().filter(|scene| missing(**scene, scenes)) {
            found(format!("terrain type {index}: no scene type {scene}"));
        }
    }
    let sounds = region.sounds.as_ref().map_or(0, Vec::len);
    for (index, scene) in region.scene_types.iter().flatten().enumerate() {
        if missing(scene.sounds, sounds) {
            found(format!("scene type {index}: no sounds {}", scene.sounds));
        }
    }
}
