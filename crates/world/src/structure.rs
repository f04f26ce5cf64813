//! The structure of a room.

use threshold_dat::{self as dat, BspNode, BspTree, Polygons, RecordId, VertexArray};
use threshold_geom::{CellTree, PhysicsNode, PhysicsTree, PolygonSet, Sides};
use threshold_land::{Plane, Sphere, vector::Vec3};

use crate::fault::Problem;
use crate::limits::{Item, RangeError, check_plane, check_point, check_sphere};

/// The shape of a room in the room's own frame, shared by rooms. Retail: `CCellStruct`.
#[derive(Clone, Debug)]
pub struct Structure {
    /// The inside of the room.
    pub cell_tree: CellTree,
    /// The polygons that block movers.
    pub physics: PhysicsTree,
    /// The drawn polygons, portals included, in file order.
    pub drawing: PolygonSet,
    drawing_ids: Ids,
}

/// Converts the ids that a file uses for the items of a list to indices.
#[derive(Clone, Debug)]
enum Ids {
    /// Ids equal indices, as in retail's files. Holds the number of items.
    Dense(usize),
    /// Ids and indices, sorted by id.
    Sorted(Box<[(u16, u32)]>),
}

impl Ids {
    fn new(ids: impl ExactSizeIterator<Item = u16> + Clone) -> Self {
        if ids.clone().enumerate().all(|(index, id)| index == usize::from(id)) {
            return Self::Dense(ids.len());
        }
        let mut sorted: Box<[(u16, u32)]> = ids.zip(0..).collect();
        sorted.sort_unstable();
        Self::Sorted(sorted)
    }

    /// Returns the index of the first item with an id.
    fn find(&self, id: u16) -> Option<u32> {
        match self {
            Self::Dense(count) => (usize::from(id) < *count).then_some(u32::from(id)),
            Self::Sorted(sorted) => {
                let first = sorted.partition_point(|(other, _)| *other < id);
                sorted.get(first).filter(|(other, _)| *other == id).map(|(_, place)| *place)
            }
        }
    }
}

impl Structure {
    pub(crate) fn new(environment: RecordId, record: &dat::CellStructure) -> Result<Self, Problem> {
        let (vertices, physics) = (&record.vertices, &record.physics);
        Ok(Self {
            cell_tree: cell_tree(environment, &record.cell_tree)?,
            physics: physics_tree(environment, vertices, physics, &record.physics_tree)?,
            drawing: polygon_set(environment, vertices, &record.drawing)?,
            drawing_ids: polygon_ids(&record.drawing),
        })
    }

    /// Returns the index of the drawing polygon with this id in the file.
    pub fn drawing_index(&self, id: u16) -> Option<u32> {
        self.drawing_ids.find(id)
    }

    /// Bytes allocated on the heap.
    pub fn heap_size(&self) -> usize {
        self.physics.heap_size()
            + self.drawing.heap_size()
            + size_of_val(self.cell_tree.planes())
            + match &self.drawing_ids {
                Ids::Dense(_) => 0,
                Ids::Sorted(sorted) => size_of_val(&sorted[..]),
            }
    }
}

/// Reads the chain of a cell tree. It ends at a leaf or a missing child; nodes on the other side of
/// the chain cannot be reached.
fn cell_tree(record: RecordId, tree: &BspTree) -> Result<CellTree, Problem> {
    let mut planes: Vec<Plane> = Vec::new();
    let mut next = Some(tree.root());
    // A chain longer than the number of nodes is a cycle.
    for _ in 0..tree.len() {
        match next.and_then(|index| tree.get(index)) {
            Some(BspNode::Split(split)) => {
                let item = Item::portal(record, "plane of the cell tree", planes.len());
                check_plane(&split.plane).map_err(|range| item.problem(range))?;
                planes.push(split.plane);
                next = split.positive;
            }
            _ => break,
        }
    }
    Ok(CellTree::new(planes))
}

/// Builds a physics tree with its polygons.
pub(crate) fn physics_tree(
    record: RecordId,
    vertices: &VertexArray,
    polygons: &Polygons,
    tree: &BspTree,
) -> Result<PhysicsTree, Problem> {
    let set = polygon_set(record, vertices, polygons)?;
    let ids = polygon_ids(polygons);
    let index = |id: &u16| {
        let missing = Problem::NoSuch { record, what: "physics polygon", number: u32::from(*id) };
        ids.find(*id).ok_or(missing)
    };
    let no_sphere = Sphere::new(Vec3::ZERO, 0.0);
    let node = |node: BspNode<'_>| {
        Ok(match node {
            BspNode::Leaf(leaf) => PhysicsNode::Leaf {
                solid: leaf.solid != 0,
                sphere: leaf.sphere.unwrap_or(no_sphere),
                polygons: leaf.polygons.iter().map(index).collect::<Result<_, _>>()?,
            },
            BspNode::Split(split) => PhysicsNode::Split {
                plane: split.plane,
                sphere: split.sphere.unwrap_or(no_sphere),
                positive: split.positive,
                negative: split.negative,
            },
        })
    };
    let nodes: Vec<PhysicsNode> = tree.iter().map(node).collect::<Result<_, Problem>>()?;
    for (number, node) in nodes.iter().enumerate() {
        let item = Item::portal(record, "physics tree node", number);
        check_node(node).map_err(|range| item.problem(range))?;
    }
    PhysicsTree::build(set, &nodes, tree.root()).map_err(|error| Problem::Tree { record, error })
}

/// Checks the numbers of a node that queries read. A leaf without polygons is never queried,
/// so its sphere may hold any numbers.
fn check_node(node: &PhysicsNode) -> Result<(), RangeError> {
    match node {
        PhysicsNode::Leaf { polygons, .. } if polygons.is_empty() => Ok(()),
        PhysicsNode::Leaf { sphere, .. } => check_sphere(sphere),
        PhysicsNode::Split { plane, sphere, .. } => {
            check_plane(plane)?;
            check_sphere(sphere)
        }
    }
}

fn polygon_ids(polygons: &Polygons) -> Ids {
    Ids::new(polygons.iter().map(|polygon| polygon.id).collect::<Vec<_>>().into_iter())
}

fn polygon_set(
    record: RecordId,
    vertices: &VertexArray,
    polygons: &Polygons,
) -> Result<PolygonSet, Problem> {
    let corners = polygons.iter().map(|polygon| polygon.vertex_ids.len()).sum();
    let mut set = PolygonSet::with_capacity(polygons.len(), corners);
    let ids = Ids::new(vertices.iter().map(|vertex| vertex.id).collect::<Vec<_>>().into_iter());
    let position = |id: u16| {
        let vertex = ids.find(id).and_then(|place| vertices.get(place as usize));
        let missing = Problem::NoSuch { record, what: "vertex", number: u32::from(id) };
        let at = vertex.map(|vertex| vertex.position).ok_or(missing)?;
        let item = Item::portal(record, "vertex", usize::from(id));
        check_point(at).map(|()| at).map_err(|range| item.problem(range))
    };
    let mut outline = Vec::new();
    for polygon in polygons.iter() {
        outline.clear();
        for id in polygon.vertex_ids {
            outline.push(position(*id)?);
        }
        set.push(outline.iter().copied(), sides(polygon.sides));
    }
    Ok(set)
}

fn sides(sides: dat::PolygonSides) -> Sides {
    match sides {
        dat::PolygonSides::DOUBLE => Sides::Double,
        dat::PolygonSides::TWO_SURFACES => Sides::TwoSurfaces,
        _ => Sides::Single,
    }
}
