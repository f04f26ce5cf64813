//! Block compression: 4 x 4 pixels in 8 or 16 bytes.

/// Red, green, blue and alpha.
type Pixel = [u8; 4];

/// Alpha encodings of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alpha {
    /// No alpha.
    None,
    /// Sixteen levels, for each pixel separately.
    Steps,
    /// Eight levels between the smallest and the largest of the block.
    Between,
}

/// Encodes a square image with a side that is a multiple of four.
pub(crate) fn encode(pixels: &[Pixel], side: usize, alpha: Alpha) -> Vec<u8> {
    let mut out = Vec::with_capacity(pixels.len());
    for first in (0..side).step_by(4).flat_map(|y| (0..side).step_by(4).map(move |x| y * side + x))
    {
        let mut block = [[0; 4]; 16];
        for (row, own) in block.chunks_exact_mut(4).enumerate() {
            own.copy_from_slice(&pixels[first + row * side..][..4]);
        }
        match alpha {
            Alpha::None => {}
            Alpha::Steps => out.extend(steps(&block)),
            Alpha::Between => out.extend(between(&block)),
        }
        out.extend(colours(&block));
    }
    out
}

/// Four bits per pixel.
fn steps(block: &[Pixel; 16]) -> [u8; 8] {
    let step = |pixel: &Pixel| (u64::from(pixel[3]) * 15 + 127) / 255;
    packed(block, 4, step)
}

fn packed(block: &[Pixel; 16], bits: u32, index: impl Fn(&Pixel) -> u64) -> [u8; 8] {
    let add = |sum: u64, pixel: &Pixel| sum << bits | index(pixel);
    block.iter().rev().fold(0, add).to_le_bytes()
}

/// The largest and the smallest alpha, then three bits per pixel.
fn between(block: &[Pixel; 16]) -> [u8; 8] {
    let alphas = || block.iter().map(|pixel| pixel[3]);
    let (min, max) = (alphas().min().unwrap_or(0), alphas().max().unwrap_or(0));
    let range = u64::from(max - min).max(1);
    let index = |pixel: &Pixel| {
        // Levels descend from the largest; in the file the two ends come first.
        let down = (u64::from(max - pixel[3]) * 7 + range / 2) / range;
        match down {
            0 => 0,
            7 => 1,
            _ => down + 1,
        }
    };
    let indices = packed(block, 3, index);
    let mut out = [0; 8];
    (out[0], out[1]) = (max, min);
    out[2..].copy_from_slice(&indices[..6]);
    out
}

fn colours(block: &[Pixel; 16]) -> [u8; 8] {
    let [mut high, mut low] = ends(block).map(five_six_five);
    if high < low {
        (high, low) = (low, high);
    }
    let choice = choices(high, low);
    let index = |pixel: &Pixel| {
        let off = |choice: &[i32; 3]| -> i32 {
            choice.iter().zip(pixel).map(|(a, b)| (a - i32::from(*b)) * (a - i32::from(*b))).sum()
        };
        // With two equal ends the format would mean three colours and a hole; index 0 is right everywhere.
        let nearest = (0..4_u8).min_by_key(|index| off(&choice[usize::from(*index)]));
        if high == low { 0 } else { u64::from(nearest.unwrap_or(0)) }
    };
    let indices = packed(block, 2, index);
    let [h0, h1] = high.to_le_bytes();
    let [l0, l1] = low.to_le_bytes();
    [h0, h1, l0, l1, indices[0], indices[1], indices[2], indices[3]]
}

/// Returns the two corners of the colour box of the block's pixels.
fn ends(block: &[Pixel; 16]) -> [[i32; 3]; 2] {
    let channel = |channel: usize| block.iter().map(move |pixel| i32::from(pixel[channel]));
    let mean = [0, 1, 2].map(|index| channel(index).sum::<i32>() / 16);
    let range = [0, 1, 2]
        .map(|index| (channel(index).min().unwrap_or(0), channel(index).max().unwrap_or(0)));
    // The other channels rise or fall with the one that varies most.
    let lead = (0..3).max_by_key(|index| range[*index].1 - range[*index].0).unwrap_or(0);
    let mut ends = [[0; 3]; 2];
    for index in 0..3 {
        let along: i32 = channel(index)
            .zip(channel(lead))
            .map(|(own, other)| (own - mean[index]) * (other - mean[lead]))
            .sum();
        let (low, high) = range[index];
        // Slightly inset, so that the levels between are nearer to most pixels.
        let inset = (high - low) / 16;
        let (low, high) = (low + inset, high - inset);
        [ends[0][index], ends[1][index]] = if along < 0 { [low, high] } else { [high, low] };
    }
    ends
}

fn five_six_five([r, g, b]: [i32; 3]) -> u16 {
    let part = |value: i32, max: i32| (value * max + 127) / 255;
    let whole = part(r, 31) << 11 | part(g, 63) << 5 | part(b, 31);
    u16::try_from(whole).unwrap_or(u16::MAX)
}

/// The four colours of a block.
fn choices(high: u16, low: u16) -> [[i32; 3]; 4] {
    let open = |colour: u16| {
        let bits = |shift: u16, max: u16| i32::from(colour >> shift & max) * 255 / i32::from(max);
        [bits(11, 31), bits(5, 63), bits(0, 31)]
    };
    let (high, low) = (open(high), open(low));
    let third = |index: usize, a: [i32; 3], b: [i32; 3]| (2 * a[index] + b[index]) / 3;
    let mixed = |a, b| [0, 1, 2].map(|index| third(index, a, b));
    [high, low, mixed(high, low), mixed(low, high)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(of: impl Fn(u8) -> Pixel) -> Vec<Pixel> {
        (0..16).map(of).collect()
    }

    #[test]
    fn one_colour_is_kept_as_well_as_five_six_five_can() {
        let bytes = encode(&block(|_| [255, 0, 255, 255]), 4, Alpha::None);
        assert_eq!(bytes, [0x1F, 0xF8, 0x1F, 0xF8, 0, 0, 0, 0]);
    }

    #[test]
    fn a_ramp_takes_its_steps_in_order() {
        // Black to white in four columns: the ends, and a third and two thirds between them.
        let bytes = encode(
            &block(|at| [[255; 4], [170; 4], [85; 4], [0; 4]][usize::from(at % 4)]),
            4,
            Alpha::None,
        );
        assert!(bytes[1] > bytes[3], "{bytes:?}");
        assert_eq!(bytes[4..], [0b01_11_10_00; 4]);
    }

    #[test]
    fn alpha_takes_sixteen_steps_or_eight_between_its_ends() {
        let ramp = block(|at| [9, 9, 9, at * 17]);
        let steps = encode(&ramp, 4, Alpha::Steps);
        assert_eq!(steps[..8], [0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE]);
        let between = encode(&ramp, 4, Alpha::Between);
        assert_eq!(between[..2], [255, 0]);
        // The first pixel is the least, the last the most.
        assert_eq!((between[2] & 7, between[7] >> 5), (1, 0));
    }
}
