//! Things for worlds: furniture, lights, plants, tools and small works, each an argument for
//! [`Forge::object`](crate::Forge::object).
//!
//! They fit a person 1.8 m high. The origin is on the ground in the middle, unless said otherwise; the front
//! faces north, +Y. Furniture and works collide by their solids, trees by their trunks, and movers pass
//! through ferns and flowers.
//!
//! ```
//! use threshold_forge::{Forge, Plan, RoomSpec, things};
//! use threshold_land::{BlockId, Frame, vector::Vec3};
//!
//! let mut forge = Forge::new();
//! let table = forge.object(things::table());
//! let stairs = forge.object(things::stairs(8, [0.25, 0.3], 1.5));
//! let yard = forge.block(BlockId::new(0xA9, 0xB4));
//! yard.put(table, Frame::at(Vec3::new(84.0, 84.0, 0.0)));
//! yard.put(stairs, Frame::at(Vec3::new(90.0, 84.0, 0.0)));
//! assert_eq!(things::by_name("table"), Some(things::table()));
//! # forge.finish()?;
//! # Ok::<(), threshold_forge::ForgeError>(())
//! ```

mod furniture;
mod lights;
mod plants;
#[cfg(test)]
mod tests;
mod trees;
mod wares;
mod works;
mod yard;

pub use furniture::{bed, bench, chair, chest, counter, round_table, shelf, table, wardrobe};
pub use lights::{brazier, candle, chandelier, fireplace, lamp_post, torch};
pub use plants::{boulder, bush, fern, flowers, reeds};
pub use trees::{beech, birch, fir, oak};
pub use wares::{barrel, boat, cart, crate_, hand_cart, haystack, woodpile};
pub use works::{altar, bridge, door, jetty, pillar, stairs, tombstone};
pub use yard::{fence, market_stall, signpost, wall, well};

use crate::tool::model::ObjectSpec;

/// A name, and the function that makes the thing.
type Entry = (&'static str, fn() -> ObjectSpec);

/// All things by name, in alphabetical order.
const TABLE: [Entry; 43] = [
    ("altar", altar),
    ("barrel", barrel),
    ("bed", bed),
    ("beech", beech),
    ("bench", bench),
    ("birch", birch),
    ("boat", boat),
    ("boulder", boulder),
    ("brazier", brazier),
    ("bridge", || bridge(12.0, 3.0)),
    ("bush", bush),
    ("candle", candle),
    ("cart", cart),
    ("chair", chair),
    ("chandelier", chandelier),
    ("chest", chest),
    ("counter", counter),
    ("crate", crate_),
    ("door", door),
    ("fence", fence),
    ("fern", fern),
    ("fir", fir),
    ("fireplace", fireplace),
    ("flowers", flowers),
    ("hand-cart", hand_cart),
    ("haystack", haystack),
    ("jetty", jetty),
    ("lamp-post", lamp_post),
    ("market-stall", market_stall),
    ("oak", oak),
    ("pillar", || pillar(3.0)),
    ("reeds", reeds),
    ("round-table", round_table),
    ("shelf", shelf),
    ("signpost", signpost),
    ("stairs", || stairs(8, [0.25, 0.3], 1.5)),
    ("table", table),
    ("tombstone", tombstone),
    ("torch", torch),
    ("wall", wall),
    ("wardrobe", wardrobe),
    ("well", well),
    ("woodpile", woodpile),
];

/// Returns the thing of a name, at its usual size.
///
/// ```
/// use threshold_forge::things;
///
/// assert!(things::by_name("lamp-post").is_some());
/// assert!(things::by_name("spaceship").is_none());
/// ```
pub fn by_name(name: &str) -> Option<ObjectSpec> {
    TABLE.iter().find(|(own, _)| *own == name).map(|(_, make)| make())
}

/// Returns the names that [`by_name`] knows, in alphabetical order.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(name, _)| *name)
}
