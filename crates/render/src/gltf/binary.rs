//! The bytes of a file: numbers of a kind one after another, then pictures, and around them the container.

use super::json::{Accessor, Buffer, BufferView, Root};
use super::mesh::Corner;

const FLOAT: u32 = 5126;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// The views of the buffer that hold numbers, in their order; pictures follow.
const POSITIONS: usize = 0;
const NORMALS: usize = 1;
const UVS: usize = 2;
const INDICES: usize = 3;
const LONG_INDICES: usize = 4;
const NUMBERS: usize = 5;

/// What is written of a mesh, by the places of the accessors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub(super) positions: usize,
    pub(super) normals: usize,
    pub(super) uvs: usize,
    pub(super) indices: usize,
}

/// The bytes so far.
#[derive(Debug, Default)]
pub(super) struct Binary {
    numbers: [Vec<u8>; NUMBERS],
    pictures: Vec<Vec<u8>>,
    pub(super) accessors: Vec<Accessor>,
}

impl Binary {
    /// A picture as a PNG, and the place of its view once all is written.
    pub(super) fn add_picture(&mut self, png: Vec<u8>) -> usize {
        self.pictures.push(png);
        NUMBERS + self.pictures.len() - 1
    }

    /// The corners of triangles, and which of them each triangle has.
    pub(super) fn add_triangles(&mut self, corners: &[Corner], indices: &[u32]) -> Written {
        let fold = |pick: fn(f32, f32) -> f32, start: f32| {
            corners.iter().fold([start; 3], |most, corner| {
                std::array::from_fn(|axis| pick(most[axis], corner.position[axis]))
            })
        };
        let range = Some((fold(f32::min, f32::INFINITY), fold(f32::max, f32::NEG_INFINITY)));
        let positions = corners.iter().flat_map(|corner| corner.position);
        let positions = self.add_floats(POSITIONS, "VEC3", positions, corners.len(), range);
        let normals = corners.iter().flat_map(|corner| corner.normal);
        let normals = self.add_floats(NORMALS, "VEC3", normals, corners.len(), None);
        let uvs = corners.iter().flat_map(|corner| corner.uv);
        let uvs = self.add_floats(UVS, "VEC2", uvs, corners.len(), None);
        Written { positions, normals, uvs, indices: self.add_indices(indices) }
    }

    fn add_floats(
        &mut self,
        view: usize,
        shape: &'static str,
        numbers: impl Iterator<Item = f32>,
        count: usize,
        range: Option<([f32; 3], [f32; 3])>,
    ) -> usize {
        let byte_offset = self.numbers[view].len();
        self.numbers[view].extend(numbers.flat_map(f32::to_le_bytes));
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

    /// Short ones where they are enough; the largest short number is not allowed.
    fn add_indices(&mut self, indices: &[u32]) -> usize {
        let short = |index: &u32| u16::try_from(*index).ok().filter(|index| *index < u16::MAX);
        let shorts: Option<Vec<u16>> = indices.iter().map(short).collect();
        let (view, component_type) = match shorts {
            Some(_) => (INDICES, UNSIGNED_SHORT),
            None => (LONG_INDICES, UNSIGNED_INT),
        };
        let bytes = &mut self.numbers[view];
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

    /// All bytes in one buffer, and in `root` what lies where. Views that hold nothing are not there.
    pub(super) fn lay_out(self, root: &mut Root) -> Vec<u8> {
        let [stride3, stride2] = [Some(12), Some(8)];
        let kinds = [
            (stride3, ARRAY_BUFFER),
            (stride3, ARRAY_BUFFER),
            (stride2, ARRAY_BUFFER),
            (None, ELEMENT_ARRAY_BUFFER),
            (None, ELEMENT_ARRAY_BUFFER),
        ];
        let numbers = self.numbers.into_iter().zip(kinds);
        let numbers = numbers.map(|(bytes, (stride, target))| (bytes, stride, Some(target)));
        let pictures = self.pictures.into_iter().map(|bytes| (bytes, None, None));
        let (mut buffer, mut places) = (Vec::new(), Vec::new());
        for (bytes, byte_stride, target) in numbers.chain(pictures) {
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

/// Makes a chunk end on a multiple of four bytes.
fn pad(bytes: &mut Vec<u8>, with: u8) {
    bytes.resize(bytes.len().next_multiple_of(4), with);
}

/// The container: a head, the JSON, the bytes. `None` beyond the four gigabytes that it can hold.
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
