//! BSP trees as stored.
//!
//! Three kinds share one file layout; the kind of a tree follows from its place in the record.
//! Nodes are kept in a flat array and refer to each other by index.

mod layout;

use serde::{Serialize, Serializer};
use threshold_land::{Plane, Sphere};

/// The purpose of a tree, which decides the stored fields of its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeKind {
    /// Containment in a room. Retail: `CELLBSP`.
    Cell,
    /// Collision.
    Physics,
    /// Drawing order.
    Drawing,
}

/// The tag of a node: four letters, stored as a number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BspTag(pub u32);

impl BspTag {
    /// A leaf.
    pub const LEAF: Self = Self(u32::from_be_bytes(*b"LEAF"));
    /// A node with portals.
    pub const PORT: Self = Self(u32::from_be_bytes(*b"PORT"));

    /// Returns the tag of an ordinary node: which children it has, and whether it lists polygons.
    pub fn split(positive: bool, negative: bool, polygons: bool) -> Self {
        Self(u32::from_be_bytes(match (positive, negative, polygons) {
            (true, false, false) => *b"BPnn",
            (true, false, true) => *b"BPIn",
            (false, true, false) => *b"BpnN",
            (false, true, true) => *b"BpIN",
            (true, true, false) => *b"BPnN",
            (true, true, true) => *b"BPIN",
            (false, false, true) => *b"BPOL",
            (false, false, false) => *b"BPFL",
        }))
    }

    /// Returns whether the format defines the tag.
    pub fn is_known(self) -> bool {
        const KNOWN: [&[u8; 4]; 10] = [
            b"LEAF", b"PORT", b"BPnn", b"BPIn", b"BpnN", b"BpIN", b"BPnN", b"BPIN", b"BPOL",
            b"BPFL",
        ];
        KNOWN.contains(&&self.0.to_be_bytes())
    }

    fn has_positive(self) -> bool {
        matches!(&self.0.to_be_bytes(), b"PORT" | b"BPnn" | b"BPIn" | b"BPnN" | b"BPIN")
    }

    fn has_negative(self) -> bool {
        matches!(&self.0.to_be_bytes(), b"PORT" | b"BpnN" | b"BpIN" | b"BPnN" | b"BPIN")
    }
}

impl std::fmt::Debug for BspTag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.to_be_bytes().escape_ascii())
    }
}

impl Serialize for BspTag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{self:?}"))
    }
}

/// A tree of any kind. Retail: `BSPTREE`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BspTree {
    nodes: Vec<NodeEntry>,
    root: u32,
    /// `None` for cell trees, which have no lists.
    lists: Option<Box<NodeLists>>,
}

/// The data that only some nodes have, stored apart to keep nodes small.
#[derive(Clone, Debug, Default, PartialEq)]
struct NodeLists {
    bounds: Vec<Bounds>,
    polygon_ids: Vec<u16>,
    portals: Vec<PortalPolygon>,
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq)]
enum NodeEntry {
    Leaf { index: i32, solid: i32, bounds: u32 },
    Split { tag: BspTag, plane: Plane, positive: u32, negative: u32, bounds: u32 },
}

/// The sphere of a node, and the ranges of its lists in the shared arrays.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounds {
    sphere: Sphere,
    polygons: (u32, u32),
    portals: (u32, u32),
}

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "node", rename_all = "snake_case")]
pub enum BspNode<'a> {
    /// A leaf.
    Leaf(BspLeaf<'a>),
    /// A node with a plane.
    Split(BspSplit<'a>),
}

/// A leaf. Retail: `BSPLEAF`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BspLeaf<'a> {
    /// Its number.
    pub index: i32,
    /// Not 0 if the leaf is solid; physics trees only.
    pub solid: i32,
    /// Sphere around its polygons; physics trees only, and meaningless without polygons.
    pub sphere: Option<Sphere>,
    /// Ids of its polygons; physics trees only.
    pub polygons: &'a [u16],
}

/// A node with a plane. Retail: `BSPNODE`, `BSPPORTAL`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BspSplit<'a> {
    /// Defines which children follow in the file.
    pub tag: BspTag,
    /// The dividing plane. Meaningless in a `BPOL` node.
    pub plane: Plane,
    /// Index of the node in front.
    pub positive: Option<u32>,
    /// Index of the node behind.
    pub negative: Option<u32>,
    /// Sphere around everything below; not in cell trees.
    pub sphere: Option<Sphere>,
    /// Ids of the polygons in the plane; drawing trees only.
    pub polygons: &'a [u16],
    /// Portals in the plane; `PORT` nodes of drawing trees only.
    pub portals: &'a [PortalPolygon],
}

/// A portal: its polygon, and its index in the portal list of the building or room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PortalPolygon {
    /// Id of a drawn polygon.
    pub polygon: u16,
    /// Index into the portal list.
    pub portal: u16,
}

impl BspTree {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there are no nodes; files cannot hold such a tree.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Index of the root.
    pub fn root(&self) -> u32 {
        self.root
    }

    /// Makes node `index` the root.
    pub fn set_root(&mut self, index: u32) {
        self.root = index;
    }

    /// Returns the node at an index.
    pub fn get(&self, index: u32) -> Option<BspNode<'_>> {
        self.nodes.get(index as usize).map(|stored| self.view(stored))
    }

    /// All nodes, by index.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = BspNode<'_>> {
        self.nodes.iter().map(|stored| self.view(stored))
    }

    /// Appends a node and returns its index. Children may be appended before or after it.
    pub fn push(&mut self, node: BspNode<'_>) -> u32 {
        let stored = match node {
            BspNode::Leaf(leaf) => NodeEntry::Leaf {
                index: leaf.index,
                solid: leaf.solid,
                bounds: self.push_bounds(leaf.sphere, leaf.polygons, &[]),
            },
            BspNode::Split(split) => NodeEntry::Split {
                tag: split.tag,
                plane: split.plane,
                positive: split.positive.unwrap_or(NONE),
                negative: split.negative.unwrap_or(NONE),
                bounds: self.push_bounds(split.sphere, split.polygons, split.portals),
            },
        };
        self.nodes.push(stored);
        index(self.nodes.len() - 1)
    }

    fn push_bounds(
        &mut self,
        sphere: Option<Sphere>,
        polygons: &[u16],
        portals: &[PortalPolygon],
    ) -> u32 {
        if sphere.is_none() && polygons.is_empty() && portals.is_empty() {
            return NONE;
        }
        let lists = self.lists.get_or_insert_default();
        lists.bounds.push(Bounds {
            sphere: sphere.unwrap_or(Sphere::new(threshold_land::vector::Vec3::ZERO, 0.0)),
            polygons: (index(lists.polygon_ids.len()), index(polygons.len())),
            portals: (index(lists.portals.len()), index(portals.len())),
        });
        lists.polygon_ids.extend_from_slice(polygons);
        lists.portals.extend_from_slice(portals);
        index(lists.bounds.len() - 1)
    }

    fn view(&self, stored: &NodeEntry) -> BspNode<'_> {
        let child = |index: u32| (index != NONE).then_some(index);
        match *stored {
            NodeEntry::Leaf { index, solid, bounds } => {
                let (sphere, polygons, _) = self.view_bounds(bounds);
                BspNode::Leaf(BspLeaf { index, solid, sphere, polygons })
            }
            NodeEntry::Split { tag, plane, positive, negative, bounds } => {
                let (sphere, polygons, portals) = self.view_bounds(bounds);
                let (positive, negative) = (child(positive), child(negative));
                BspNode::Split(BspSplit {
                    tag,
                    plane,
                    positive,
                    negative,
                    sphere,
                    polygons,
                    portals,
                })
            }
        }
    }

    fn view_bounds(&self, index: u32) -> (Option<Sphere>, &[u16], &[PortalPolygon]) {
        let lists = self.lists.as_deref();
        let found = lists.and_then(|lists| Some((lists, lists.bounds.get(index as usize)?)));
        let Some((lists, bounds)) = found else { return (None, &[], &[]) };
        let range = |(first, count): (u32, u32)| first as usize..(first + count) as usize;
        let polygons = &lists.polygon_ids[range(bounds.polygons)];
        (Some(bounds.sphere), polygons, &lists.portals[range(bounds.portals)])
    }
}

/// The arrays are filled from records below 2^31 bytes or by code; none reaches 2^32.
fn index(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(NONE)
}

impl Serialize for BspTree {
    /// Serialises a flat list of nodes: a nested form could become as deep as a hostile file wants.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut out = serializer.serialize_struct("BspTree", 2)?;
        out.serialize_field("root", &self.root)?;
        out.serialize_field("nodes", &self.iter().collect::<Vec<_>>())?;
        out.end()
    }
}
