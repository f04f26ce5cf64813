//! A strict reader of .glb files: checks every requirement of the format that applies to our files.

use glam::{Mat4, Quat, Vec2, Vec3};
use serde_json::Value;

/// A parsed file.
pub(crate) struct Glb {
    pub(crate) json: Value,
    pub(crate) buffer: Vec<u8>,
}

/// A corner of a triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    pub(crate) position: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) uv: Vec2,
}

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

impl Glb {
    /// Parses a file and checks all of it.
    #[track_caller]
    pub(crate) fn checked(bytes: &[u8]) -> Self {
        assert_eq!((&bytes[..4], number(bytes, 4)), (&b"glTF"[..], 2));
        assert_eq!(number(bytes, 8), bytes.len());
        let json = number(bytes, 12);
        assert_eq!((&bytes[16..20], json % 4), (&b"JSON"[..], 0));
        let binary = 20 + json;
        assert_eq!(&bytes[binary + 4..binary + 8], b"BIN\0");
        let buffer = bytes[binary + 8..].to_vec();
        assert_eq!((number(bytes, binary), buffer.len() % 4), (buffer.len(), 0));
        let glb = Self { json: serde_json::from_slice(&bytes[20..binary]).unwrap(), buffer };
        glb.check();
        glb
    }

    /// A list of the root.
    pub(crate) fn list(&self, name: &str) -> &[Value] {
        self.json[name].as_array().map_or(&[], Vec::as_slice)
    }

    pub(crate) fn node(&self, name: &str) -> &Value {
        self.list("nodes").iter().find(|node| node["name"] == name).expect(name)
    }

    /// The nodes of a kind.
    pub(crate) fn kind(&self, kind: &str) -> impl Iterator<Item = &Value> {
        self.list("nodes").iter().filter(move |node| node["extras"]["kind"] == kind)
    }

    fn check(&self) {
        let known = ["KHR_lights_punctual"];
        assert!(self.list("extensionsUsed").iter().all(|name| known.contains(&text(name))));
        self.check_views();
        self.check_nodes();
        self.check_materials();
        for mesh in 0..self.list("meshes").len() {
            let corners: Vec<Corner> = self.triangles(mesh).into_iter().flatten().collect();
            assert!(!corners.is_empty(), "mesh {mesh}");
            for corner in corners {
                let length = corner.normal.length();
                assert!((length - 1.0).abs() < 1e-4, "mesh {mesh}: a normal {length} long");
                assert!(corner.position.is_finite() && corner.uv.is_finite(), "mesh {mesh}");
            }
        }
    }

    /// Buffer views must be consecutive and aligned, and each accessor inside its view.
    fn check_views(&self) {
        let [buffer] = self.list("buffers") else { panic!("one buffer") };
        assert_eq!(index(&buffer["byteLength"]), self.buffer.len());
        let mut end = 0;
        for view in self.list("bufferViews") {
            let (offset, length) = (index(&view["byteOffset"]), index(&view["byteLength"]));
            assert!(offset >= end && offset % 4 == 0 && length > 0, "{view}");
            end = offset + length;
        }
        assert!(end <= self.buffer.len() && end + 4 > self.buffer.len());
        for accessor in self.list("accessors") {
            self.check_accessor(accessor);
        }
    }

    fn check_accessor(&self, accessor: &Value) {
        let view = &self.list("bufferViews")[index(&accessor["bufferView"])];
        let (size, target) = match (text(&accessor["type"]), index(&accessor["componentType"])) {
            ("VEC3", 5126) => (12, 34962),
            ("VEC2", 5126) => (8, 34962),
            ("SCALAR", 5123) => (2, 34963),
            ("SCALAR", 5125) => (4, 34963),
            other => panic!("{other:?}"),
        };
        let stride = view["byteStride"].as_u64().map_or(size, |_| index(&view["byteStride"]));
        let (offset, count) = (index(&accessor["byteOffset"]), index(&accessor["count"]));
        assert_eq!((stride, index(&view["target"])), (size, target), "{accessor}");
        assert!(count > 0 && offset % size.min(4) == 0, "{accessor}");
        assert!(offset + count * size <= index(&view["byteLength"]), "{accessor}");
        if !accessor["min"].is_null() {
            let points = self.vectors(accessor);
            let low = points.iter().copied().reduce(Vec3::min).unwrap();
            let high = points.iter().copied().reduce(Vec3::max).unwrap();
            assert_eq!((vector(&accessor["min"]), vector(&accessor["max"])), (low, high));
        }
    }

    /// Each node must have one parent, valid indices and a finite transform.
    fn check_nodes(&self) {
        let nodes = self.list("nodes");
        let mut parents = vec![0; nodes.len()];
        let [scene] = self.list("scenes") else { panic!("one scene") };
        let lists = nodes.iter().map(|node| &node["children"]).chain([&scene["nodes"]]);
        for child in lists.filter_map(Value::as_array).flatten() {
            parents[index(child)] += 1;
        }
        assert!(parents.iter().all(|count| *count == 1), "each node has one parent");
        let lights = &self.json["extensions"]["KHR_lights_punctual"]["lights"];
        let lights = lights.as_array().map_or(0, Vec::len);
        let mut used = vec![false; self.list("meshes").len()];
        for node in nodes {
            if !node["mesh"].is_null() {
                used[index(&node["mesh"])] = true;
            }
            let light = &node["extensions"]["KHR_lights_punctual"]["light"];
            assert!(light.is_null() || index(light) < lights, "{node}");
            assert!(transform(node).is_finite(), "{node}");
            assert!(!text(&node["name"]).is_empty());
        }
        assert!(used.into_iter().all(|used| used), "a mesh without a node");
    }

    fn check_materials(&self) {
        for material in self.list("materials") {
            let base = &material["pbrMetallicRoughness"];
            for info in [&base["baseColorTexture"], &material["emissiveTexture"]] {
                assert!(info.is_null() || index(&info["index"]) < self.list("textures").len());
            }
            let factor = base["baseColorFactor"].as_array().unwrap();
            assert!(factor.iter().all(|part| (0.0..=1.0).contains(&part.as_f64().unwrap())));
            let mode = material["alphaMode"].as_str();
            assert!(matches!(mode, None | Some("MASK" | "BLEND")), "{material}");
            assert_eq!(mode == Some("MASK"), !material["alphaCutoff"].is_null(), "{material}");
        }
        for texture in self.list("textures") {
            assert!(index(&texture["source"]) < self.list("images").len());
            assert!(index(&texture["sampler"]) < self.list("samplers").len());
        }
    }

    /// The triangles of a mesh.
    pub(crate) fn triangles(&self, mesh: usize) -> Vec<[Corner; 3]> {
        let mut out = Vec::new();
        for primitive in self.list("meshes")[mesh]["primitives"].as_array().unwrap() {
            assert!(index(&primitive["material"]) < self.list("materials").len());
            let accessor = |value: &Value| &self.list("accessors")[index(value)];
            let attributes = &primitive["attributes"];
            let positions = self.vectors(accessor(&attributes["POSITION"]));
            assert!(
                !accessor(&attributes["POSITION"])["min"].is_null(),
                "positions must have bounds"
            );
            let normals = self.vectors(accessor(&attributes["NORMAL"]));
            let uvs = self.floats(accessor(&attributes["TEXCOORD_0"]), 2);
            assert_eq!((normals.len(), uvs.len()), (positions.len(), positions.len()));
            let corner = |place: usize| Corner {
                position: positions[place],
                normal: normals[place],
                uv: Vec2::from_slice(&uvs[place]),
            };
            let indices = self.indices(accessor(&primitive["indices"]));
            assert_eq!(indices.len() % 3, 0);
            assert_eq!(indices.iter().max(), Some(&(positions.len() - 1)), "all corners are used");
            out.extend(indices.as_chunks::<3>().0.iter().map(|triangle| triangle.map(corner)));
        }
        out
    }

    fn bytes(&self, accessor: &Value) -> &[u8] {
        let view = &self.list("bufferViews")[index(&accessor["bufferView"])];
        &self.buffer[index(&view["byteOffset"]) + index(&accessor["byteOffset"])..]
    }

    fn indices(&self, accessor: &Value) -> Vec<usize> {
        let (bytes, count) = (self.bytes(accessor), index(&accessor["count"]));
        match index(&accessor["componentType"]) {
            5123 => {
                let pairs = bytes.as_chunks::<2>().0.iter().take(count);
                pairs.map(|pair| usize::from(u16::from_le_bytes(*pair))).collect()
            }
            _ => (0..count).map(|place| number(bytes, place * 4)).collect(),
        }
    }

    fn floats(&self, accessor: &Value, parts: usize) -> Vec<Vec<f32>> {
        let numbers = self.bytes(accessor).as_chunks::<4>().0.iter();
        let numbers = numbers.take(index(&accessor["count"]) * parts);
        let numbers: Vec<f32> = numbers.map(|bytes| f32::from_le_bytes(*bytes)).collect();
        numbers.chunks(parts).map(<[f32]>::to_vec).collect()
    }

    fn vectors(&self, accessor: &Value) -> Vec<Vec3> {
        self.floats(accessor, 3).iter().map(|parts| Vec3::from_slice(parts)).collect()
    }
}

/// The transform of a node in its parent.
pub(crate) fn transform(node: &Value) -> Mat4 {
    let parts = |name: &str| -> Option<Vec<f32>> {
        node[name].as_array().map(|parts| parts.iter().map(float).collect())
    };
    let rotation = parts("rotation").map_or(Quat::IDENTITY, |parts| Quat::from_slice(&parts));
    assert!((rotation.length() - 1.0).abs() < 1e-4, "{node}");
    let of = |name, other| parts(name).map_or(other, |parts| Vec3::from_slice(&parts));
    let (scale, translation) = (of("scale", Vec3::ONE), of("translation", Vec3::ZERO));
    Mat4::from_scale_rotation_translation(scale, rotation, translation)
}

pub(crate) fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap_or_else(|| panic!("{value} is no index"))).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

#[allow(clippy::cast_possible_truncation, reason = "it was written from single precision")]
fn float(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

fn vector(value: &Value) -> Vec3 {
    Vec3::from_slice(&value.as_array().unwrap().iter().map(float).collect::<Vec<_>>())
}
