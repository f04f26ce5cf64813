//! The counterpart of [`Reader`](crate::Reader).

use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{Frame, Plane, Sphere};

use crate::error::EncodeError;
use crate::record::{RecordId, Text};

/// Collects the bytes of one record.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

/// The result of writing a field that can fail.
pub type WriteResult = Result<(), EncodeError>;

impl Writer {
    /// Creates an empty record.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the bytes of the record.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes one byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Writes two bytes.
    pub fn u16(&mut self, value: u16) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes two bytes, signed.
    pub fn i16(&mut self, value: i16) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes four bytes.
    pub fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes four bytes, signed.
    pub fn i32(&mut self, value: i32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes a single-precision number.
    pub fn f32(&mut self, value: f32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes a double-precision number.
    pub fn f64(&mut self, value: f64) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes four bytes, 0 or 1.
    pub fn bool32(&mut self, value: bool) {
        self.u32(value.into());
    }

    /// Writes a full record id.
    pub fn id(&mut self, id: RecordId) {
        self.u32(id.0);
    }

    /// Writes several numbers.
    pub fn floats(&mut self, values: &[f32]) {
        values.iter().for_each(|value| self.f32(*value));
    }

    /// Writes two numbers.
    pub fn vec2(&mut self, v: Vec2) {
        self.floats(&v.to_array());
    }

    /// Writes three numbers.
    pub fn vec3(&mut self, v: Vec3) {
        self.floats(&v.to_array());
    }

    /// Writes a normal and a distance.
    pub fn plane(&mut self, plane: &Plane) {
        self.vec3(plane.normal);
        self.f32(plane.d);
    }

    /// Writes a centre and a radius.
    pub fn sphere(&mut self, sphere: &Sphere) {
        self.vec3(sphere.centre);
        self.f32(sphere.radius);
    }

    /// Writes an origin and a rotation.
    pub fn frame(&mut self, frame: &Frame) {
        self.vec3(frame.origin);
        self.floats(&frame.rotation.to_array());
    }

    /// Writes a compressed count in its shortest form.
    pub fn cuint(&mut self, what: &'static str, value: usize) -> WriteResult {
        let found = value;
        let value = u32::try_from(value).unwrap_or(u32::MAX);
        let [high, second, third, low] = value.to_be_bytes();
        match value {
            0..=0x7F => self.u8(low),
            0x80..=0x3FFF => self.bytes(&[third | 0x80, low]),
            0x4000..=0x3FFF_FFFF => self.bytes(&[high | 0xC0, second, low, third]),
            _ => {
                return Err(EncodeError::TooMany { what, found, max: 0x3FFF_FFFF });
            }
        }
        Ok(())
    }

    /// Writes an id relative to the first one of its kind, at most 0x3FFF_FFFF above it.
    pub fn id_from(&mut self, what: &'static str, base: u32, id: RecordId) -> WriteResult {
        let delta = id.0.wrapping_sub(base);
        let [high, second, third, low] = delta.to_be_bytes();
        match delta {
            0..=0x3FFF => self.bytes(&[low, third]),
            0x4000..=0x3FFF_FFFF => self.bytes(&[second, high | 0x80, low, third]),
            _ => {
                let found = delta as usize;
                return Err(EncodeError::TooMany { what, found, max: 0x3FFF_FFFF });
            }
        }
        Ok(())
    }

    /// Writes a text with its length, padded to four bytes.
    pub fn text(&mut self, text: &Text) -> WriteResult {
        let bytes = text.as_bytes();
        match u16::try_from(bytes.len()) {
            Ok(len) if len != 0xFFFF => self.u16(len),
            _ => {
                self.u16(0xFFFF);
                self.count("bytes of a text", bytes.len())?;
            }
        }
        self.bytes(bytes);
        self.align4();
        Ok(())
    }

    /// Writes zeros up to a multiple of four bytes from the start of the record.
    pub fn align4(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    /// Writes a four-byte count.
    pub fn count(&mut self, what: &'static str, count: usize) -> WriteResult {
        let max = u32::MAX as usize;
        let count =
            u32::try_from(count).map_err(|_| EncodeError::TooMany { what, found: count, max })?;
        self.u32(count);
        Ok(())
    }

    /// Writes a two-byte count.
    pub fn count16(&mut self, what: &'static str, count: usize) -> WriteResult {
        let max = usize::from(u16::MAX);
        let count =
            u16::try_from(count).map_err(|_| EncodeError::TooMany { what, found: count, max })?;
        self.u16(count);
        Ok(())
    }

    /// Writes a one-byte count.
    pub fn count8(&mut self, what: &'static str, count: usize) -> WriteResult {
        let max = usize::from(u8::MAX);
        let count =
            u8::try_from(count).map_err(|_| EncodeError::TooMany { what, found: count, max })?;
        self.u8(count);
        Ok(())
    }

    /// Writes a four-byte count and the items.
    pub fn list<T>(
        &mut self,
        what: &'static str,
        items: &[T],
        mut write: impl FnMut(&mut Self, &T) -> WriteResult,
    ) -> WriteResult {
        self.count(what, items.len())?;
        items.iter().try_for_each(|item| write(self, item))
    }

    /// Writes several two-byte values.
    pub fn words(&mut self, words: &[u16]) {
        words.iter().for_each(|word| self.u16(*word));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Reader;

    #[test]
    fn counts_take_their_shortest_form_and_read_back() {
        for value in [0, 0x7F, 0x80, 200, 0x3FFF, 0x4000, 0x1234_5678, 0x3FFF_FFFF] {
            let mut writer = Writer::new();
            writer.cuint("things", value).unwrap();
            let bytes = writer.into_bytes();
            let len = if value < 0x80 {
                1
            } else if value < 0x4000 {
                2
            } else {
                4
            };
            assert_eq!(bytes.len(), len, "{value:#x}: {bytes:02X?}");
            assert_eq!(Reader::new(&bytes).cuint().unwrap() as usize, value, "{bytes:02X?}");
        }
        assert!(Writer::new().cuint("things", 0x4000_0000).is_err());
    }

    #[test]
    fn relative_ids_switch_to_the_long_form_above_3fff() {
        let write = |id| {
            let mut writer = Writer::new();
            writer.id_from("part", 0x0100_0000, RecordId(id)).unwrap();
            writer.into_bytes()
        };
        assert_eq!(write(0x0100_0BB4), [0xB4, 0x0B]);
        assert_eq!(write(0x0100_3FFF), [0xFF, 0x3F]);
        assert_eq!(write(0x0100_4000), [0x00, 0x80, 0x00, 0x40]);
        assert!(Writer::new().id_from("part", 0x0100_0000, RecordId(5)).is_err());
    }

    #[test]
    fn texts_are_padded_and_long_ones_have_a_long_count() {
        for len in [0_usize, 1, 2, 5, 0xFFFE, 0xFFFF, 0x1_0003] {
            let text = Text::from_bytes(&vec![b'x'; len]);
            let mut writer = Writer::new();
            writer.u8(9);
            writer.text(&text).unwrap();
            let bytes = writer.into_bytes();
            assert_eq!(bytes.len() % 4, 0);
            let mut reader = Reader::new(&bytes);
            reader.u8().unwrap();
            assert_eq!(reader.text().unwrap(), text);
            assert_eq!(reader.left(), 0);
        }
    }
}
