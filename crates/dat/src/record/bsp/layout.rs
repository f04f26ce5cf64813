//! Reads and writes BSP trees.

use threshold_land::Sphere;

use super::{
    Bounds, BspLeaf, BspNode, BspSplit, BspTag, BspTree, NONE, NodeEntry, PortalPolygon, TreeKind,
    index,
};
use crate::error::EncodeError;
use crate::reader::{Reader, Result};
use crate::writer::{WriteResult, Writer};

/// What remains to be read: a node and its parent link, or the end of a node.
enum ReadTask {
    Node(Link),
    Tail(u32),
}

#[derive(Clone, Copy)]
enum Link {
    Root,
    Positive(u32),
    Negative(u32),
}

impl BspTree {
    /// Reads a whole tree without recursion: a file can nest it as deep as it is long.
    pub(crate) fn read(reader: &mut Reader<'_>, kind: TreeKind) -> Result<Self> {
        let mut tree = Self::default();
        let mut pending = vec![ReadTask::Node(Link::Root)];
        while let Some(next) = pending.pop() {
            match next {
                ReadTask::Node(link) => {
                    let tag = BspTag(reader.u32()?);
                    let at = if tag == BspTag::LEAF {
                        tree.read_leaf(reader, kind)?
                    } else {
                        tree.read_head(reader, tag, &mut pending)?
                    };
                    tree.link(link, at);
                }
                ReadTask::Tail(at) => tree.read_tail(reader, kind, at)?,
            }
        }
        // Most trees are small, and there are many of them.
        tree.nodes.shrink_to_fit();
        if let Some(lists) = &mut tree.lists {
            lists.bounds.shrink_to_fit();
            lists.polygon_ids.shrink_to_fit();
        }
        Ok(tree)
    }

    fn link(&mut self, link: Link, child: u32) {
        let (parent, front) = match link {
            Link::Root => return self.root = child,
            Link::Positive(parent) => (parent, true),
            Link::Negative(parent) => (parent, false),
        };
        if let NodeEntry::Split { positive, negative, .. } = &mut self.nodes[parent as usize] {
            *if front { positive } else { negative } = child;
        }
    }

    fn read_leaf(&mut self, reader: &mut Reader<'_>, kind: TreeKind) -> Result<u32> {
        let number = reader.i32()?;
        let (solid, bounds) = if kind == TreeKind::Physics {
            let solid = reader.i32()?;
            let sphere = reader.sphere()?;
            let count = reader.count("polygons of a leaf", 2)?;
            (solid, self.read_bounds(reader, sphere, count, 0)?)
        } else {
            (0, NONE)
        };
        self.nodes.push(NodeEntry::Leaf { index: number, solid, bounds });
        Ok(index(self.nodes.len() - 1))
    }

    fn read_head(
        &mut self,
        reader: &mut Reader<'_>,
        tag: BspTag,
        pending: &mut Vec<ReadTask>,
    ) -> Result<u32> {
        let plane = reader.plane()?;
        let at = index(self.nodes.len());
        self.nodes.push(NodeEntry::Split {
            tag,
            plane,
            positive: NONE,
            negative: NONE,
            bounds: NONE,
        });
        // The last one pushed is read first: positive child, negative child, tail.
        pending.push(ReadTask::Tail(at));
        if tag.has_negative() {
            pending.push(ReadTask::Node(Link::Negative(at)));
        }
        if tag.has_positive() {
            pending.push(ReadTask::Node(Link::Positive(at)));
        }
        Ok(at)
    }

    fn read_tail(&mut self, reader: &mut Reader<'_>, kind: TreeKind, at: u32) -> Result<()> {
        let NodeEntry::Split { tag, .. } = self.nodes[at as usize] else {
            return Ok(());
        };
        let read = match (kind, tag) {
            (TreeKind::Cell, _) => return Ok(()),
            (TreeKind::Physics, BspTag::PORT) => return Ok(()),
            (TreeKind::Physics, _) => {
                let sphere = reader.sphere()?;
                self.read_bounds(reader, sphere, 0, 0)?
            }
            (TreeKind::Drawing, _) => {
                let sphere = reader.sphere()?;
                let polygons = reader.count("polygons of a node", 2)?;
                let portals =
                    if tag == BspTag::PORT { reader.count("portals of a node", 4)? } else { 0 };
                self.read_bounds(reader, sphere, polygons, portals)?
            }
        };
        if let NodeEntry::Split { bounds, .. } = &mut self.nodes[at as usize] {
            *bounds = read;
        }
        Ok(())
    }

    fn read_bounds(
        &mut self,
        reader: &mut Reader<'_>,
        sphere: Sphere,
        polygons: usize,
        portals: usize,
    ) -> Result<u32> {
        let lists = self.lists.get_or_insert_default();
        lists.bounds.push(Bounds {
            sphere,
            polygons: (index(lists.polygon_ids.len()), index(polygons)),
            portals: (index(lists.portals.len()), index(portals)),
        });
        lists.polygon_ids.extend(reader.words(polygons)?);
        for _ in 0..portals {
            lists.portals.push(PortalPolygon { polygon: reader.u16()?, portal: reader.u16()? });
        }
        Ok(index(lists.bounds.len() - 1))
    }

    pub(crate) fn write(&self, writer: &mut Writer, kind: TreeKind) -> WriteResult {
        let mut written = vec![false; self.nodes.len()];
        let mut pending = vec![(self.root, false)];
        while let Some((at, tail)) = pending.pop() {
            let node = self.get(at).ok_or(EncodeError::Tree(at))?;
            match node {
                BspNode::Split(split) if tail => write_tail(writer, kind, &split)?,
                _ if std::mem::replace(&mut written[at as usize], true) => {
                    return Err(EncodeError::Tree(at));
                }
                BspNode::Leaf(leaf) => write_leaf(writer, kind, &leaf)?,
                BspNode::Split(split) => {
                    writer.u32(split.tag.0);
                    writer.plane(&split.plane);
                    pending.push((at, true));
                    let children = [
                        (split.tag.has_negative(), split.negative),
                        (split.tag.has_positive(), split.positive),
                    ];
                    for (expected, child) in children {
                        if expected != child.is_some() {
                            return Err(EncodeError::Tree(at));
                        }
                        pending.extend(child.map(|child| (child, false)));
                    }
                }
            }
        }
        Ok(())
    }
}

fn write_leaf(writer: &mut Writer, kind: TreeKind, leaf: &BspLeaf<'_>) -> WriteResult {
    writer.u32(BspTag::LEAF.0);
    writer.i32(leaf.index);
    if kind == TreeKind::Physics {
        writer.i32(leaf.solid);
        write_sphere(writer, leaf.sphere);
        writer.count("polygons of a leaf", leaf.polygons.len())?;
        writer.words(leaf.polygons);
    }
    Ok(())
}

fn write_tail(writer: &mut Writer, kind: TreeKind, split: &BspSplit<'_>) -> WriteResult {
    match (kind, split.tag) {
        (TreeKind::Cell, _) | (TreeKind::Physics, BspTag::PORT) => {}
        (TreeKind::Physics, _) => write_sphere(writer, split.sphere),
        (TreeKind::Drawing, tag) => {
            write_sphere(writer, split.sphere);
            writer.count("polygons of a node", split.polygons.len())?;
            if tag == BspTag::PORT {
                writer.count("portals of a node", split.portals.len())?;
            }
            writer.words(split.polygons);
            for portal in split.portals {
                writer.u16(portal.polygon);
                writer.u16(portal.portal);
            }
        }
    }
    Ok(())
}

fn write_sphere(writer: &mut Writer, sphere: Option<Sphere>) {
    writer.sphere(&sphere.unwrap_or(Sphere::new(threshold_land::vector::Vec3::ZERO, 0.0)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_land::Plane;
    use threshold_land::vector::Vec3;

    fn leaf(index: i32) -> BspNode<'static> {
        BspNode::Leaf(BspLeaf { index, solid: 0, sphere: None, polygons: &[] })
    }

    fn encode(tree: &BspTree, kind: TreeKind) -> Vec<u8> {
        let mut writer = Writer::new();
        tree.write(&mut writer, kind).unwrap();
        writer.into_bytes()
    }

    #[test]
    fn golden_leaves() {
        let mut tree = BspTree::default();
        tree.push(leaf(5));
        let want = [0x46, 0x41, 0x45, 0x4C, 5, 0, 0, 0];
        assert_eq!(encode(&tree, TreeKind::Drawing), want);
        assert_eq!(BspTree::read(&mut Reader::new(&want), TreeKind::Drawing).unwrap(), tree);

        let mut tree = BspTree::default();
        let sphere = Some(Sphere::new(Vec3::ZERO, 0.0));
        tree.push(BspNode::Leaf(BspLeaf { index: 0, solid: 1, sphere, polygons: &[] }));
        let mut want = vec![0x46, 0x41, 0x45, 0x4C, 0, 0, 0, 0, 1, 0, 0, 0];
        want.extend([0; 20]);
        assert_eq!(encode(&tree, TreeKind::Physics), want);
        assert_eq!(BspTree::read(&mut Reader::new(&want), TreeKind::Physics).unwrap(), tree);
    }

    fn port_tree() -> BspTree {
        let mut tree = BspTree::default();
        let (front, behind) = (tree.push(leaf(0)), tree.push(leaf(1)));
        let root = tree.push(BspNode::Split(BspSplit {
            tag: BspTag::PORT,
            plane: Plane { normal: Vec3::X, d: -1.0 },
            positive: Some(front),
            negative: Some(behind),
            sphere: Some(Sphere::new(Vec3::ONE, 2.0)),
            polygons: &[7, 8],
            portals: &[PortalPolygon { polygon: 9, portal: 1 }],
        }));
        tree.set_root(root);
        tree
    }

    #[test]
    fn a_portal_entry_is_polygon_then_portal_index() {
        let bytes = encode(&port_tree(), TreeKind::Drawing);
        // Tag, plane, two leaves, sphere, both counts, two polygons, then the portal.
        assert_eq!(bytes.len(), 4 + 16 + 16 + 16 + 8 + 4 + 4);
        assert_eq!(bytes[bytes.len() - 4..], [9, 0, 1, 0]);
        let back = BspTree::read(&mut Reader::new(&bytes), TreeKind::Drawing).unwrap();
        assert_eq!(encode(&back, TreeKind::Drawing), bytes);
        assert_eq!(back.root(), 0, "the root of a tree that was read is its first node");
    }

    #[test]
    fn every_tag_has_the_children_of_its_letters() {
        for (positive, negative) in [(true, false), (false, true), (true, true), (false, false)] {
            for polygons in [true, false] {
                let tag = BspTag::split(positive, negative, polygons);
                assert!(tag.is_known(), "{tag:?}");
                assert_eq!(
                    (tag.has_positive(), tag.has_negative()),
                    (positive, negative),
                    "{tag:?}"
                );
            }
        }
        assert!(!BspTag(0x1234_5678).is_known());
    }

    #[test]
    fn a_tree_as_deep_as_its_record_is_long_can_be_read_and_written() {
        let mut bytes = Vec::new();
        let depth = 100_000;
        for _ in 0..depth {
            bytes.extend(BspTag::split(true, false, false).0.to_le_bytes());
            bytes.extend([0; 16]);
        }
        bytes.extend(BspTag::LEAF.0.to_le_bytes());
        bytes.extend([0; 4]);
        let tree = BspTree::read(&mut Reader::new(&bytes), TreeKind::Cell).unwrap();
        assert_eq!(tree.len(), depth + 1);
        assert_eq!(encode(&tree, TreeKind::Cell), bytes);
    }

    #[test]
    fn a_cyclic_tree_cannot_be_written() {
        let mut tree = BspTree::default();
        tree.push(BspNode::Split(BspSplit {
            tag: BspTag::split(true, false, false),
            plane: Plane { normal: Vec3::X, d: 0.0 },
            positive: Some(0),
            negative: None,
            sphere: None,
            polygons: &[],
            portals: &[],
        }));
        let error = tree.write(&mut Writer::new(), TreeKind::Cell).unwrap_err();
        assert_eq!(error, EncodeError::Tree(0));
    }
}
