//! What is cast or laid into the world: a sphere that moves, or a volume at rest.

use threshold_geom::{
    CastContact, Cylinder, MovingSphere, OrientedBox, Polygon, Sector, nearest_on_cylinder,
    nearest_on_polygon, nearest_on_sphere,
};
use threshold_land::Sphere;
use threshold_land::vector::{DVec2, DVec3};

use crate::constants::{BOUNDS_MARGIN, MARGIN, rounded};
use crate::place::Place;

/// A stretch of the path of a cast, in metres from its start; for a volume at rest 0 to 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stretch {
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl Stretch {
    /// Returns the part of both, if there is any.
    pub(crate) fn common(self, other: Self) -> Option<Self> {
        let both = Self { from: self.from.max(other.from), to: self.to.min(other.to) };
        (both.from <= both.to).then_some(both)
    }

    pub(crate) fn covers(self, other: Self) -> bool {
        self.from <= other.from + 1e-9 && self.to >= other.to - 1e-9
    }
}

/// What is cast or laid into the world, in the frame of a landblock or in the space of a tree.
pub(crate) trait Volume: Copy {
    /// Returns it in the frame of a landblock with its origin at `offset`.
    fn shifted(&self, offset: DVec3) -> Self;
    /// Returns it in a space.
    fn localised(&self, place: &Place) -> Self;
    /// Returns the part of it in a stretch of its path.
    fn clipped(&self, stretch: Stretch) -> Self;
    /// Returns whether it may touch something inside a sphere.
    fn is_near(&self, sphere: &Sphere) -> bool;
    /// Returns a sphere around it.
    fn bounds(&self) -> (DVec3, f64);
    /// Returns the corners of a rectangle around it, seen from above.
    fn footprint(&self) -> [DVec2; 2];
    /// Returns where on its path it touches a polygon, from either side.
    fn touch(&self, polygon: &Polygon<'_>) -> Option<Stretch>;
    /// Returns where on its path it is over a square, widened by its radius along both axes.
    fn stretch_over(&self, low: DVec2, high: DVec2) -> Option<Stretch>;
    /// Returns how it meets a polygon.
    fn meet_polygon(&self, polygon: &Polygon<'_>, both_sides: bool) -> Option<CastContact>;
    /// Returns how it meets a ball.
    fn meet_sphere(&self, sphere: &Sphere) -> Option<CastContact>;
    /// Returns how it meets a cylinder.
    fn meet_cylinder(&self, cylinder: &Cylinder) -> Option<CastContact>;
    /// Returns the path of its centre, if it moves.
    fn path(&self) -> Option<&Cast>;
    /// Returns it, if it is at rest.
    fn at_rest(&self) -> Option<&Still>;
    /// Returns its centre at a time.
    fn centre(&self, time: f64) -> DVec3;
}

/// A sphere that moves, in metres of its path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cast {
    pub(crate) sphere: MovingSphere,
    pub(crate) part: Stretch,
}

impl Cast {
    pub(crate) fn new(origin: DVec3, direction: DVec3, length: f64, radius: f64) -> Self {
        let sphere = MovingSphere { origin, direction, radius, margin: MARGIN };
        Self { sphere, part: Stretch { from: 0.0, to: length } }
    }

    pub(crate) fn length(&self) -> f64 {
        self.part.to
    }
}

impl Volume for Cast {
    fn shifted(&self, offset: DVec3) -> Self {
        let origin = self.sphere.origin - offset;
        Self { sphere: MovingSphere { origin, ..self.sphere }, ..*self }
    }

    fn localised(&self, place: &Place) -> Self {
        let MovingSphere { origin, direction, radius, margin } = self.sphere;
        let size = place.scale.abs();
        let sphere = MovingSphere {
            origin: place.to_local(origin),
            direction: place.turned(direction) / place.scale,
            radius: radius / size,
            margin: margin / size,
        };
        Self { sphere, ..*self }
    }

    fn clipped(&self, part: Stretch) -> Self {
        Self { part, ..*self }
    }

    fn is_near(&self, sphere: &Sphere) -> bool {
        let (centre, radius) = (sphere.centre.as_dvec3(), f64::from(sphere.radius));
        let MovingSphere { origin, direction, radius: own, .. } = self.sphere;
        let speed = direction.length_squared();
        let time = if speed > 0.0 { direction.dot(centre - origin) / speed } else { 0.0 };
        let time = time.max(self.part.from).min(self.part.to);
        let reach = radius.abs() + own + BOUNDS_MARGIN;
        let apart = self.sphere.at(time).distance_squared(centre);
        // NaN counts as near.
        apart.is_nan() || apart <= reach * reach
    }

    fn bounds(&self) -> (DVec3, f64) {
        let middle = self.sphere.at((self.part.from + self.part.to) * 0.5);
        let half = (self.part.to - self.part.from) * 0.5 * self.sphere.direction.length();
        (middle, half + self.sphere.radius)
    }

    fn footprint(&self) -> [DVec2; 2] {
        let flat = |p: DVec3| DVec2::new(p.x, p.y);
        let (a, b) = (flat(self.sphere.at(self.part.from)), flat(self.sphere.at(self.part.to)));
        let reach = DVec2::splat(self.sphere.radius);
        [a.min(b) - reach, a.max(b) + reach]
    }

    fn touch(&self, polygon: &Polygon<'_>) -> Option<Stretch> {
        let (from, to) = self.sphere.touch_times(polygon, self.part.to)?;
        Stretch { from, to }.common(self.part)
    }

    fn stretch_over(&self, low: DVec2, high: DVec2) -> Option<Stretch> {
        let MovingSphere { origin, direction, radius, .. } = self.sphere;
        let mut over = self.part;
        for axis in 0..2 {
            let (low, high) =
                (low[axis] - radius - origin[axis], high[axis] + radius - origin[axis]);
            if direction[axis] == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let (a, b) = (low / direction[axis], high / direction[axis]);
            over = over.common(Stretch { from: a.min(b), to: a.max(b) })?;
        }
        Some(over)
    }

    fn meet_polygon(&self, polygon: &Polygon<'_>, both_sides: bool) -> Option<CastContact> {
        self.sphere.hit_polygon(polygon, both_sides)
    }

    fn meet_sphere(&self, sphere: &Sphere) -> Option<CastContact> {
        self.sphere.hit_sphere(sphere)
    }

    fn meet_cylinder(&self, cylinder: &Cylinder) -> Option<CastContact> {
        self.sphere.hit_cylinder(cylinder)
    }

    fn path(&self) -> Option<&Cast> {
        Some(self)
    }

    fn at_rest(&self) -> Option<&Still> {
        None
    }

    fn centre(&self, time: f64) -> DVec3 {
        self.sphere.at(time)
    }
}

/// A volume at rest.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Still {
    Ball { centre: DVec3, radius: f64 },
    Box(OrientedBox),
    Sector(Sector),
}

/// All of a volume at rest.
pub(crate) const AT_REST: Stretch = Stretch { from: 0.0, to: 0.0 };

/// Returns the contact of a volume at rest: the nearest point of a shape to its centre. The time is
/// the distance.
pub(crate) fn nearest_contact(centre: DVec3, point: DVec3, fallback: DVec3) -> CastContact {
    let off = centre - point;
    let normal = off.try_normalize().unwrap_or(fallback);
    CastContact { time: off.length(), point, normal, initial: off == DVec3::ZERO }
}

impl Still {
    fn middle(&self) -> DVec3 {
        match self {
            Self::Ball { centre, .. } => *centre,
            Self::Box(it) => it.centre,
            Self::Sector(it) => it.apex,
        }
    }

    pub(crate) fn touches_polygon(&self, polygon: &Polygon<'_>) -> bool {
        match self {
            Self::Ball { centre, radius } => {
                let nearest = nearest_on_polygon(polygon, *centre);
                nearest.distance_squared(*centre) <= radius * radius
            }
            Self::Box(it) => it.touches_polygon(polygon),
            Self::Sector(it) => it.touches_polygon(polygon),
        }
    }

    pub(crate) fn touches_sphere(&self, sphere: &Sphere) -> bool {
        match self {
            Self::Ball { centre, radius } => {
                let nearest = nearest_on_sphere(sphere, *centre);
                nearest.distance_squared(*centre) <= radius * radius
            }
            Self::Box(it) => it.touches_sphere(sphere),
            Self::Sector(it) => it.touches_sphere(sphere),
        }
    }

    pub(crate) fn touches_cylinder(&self, cylinder: &Cylinder) -> bool {
        match self {
            Self::Ball { centre, radius } => {
                let nearest = nearest_on_cylinder(cylinder, *centre);
                nearest.distance_squared(*centre) <= radius * radius
            }
            Self::Box(it) => it.touches_cylinder(cylinder),
            Self::Sector(it) => it.touches_cylinder(cylinder),
        }
    }
}

impl Volume for Still {
    fn shifted(&self, offset: DVec3) -> Self {
        match *self {
            Self::Ball { centre, radius } => Self::Ball { centre: centre - offset, radius },
            Self::Box(it) => Self::Box(OrientedBox { centre: it.centre - offset, ..it }),
            Self::Sector(it) => Self::Sector(Sector { apex: it.apex - offset, ..it }),
        }
    }

    fn localised(&self, place: &Place) -> Self {
        let size = place.scale.abs();
        let turned = |axis: DVec3| place.turned(axis) * place.scale.signum();
        match *self {
            Self::Ball { centre, radius } => {
                Self::Ball { centre: place.to_local(centre), radius: radius / size }
            }
            Self::Box(it) => Self::Box(OrientedBox {
                centre: place.to_local(it.centre),
                axes: it.axes.map(turned),
                half: it.half / size,
            }),
            Self::Sector(it) => Self::Sector(Sector {
                apex: place.to_local(it.apex),
                axis: turned(it.axis),
                length: it.length / size,
                ..it
            }),
        }
    }

    fn clipped(&self, _: Stretch) -> Self {
        *self
    }

    fn is_near(&self, sphere: &Sphere) -> bool {
        let near = Sphere::new(sphere.centre, sphere.radius.abs() + rounded(BOUNDS_MARGIN));
        self.touches_sphere(&near)
    }

    fn bounds(&self) -> (DVec3, f64) {
        match self {
            Self::Ball { centre, radius } => (*centre, *radius),
            Self::Box(it) => (it.centre, it.half.length()),
            Self::Sector(it) => (it.apex, it.length),
        }
    }

    fn footprint(&self) -> [DVec2; 2] {
        let (centre, radius) = self.bounds();
        let (middle, mut reach) = (DVec2::new(centre.x, centre.y), DVec2::splat(radius));
        if let Self::Box(OrientedBox { axes: [x, y, z], half, .. }) = self {
            let along =
                |a: f64, b: f64, c: f64| a.abs() * half.x + b.abs() * half.y + c.abs() * half.z;
            reach = DVec2::new(along(x.x, y.x, z.x), along(x.y, y.y, z.y));
        }
        [middle - reach, middle + reach]
    }

    fn touch(&self, polygon: &Polygon<'_>) -> Option<Stretch> {
        self.touches_polygon(polygon).then_some(AT_REST)
    }

    fn stretch_over(&self, low: DVec2, high: DVec2) -> Option<Stretch> {
        let [own_low, own_high] = self.footprint();
        let apart = (0..2).any(|axis| own_low[axis] > high[axis] || own_high[axis] < low[axis]);
        (!apart).then_some(AT_REST)
    }

    fn meet_polygon(&self, polygon: &Polygon<'_>, _: bool) -> Option<CastContact> {
        if !self.touches_polygon(polygon) {
            return None;
        }
        let normal = polygon.plane.normal.as_dvec3();
        let centre = self.middle();
        let contact = nearest_contact(centre, nearest_on_polygon(polygon, centre), normal);
        // A polygon has no inside.
        Some(CastContact { initial: false, ..contact })
    }

    fn meet_sphere(&self, sphere: &Sphere) -> Option<CastContact> {
        let (centre, up) = (self.middle(), DVec3::Z);
        let contact = || nearest_contact(centre, nearest_on_sphere(sphere, centre), up);
        self.touches_sphere(sphere).then(contact)
    }

    fn meet_cylinder(&self, cylinder: &Cylinder) -> Option<CastContact> {
        let (centre, up) = (self.middle(), DVec3::Z);
        let contact = || nearest_contact(centre, nearest_on_cylinder(cylinder, centre), up);
        self.touches_cylinder(cylinder).then(contact)
    }

    fn path(&self) -> Option<&Cast> {
        None
    }

    fn at_rest(&self) -> Option<&Still> {
        Some(self)
    }

    fn centre(&self, _: f64) -> DVec3 {
        self.middle()
    }
}
