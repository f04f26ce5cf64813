//! Binary part of a file: vertex data by kind, then images; and the GLB container.

use super::json::{Accessor, Buffer, BufferView, Root};
use super::mesh::Corner;

const FLOAT: u32 = 5126;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// Buffer views of vertex data, in order; images follow.
const POSITIONS: usize = 0;
const NORMALS: usize = 1;
const UVS: usize = 2;
const INDICES: usize = 3;
const LONG_INDICES: usize = 4;
const COLOURS: usize = 5;
const VERTEX_VIEWS: usize = 6;

/// Accessors of a mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeshAccessors {
    pub(super) positions: usize,
    pub(super) normals: usize,
    pub(super) uvs: usize,
    pub(super) indices: usize,
}

/// The binary data so far.
#[derive(Debug, Default)]
pub(super) struct Binary {
    vertex_data: [Vec<u8>; VERTEX_VIEWS],
    images: Vec<Vec<u8>>,
    pub(super) accessors: Vec<Accessor>,
}

impl Binary {
    /// Adds a PNG image; returns the index of its view.
    pub(super) fn add_image(&mut self, png: Vec<u8>) -> usize {
        self.images.push(png);
        VERTEX_VIEWS + self.images.len() - 1
    }

    /// Adds an indexed triangle list.
    pub(super) fn add_triangles(&mut self, corners: &[Corner], indices: &[u32]) -> MeshAccessors {
        let positions = self.add_positions(corners.iter().map(|corner| corner.position));
        let normals = corners.iter().flat_map(|corner| corner.normal);
        let normals = self.add_floats(NORMALS, "VEC3", normals, corners.len(), None);
        let uvs = corners.iter().flat_map(|corner| corner.uv);
        let uvs = self.add_floats(UVS, "VEC2", uvs, corners.len(), None);
        MeshAccessors { positions, normals, uvs, indices: self.add_indices(indices) }
    }

    /// Adds coloured vertices without indices; returns the accessors of positions and colours.
    pub(super) fn add_coloured(
        &mut self,
        positions: &[[f32; 3]],
        colours: &[[f32; 3]],
    ) -> (usize, usize) {
        let count = colours.len();
        let positions = self.add_positions(positions.iter().copied());
        let colours = colours.iter().copied().flatten();
        (positions, self.add_floats(COLOURS, "VEC3", colours, count, None))
    }

    /// Adds positions with their bounds, as the format requires.
    fn add_positions(&mut self, all: impl ExactSizeIterator<Item = [f32; 3]> + Clone) -> usize {
        let fold = |pick: fn(f32, f32) -> f32, start: f32| {
            all.clone().fold([start; 3], |bound, position| {
                std::array::from_fn(|axis| pick(bound[axis], position[axis]))
            })
        };
        let range = Some((fold(f32::min, f32::INFINITY), fold(f32::max, f32::NEG_INFINITY)));
        self.add_floats(POSITIONS, "VEC3", all.clone().flatten(), all.len(), range)
    }

    fn add_floats(
        &mut self,
        view: usize,
        shape: &'static str,
        numbers: impl Iterator<Item = f32>,
        count: usize,
        range: Option<([f32; 3], [f32; 3])>,
    ) -> usize {
        let byte_offset = self.vertex_data[view].len();
        self.vertex_data[view].extend(numbers.flat_map(f32::to_le_bytes));
        let (min, max) = range.unzip();
        let component_type = FLOAT;
        self.add_accessor(Accessor {
            buffer_view: view,
            byte_offset,
            component_type,
            count,
            shape,
            min,
            max,
        })
    }

    /// Adds indices, of 16 bits where possible; 0xFFFF is reserved by the format.
    fn add_indices(&mut self, indices: &[u32]) -> usize {
        let short = |index: &u32| u16::try_from(*index).ok().filter(|index| *index < u16::MAX);
        let shorts: Option<Vec<u16>> = indices.iter().map(short).collect();
        let (view, component_type) = match shorts {
            Some(_) => (INDICES, UNSIGNED_SHORT),
            None => (LONG_INDICES, UNSIGNED_INT),
        };
        let bytes = &mut self.vertex_data[view];
        let byte_offset = bytes.len();
        match shorts {
            Some(shorts) => bytes.extend(shorts.into_iter().flat_map(u16::to_le_bytes)),
            None => bytes.extend(indices.iter().flat_map(|index| index.to_le_bytes())),
        }
        self.add_accessor(Accessor {
            buffer_view: view,
            byte_offset,
            component_type,
            count: indices.len(),
            shape: "SCALAR",
            min: None,
            max: None,
        })
    }

    fn add_accessor(&mut self, accessor: Accessor) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Concatenates all data in one buffer, and adds views and accessors to `root`. Empty views are left out.
    pub(super) fn lay_out(self, root: &mut Root) -> Vec<u8> {
        let [stride3, stride2] = [Some(12), Some(8)];
        let kinds = [
            (stride3, ARRAY_BUFFER),
            (stride3, ARRAY_BUFFER),
            (stride2, ARRAY_BUFFER),
            (None, ELEMENT_ARRAY_BUFFER),
            (None, ELEMENT_ARRAY_BUFFER),
            (stride3, ARRAY_BUFFER),
        ];
        let vertex_data = self.vertex_data.into_iter().zip(kinds);
        let vertex_data =
            vertex_data.map(|(bytes, (stride, target))| (bytes, stride, Some(target)));
        let images = self.images.into_iter().map(|bytes| (bytes, None, None));
        let (mut buffer, mut places) = (Vec::new(), Vec::new());
        for (bytes, byte_stride, target) in vertex_data.chain(images) {
            places.push(root.buffer_views.len());
            if bytes.is_empty() {
                continue;
            }
            pad(&mut buffer, 0);
            let (byte_offset, byte_length) = (buffer.len(), bytes.len());
            buffer.extend(bytes);
            let view = BufferView { buffer: 0, byte_offset, byte_length, byte_stride, target };
            root.buffer_views.push(view);
        }
        pad(&mut buffer, 0);
        root.accessors = self.accessors;
        for accessor in &mut root.accessors {
            accessor.buffer_view = places[accessor.buffer_view];
        }
        for image in &mut root.images {
            image.buffer_view = places[image.buffer_view];
        }
        if !buffer.is_empty() {
            root.buffers.push(Buffer { byte_length: buffer.len() });
        }
        buffer
    }
}

/// Pads a chunk to a multiple of four bytes.
fn pad(bytes: &mut Vec<u8>, with: u8) {
    bytes.resize(bytes.len().next_multiple_of(4), with);
}

/// Builds the GLB container: header, JSON chunk, binary chunk. `None` if it would exceed 4 GiB.
pub(super) fn container(mut json: Vec<u8>, buffer: &[u8]) -> Option<Vec<u8>> {
    pad(&mut json, b' ');
    let chunk = |bytes: usize| if bytes == 0 { 0 } else { 8 + bytes };
    let length = 12 + chunk(json.len()) + chunk(buffer.len());
    let mut file = Vec::with_capacity(length);
    file.extend(b"glTF");
    file.extend(2_u32.to_le_bytes());
    file.extend(u32::try_from(length).ok()?.to_le_bytes());
    for (kind, bytes) in [(b"JSON", &json[..]), (b"BIN\0", buffer)] {
        if !bytes.is_empty() {
            file.extend(u32::try_from(bytes.len()).ok()?.to_le_bytes());
            file.extend(kind);
            file.extend(bytes);
        }
    }
    Some(file)
}
