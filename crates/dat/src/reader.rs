//! A cursor over the bytes of one record.

use threshold_land::vector::{Vec2, Vec3};
use threshold_land::{Frame, Plane, Rotation, Sphere};

use crate::error::{ByteOffset, DatError, DatErrorKind};
use crate::record::{RecordId, Text};

/// Reads the primitives of the format, little-endian and unaligned.
///
/// Every method fails with the offset at which the field starts. None allocates more than the
/// remaining bytes can fill.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    len: usize,
}

/// The result of reading.
pub type Result<T, E = DatError> = std::result::Result<T, E>;

impl<'a> Reader<'a> {
    /// Creates a reader of the bytes of one record.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, len: bytes.len() }
    }

    /// Number of bytes read.
    pub fn at(&self) -> usize {
        self.len - self.rest.len()
    }

    /// Number of bytes left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// Creates an error about the field at byte `at`.
    #[cold]
    pub fn error_at(at: usize, kind: DatErrorKind) -> DatError {
        DatError::new(kind).at(ByteOffset::Record(at as u64))
    }

    #[cold]
    fn truncated(&self, wanted: usize) -> DatError {
        Self::error_at(self.at(), DatErrorKind::Truncated { wanted, left: self.left() })
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.rest.split_first_chunk::<N>() {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(*head)
            }
            None => Err(self.truncated(N)),
        }
    }

    /// Reads `n` bytes.
    #[inline]
    pub fn bytes(&mut self, n: usize) -> Result<&'a [u8]> {
        match self.rest.split_at_checked(n) {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(head)
            }
            None => Err(self.truncated(n)),
        }
    }

    /// Reads one byte.
    #[inline]
    pub fn u8(&mut self) -> Result<u8> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    /// Reads two bytes.
    #[inline]
    pub fn u16(&mut self) -> Result<u16> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    /// Reads two bytes, signed.
    #[inline]
    pub fn i16(&mut self) -> Result<i16> {
        Ok(i16::from_le_bytes(self.array()?))
    }

    /// Reads four bytes.
    #[inline]
    pub fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Reads four bytes, signed.
    #[inline]
    pub fn i32(&mut self) -> Result<i32> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    /// Reads a single-precision number of any bits.
    #[inline]
    pub fn f32(&mut self) -> Result<f32> {
        Ok(f32::from_le_bytes(self.array()?))
    }

    /// Reads a double-precision number of any bits.
    pub fn f64(&mut self) -> Result<f64> {
        Ok(f64::from_le_bytes(self.array()?))
    }

    /// Reads four bytes; true if any bit is set.
    pub fn bool32(&mut self) -> Result<bool> {
        Ok(self.u32()? != 0)
    }

    /// Reads a full record id.
    #[inline]
    pub fn id(&mut self) -> Result<RecordId> {
        Ok(RecordId(self.u32()?))
    }

    /// Reads `N` numbers.
    #[inline]
    pub fn floats<const N: usize>(&mut self) -> Result<[f32; N]> {
        let mut out = [0.0; N];
        let bytes = self.bytes(4 * N)?;
        for (value, bytes) in out.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *value = f32::from_le_bytes(*bytes);
        }
        Ok(out)
    }

    /// Reads two numbers.
    #[inline]
    pub fn vec2(&mut self) -> Result<Vec2> {
        self.floats().map(Vec2::from_array)
    }

    /// Reads three numbers.
    #[inline]
    pub fn vec3(&mut self) -> Result<Vec3> {
        self.floats().map(Vec3::from_array)
    }

    /// Reads a normal and a distance.
    #[inline]
    pub fn plane(&mut self) -> Result<Plane> {
        let [x, y, z, d] = self.floats()?;
        Ok(Plane { normal: Vec3::new(x, y, z), d })
    }

    /// Reads a centre and a radius.
    #[inline]
    pub fn sphere(&mut self) -> Result<Sphere> {
        let [x, y, z, radius] = self.floats()?;
        Ok(Sphere::new(Vec3::new(x, y, z), radius))
    }

    /// Reads an origin and a rotation. Refuses what the retail client refuses (`Frame::IsValid`).
    #[inline]
    pub fn frame(&mut self) -> Result<Frame> {
        let at = self.at();
        let [x, y, z, w, i, j, k] = self.floats()?;
        let frame = Frame { origin: Vec3::new(x, y, z), rotation: Rotation::new(w, i, j, k) };
        if frame.is_valid() {
            return Ok(frame);
        }
        let squared = frame.rotation.dot(frame.rotation);
        let squared = if frame.origin.is_nan() { f32::NAN } else { squared };
        Err(Self::error_at(at, DatErrorKind::Frame { squared }))
    }

    /// Reads a compressed count of one, two or four bytes.
    pub fn cuint(&mut self) -> Result<u32> {
        let first = u32::from(self.u8()?);
        if first & 0x80 == 0 {
            return Ok(first);
        }
        let second = u32::from(self.u8()?);
        if first & 0x40 == 0 {
            return Ok((first & 0x3F) << 8 | second);
        }
        Ok((first & 0x3F) << 24 | second << 16 | u32::from(self.u16()?))
    }

    /// Reads an id relative to the first one of its kind, of two or four bytes.
    pub fn id_from(&mut self, base: u32) -> Result<RecordId> {
        let first = u32::from(self.u16()?);
        let delta = if first & 0x8000 == 0 {
            first
        } else {
            (first & 0x3FFF) << 16 | u32::from(self.u16()?)
        };
        // 14 bits over 16: the sum of two values below 2^30 and 2^28 cannot overflow.
        Ok(RecordId(base.wrapping_add(delta)))
    }

    /// Reads a text with its length, padded to four bytes.
    pub fn text(&mut self) -> Result<Text> {
        let short = self.u16()?;
        let len = if short == 0xFFFF { self.u32()? as usize } else { usize::from(short) };
        let bytes = self.bytes(len)?;
        self.align4()?;
        Ok(Text::from_bytes(bytes))
    }

    /// Skips to a multiple of four bytes from the start of the record.
    pub fn align4(&mut self) -> Result<()> {
        self.bytes(self.at().wrapping_neg() & 3).map(drop)
    }

    /// Reads the id in the header of the record, which must equal `id`.
    #[inline]
    pub fn own_id(&mut self, id: RecordId) -> Result<()> {
        let at = self.at();
        let found = self.id()?;
        if found == id { Ok(()) } else { Err(Self::error_at(at, DatErrorKind::Id { found })) }
    }

    /// Reads a field with only one valid value.
    pub fn exactly(&mut self, what: &'static str, value: u32) -> Result<()> {
        let at = self.at();
        let found = self.u32()?;
        if found == value {
            return Ok(());
        }
        Err(DatError::value(what, value.to_string(), found).at(ByteOffset::Record(at as u64)))
    }

    /// Reads a four-byte count of items that take at least `each` bytes.
    #[inline]
    pub fn count(&mut self, what: &'static str, each: usize) -> Result<usize> {
        let at = self.at();
        let count = self.u32()? as usize;
        self.fits_from(at, what, count, each)?;
        Ok(count)
    }

    /// Reads a [`cuint`](Self::cuint) count of items that take at least `each` bytes.
    pub fn short_count(&mut self, what: &'static str, each: usize) -> Result<usize> {
        let at = self.at();
        let count = self.cuint()? as usize;
        self.fits_from(at, what, count, each)?;
        Ok(count)
    }

    /// Fails if the remaining bytes cannot hold `count` items.
    #[inline]
    pub fn fits(&self, what: &'static str, count: usize, each: usize) -> Result<()> {
        self.fits_from(self.at(), what, count, each)
    }

    /// Like [`fits`](Self::fits), for a count stored at byte `at`.
    #[inline]
    fn fits_from(&self, at: usize, what: &'static str, count: usize, each: usize) -> Result<()> {
        let left = self.left();
        if count.checked_mul(each).is_some_and(|bytes| bytes <= left) {
            return Ok(());
        }
        let count = count as u64;
        Err(Self::error_at(at, DatErrorKind::Count { what, count, each, left }))
    }

    /// Reads a four-byte count and that number of items.
    #[inline]
    pub fn list<T>(
        &mut self,
        what: &'static str,
        each: usize,
        read: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let count = self.count(what, each)?;
        self.items(count, read)
    }

    /// Reads `count` items; the count was checked against the bytes left.
    #[inline]
    pub fn items<T>(
        &mut self,
        count: usize,
        mut read: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut out = Vec::with_capacity(count.min(self.max_preallocation::<T>()));
        for _ in 0..count {
            out.push(read(self)?);
        }
        Ok(out)
    }

    /// Returns for how many `T` to reserve memory at once: a damaged count must not take more
    /// memory than a small multiple of the remaining bytes.
    pub(crate) fn max_preallocation<T>(&self) -> usize {
        self.left().saturating_mul(5) / size_of::<T>().max(1)
    }

    /// Reads `count` two-byte values.
    #[inline]
    pub fn words(&mut self, count: usize) -> Result<impl Iterator<Item = u16> + use<'a>> {
        let bytes = self.bytes(count.saturating_mul(2))?;
        Ok(bytes.as_chunks::<2>().0.iter().map(|word| u16::from_le_bytes(*word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_cuint(bytes: &[u8], want: u32) {
        let mut reader = Reader::new(bytes);
        assert_eq!(reader.cuint().unwrap(), want);
        assert_eq!(reader.left(), 0);
    }

    #[test]
    fn compressed_counts() {
        check_cuint(&[0x7F], 0x7F);
        check_cuint(&[0x80, 0x80], 0x80);
        check_cuint(&[0x80, 0xC8], 200);
        check_cuint(&[0xBF, 0xFF], 0x3FFF);
        check_cuint(&[0xC0, 0x00, 0x00, 0x40], 0x4000);
        check_cuint(&[0xD2, 0x34, 0x78, 0x56], 0x1234_5678);
    }

    #[test]
    fn relative_ids_in_both_forms() {
        let read = |bytes: &[u8]| Reader::new(bytes).id_from(0x0100_0000).unwrap();
        assert_eq!(read(&[0xB4, 0x0B]), RecordId(0x0100_0BB4));
        assert_eq!(read(&[0x00, 0x80, 0x00, 0x40]), RecordId(0x0100_4000));
        assert_eq!(read(&[0x00, 0x40]), RecordId(0x0100_4000));
    }

    #[test]
    fn a_count_is_checked_before_anything_is_allocated() {
        let error = Reader::new(&[0xFF, 0xFF, 0xFF, 0xFF, 1, 2]).count("vertices", 28).unwrap_err();
        assert_eq!(
            error.to_string(),
            "byte 0x0 of the record: 4294967295 vertices of at least 28 bytes announced, 2 bytes left"
        );
    }

    #[test]
    fn the_error_of_a_truncated_field_has_its_start() {
        let mut reader = Reader::new(&[1, 2, 3, 4, 5, 6]);
        reader.u32().unwrap();
        let error = reader.u32().unwrap_err();
        assert_eq!(error.to_string(), "byte 0x4 of the record: 4 bytes expected, 2 left");
    }

    #[test]
    fn frames_are_refused_as_retail_refuses_them() {
        let frame = |rotation: [f32; 4], x: f32| {
            let numbers = [x, 0.0, 0.0, rotation[0], rotation[1], rotation[2], rotation[3]];
            let bytes: Vec<u8> = numbers.iter().flat_map(|v| v.to_le_bytes()).collect();
            Reader::new(&bytes).frame().map(drop)
        };
        assert!(frame([1.0, 0.0, 0.0, 0.0], 5.0).is_ok());
        assert!(frame([1.01, 0.0, 0.0, 0.0], 5.0).is_err());
        assert!(frame([1.0, 0.0, 0.0, 0.0], f32::NAN).is_err());
        assert!(frame([f32::NAN, 0.0, 0.0, 0.0], 0.0).is_err());
    }
}
