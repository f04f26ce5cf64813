//! Sun, moons and weather.

use serde::Serialize;

use crate::reader::{Reader, Result};
use crate::record::{Colour, RecordId, Text};
use crate::writer::{WriteResult, Writer};

/// Sun, moons and weather. Retail: `SkyDesc`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sky {
    /// Seconds between two updates of the sky.
    pub tick: f64,
    /// Seconds between two updates of the light.
    pub light_tick: f64,
    /// Types of days.
    pub day_groups: Vec<DayGroup>,
}

/// A type of day. Retail: `DayGroup`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DayGroup {
    /// Its probability.
    pub chance: f32,
    /// Its name.
    pub name: Text,
    /// Objects in the sky.
    pub objects: Box<[SkyObject]>,
    /// Light and fog during the day.
    pub times: Box<[SkyTime]>,
}

/// An object in the sky. Retail: `SkyObject`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SkyObject {
    /// Time at which it rises, 0 to 1 of the day; always visible if both times are 0.
    pub begin_time: f32,
    /// Time at which it sets.
    pub end_time: f32,
    /// Angle at which it rises, in degrees.
    pub begin_angle: f32,
    /// Angle at which it sets, in degrees.
    pub end_angle: f32,
    /// Velocity of its texture.
    pub texture_velocity: [f32; 2],
    /// Its model.
    pub model: RecordId,
    /// Its physics script.
    pub script: RecordId,
    /// Further flags.
    pub properties: u32,
}

/// Light and fog at a time of day. Retail: `SkyTimeOfDay`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SkyTime {
    /// The time, 0 to 1 of the day.
    pub begin: f32,
    /// Brightness of the sun.
    pub sun_brightness: f32,
    /// Direction of the sun, in degrees from north.
    pub sun_heading: f32,
    /// Elevation of the sun, in degrees.
    pub sun_pitch: f32,
    /// Colour of the sun.
    pub sun_colour: Colour,
    /// Brightness of the ambient light.
    pub ambient_brightness: f32,
    /// Colour of the ambient light.
    pub ambient_colour: Colour,
    /// Distance at which the fog begins, in metres.
    pub fog_near: f32,
    /// Distance at which the fog is complete, in metres.
    pub fog_far: f32,
    /// Colour of the fog.
    pub fog_colour: Colour,
    /// How the fog thickens with distance.
    pub fog_mode: u32,
    /// Changes of objects in the sky.
    pub replacements: Box<[SkyObjectReplacement]>,
}

/// A change of an object in the sky. Retail: `SkyObjectReplace`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SkyObjectReplacement {
    /// Index into the objects of the type of day.
    pub object: u32,
    /// The new model; 0 keeps the old one.
    pub model: RecordId,
    /// Rotation in degrees.
    pub rotate: f32,
    /// Transparency; -1 keeps it.
    pub transparent: f32,
    /// Luminosity.
    pub luminosity: f32,
    /// Greatest brightness.
    pub max_bright: f32,
}

impl Sky {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let (tick, light_tick) = (reader.f64()?, reader.f64()?);
        Ok(Self { tick, light_tick, day_groups: reader.list("day groups", 16, DayGroup::read)? })
    }

    pub(super) fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.f64(self.tick);
        writer.f64(self.light_tick);
        writer.list("day groups", &self.day_groups, |writer, group| group.write(writer))
    }
}

impl DayGroup {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            chance: reader.f32()?,
            name: reader.text()?,
            objects: reader.list("sky objects", 36, SkyObject::read)?.into(),
            times: reader.list("sky times", 48, SkyTime::read)?.into(),
        })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.f32(self.chance);
        writer.text(&self.name)?;
        writer.list("sky objects", &self.objects, SkyObject::write)?;
        writer.list("sky times", &self.times, |writer, time| time.write(writer))
    }
}

impl SkyObject {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let [begin_time, end_time, begin_angle, end_angle, u, v] = reader.floats()?;
        Ok(Self {
            begin_time,
            end_time,
            begin_angle,
            end_angle,
            texture_velocity: [u, v],
            model: reader.id()?,
            script: reader.id()?,
            properties: reader.u32()?,
        })
    }

    fn write(writer: &mut Writer, object: &Self) -> WriteResult {
        let [u, v] = object.texture_velocity;
        writer.floats(&[
            object.begin_time,
            object.end_time,
            object.begin_angle,
            object.end_angle,
            u,
            v,
        ]);
        writer.id(object.model);
        writer.id(object.script);
        writer.u32(object.properties);
        Ok(())
    }
}

impl SkyTime {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let [begin, sun_brightness, sun_heading, sun_pitch] = reader.floats()?;
        let sun_colour = Colour(reader.u32()?);
        let ambient_brightness = reader.f32()?;
        let ambient_colour = Colour(reader.u32()?);
        let [fog_near, fog_far] = reader.floats()?;
        Ok(Self {
            begin,
            sun_brightness,
            sun_heading,
            sun_pitch,
            sun_colour,
            ambient_brightness,
            ambient_colour,
            fog_near,
            fog_far,
            fog_colour: Colour(reader.u32()?),
            fog_mode: reader.u32()?,
            replacements: reader.list("replacements", 24, SkyObjectReplacement::read)?.into(),
        })
    }

    fn write(&self, writer: &mut Writer) -> WriteResult {
        writer.floats(&[self.begin, self.sun_brightness, self.sun_heading, self.sun_pitch]);
        writer.u32(self.sun_colour.0);
        writer.f32(self.ambient_brightness);
        writer.u32(self.ambient_colour.0);
        writer.floats(&[self.fog_near, self.fog_far]);
        writer.u32(self.fog_colour.0);
        writer.u32(self.fog_mode);
        writer.list("replacements", &self.replacements, SkyObjectReplacement::write)
    }
}

impl SkyObjectReplacement {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let (object, model) = (reader.u32()?, reader.id()?);
        let [rotate, transparent, luminosity, max_bright] = reader.floats()?;
        Ok(Self { object, model, rotate, transparent, luminosity, max_bright })
    }

    fn write(writer: &mut Writer, change: &Self) -> WriteResult {
        writer.u32(change.object);
        writer.id(change.model);
        writer.floats(&[change.rotate, change.transparent, change.luminosity, change.max_bright]);
        Ok(())
    }
}
