//! Layouts written by hand, number by number, in the order of the format description. Reading back
//! our own output cannot reveal two exchanged fields; this can. For the kinds and parts that the
//! sample worlds lack.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails on unexpected values")]

use threshold_dat::{
    Animation, BuildingInfo, Colour, DegradeInfo, HookAction, LandBlockInfo, MotionTable, Palette,
    Record, RecordId, RegionDesc, Restriction, Scene, SetupCylinder, SetupRecord, motion_key,
};
use threshold_land::CellId;
use threshold_land::vector::Vec3;

/// Builds bytes value by value.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn u8(mut self, values: &[u8]) -> Self {
        self.0.extend(values);
        self
    }

    fn u16(mut self, values: &[u16]) -> Self {
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self
    }

    fn u32(mut self, values: &[u32]) -> Self {
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self
    }

    fn f32(mut self, values: &[f32]) -> Self {
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self
    }

    fn f64(mut self, values: &[f64]) -> Self {
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self
    }

    /// Origin x, 2, 3 and no rotation, w first.
    fn frame(self, x: f32) -> Self {
        self.f32(&[x, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0])
    }

    /// Decodes a record from all of these bytes and checks that it encodes to them.
    #[track_caller]
    fn read<R: Record>(self, id: u32) -> R {
        let record = R::decode_exact(RecordId(id), &self.0).unwrap();
        assert_eq!(record.encode().unwrap(), self.0);
        record
    }
}

#[test]
fn degrade_info() {
    let bytes = Bytes::default().u32(&[0x1100_0001, 1, 0x0100_0007, 2]).f32(&[10.0, 20.0, 30.0]);
    let level = bytes.read::<DegradeInfo>(0x1100_0001).levels[0];
    assert_eq!((level.model, level.mode), (RecordId(0x0100_0007), 2));
    assert_eq!((level.min, level.ideal, level.max), (10.0, 20.0, 30.0));
}

#[test]
fn palette() {
    let bytes = Bytes::default().u32(&[0x0400_0001, 2]).u8(&[1, 2, 3, 4, 5, 6, 7, 8]);
    let palette = bytes.read::<Palette>(0x0400_0001);
    assert_eq!(palette.colours, [Colour(0x0403_0201), Colour(0x0807_0605)], "bytes B, G, R, A");
}

#[test]
fn scene() {
    let bytes = Bytes::default()
        .u32(&[0x1200_0001, 1, 0x0200_0009])
        .frame(1.5)
        .f32(&[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
        .u32(&[11, 12, 13]);
    let object = bytes.read::<Scene>(0x1200_0001).objects[0];
    assert_eq!((object.object, object.frame.origin.x), (RecordId(0x0200_0009), 1.5));
    assert_eq!((object.frequency, object.displace_x, object.displace_y), (0.1, 0.2, 0.3));
    assert_eq!((object.min_scale, object.max_scale, object.max_rotation), (0.4, 0.5, 0.6));
    assert_eq!((object.min_slope, object.max_slope), (0.7, 0.8));
    assert_eq!((object.align, object.orient, object.weenie), (11, 12, 13));
}

#[test]
fn animation() {
    let bytes = Bytes::default()
        .u32(&[0x0300_0001, 3, 1, 2])
        .frame(10.0) // root motion of both frames first
        .frame(11.0)
        .frame(20.0)
        .u32(&[0])
        .frame(21.0)
        .u32(&[2])
        .u32(&[21, 1, 0x0A00_0001])
        .f32(&[0.25, 3.0, 0.75]) // probability, priority, volume
        .u32(&[13, u32::MAX, 0x3200_0001, 4])
        .frame(30.0)
        .u32(&[5]);
    let animation = bytes.read::<Animation>(0x0300_0001);
    let root: Vec<_> = animation.root_motion.iter().flatten().map(|f| f.origin.x).collect();
    assert_eq!(root, [10.0, 11.0]);
    assert_eq!(animation.frame(1).unwrap()[0].origin.x, 21.0);
    assert_eq!(animation.frame(2), None);
    let [sound, particle] = &animation.hooks[..] else { panic!("{:?}", animation.hooks) };
    assert_eq!((sound.frame, sound.hook.direction), (1, 1));
    let wave = RecordId(0x0A00_0001);
    let tweaked = HookAction::SoundTweaked { wave, probability: 0.25, priority: 3.0, volume: 0.75 };
    assert_eq!(sound.hook.action, tweaked);
    assert_eq!(particle.hook.direction, -1);
    let HookAction::CreateParticle(hook) = &particle.hook.action else { panic!("{particle:?}") };
    assert_eq!((hook.info, hook.part, hook.emitter), (RecordId(0x3200_0001), 4, 5));
    assert_eq!(hook.frame.origin.x, 30.0);
}

#[test]
fn motion_table() {
    let bytes = Bytes::default()
        .u32(&[0x0900_0001, 0x8000_003D, 1, 0x8000_003D, 0x4100_0003])
        .u32(&[1, 0x003D_0005])
        .u8(&[1, 2, 3, 0]) // animations, behaviour, both vectors, padding
        .u32(&[0x0300_0001, 4, u32::MAX])
        .f32(&[30.0])
        .f32(&[0.0, 3.12, 0.0])
        .f32(&[0.0, 0.0, 1.5])
        .u32(&[0, 1, 0x003D_0003, 1, 0x4500_0005])
        .u8(&[0, 1, 2, 0])
        .f32(&[7.0, 8.0, 9.0]);
    let table = bytes.read::<MotionTable>(0x0900_0001);
    assert_eq!(table.stance_defaults[0].motion, 0x4100_0003);
    let walk = &table.cycles[0];
    assert_eq!((walk.key, walk.behaviour), (motion_key(0x8000_003D, 0x4500_0005), 2));
    let span = walk.animations[0];
    assert_eq!((span.animation, span.low, span.high), (RecordId(0x0300_0001), 4, -1));
    assert_eq!(span.framerate, 30.0);
    assert_eq!(walk.velocity.as_deref(), Some(&Vec3::new(0.0, 3.12, 0.0)));
    assert_eq!(walk.omega.as_deref(), Some(&Vec3::new(0.0, 0.0, 1.5)));
    let link = &table.links[0];
    assert_eq!((link.key, link.motions[0].key), (0x003D_0003, 0x4500_0005));
    assert_eq!(
        (&link.motions[0].velocity, link.motions[0].omega.as_deref()),
        (&None, Some(&Vec3::new(7.0, 8.0, 9.0)))
    );
}

#[test]
fn setup() {
    let bytes = Bytes::default()
        .u32(&[0x0200_0001, 7, 1, 0x0100_0005])
        .u32(&[9]) // parents
        .f32(&[1.0, 2.0, 3.0]) // scales
        .u32(&[1, 21, 22])
        .frame(4.0) // holding location
        .u32(&[0]) // connection points
        .u32(&[1, 0x65])
        .frame(5.0)
        .u32(&[0]) // placement without hooks
        .u32(&[1])
        .f32(&[0.1, 0.2, 0.3, 0.5, 4.0]) // cylinder: low point, radius, height
        .u32(&[1])
        .f32(&[0.0, 0.0, 0.475, 0.48]) // sphere
        .f32(&[1.835, 0.49, 0.6, 1.5]) // height, radius, step up, step down
        .f32(&[1.0, 1.0, 1.0, 11.0])
        .f32(&[2.0, 2.0, 2.0, 12.0])
        .u32(&[1, 31])
        .frame(6.0)
        .u32(&[0xFF11_2233])
        .f32(&[100.0, 5.0, 0.25])
        .u32(&[0x0300_0001, 0x3300_0002, 0x0900_0003, 0x2000_0004, 0x3400_0005]);
    let setup = bytes.read::<SetupRecord>(0x0200_0001);
    assert!(setup.free_heading && !setup.says_physics_tree);
    assert_eq!(
        (setup.parents.as_deref(), setup.scales.as_deref()),
        (Some(&[9][..]), Some(&[Vec3::new(1.0, 2.0, 3.0)][..]))
    );
    let held = setup.holding_locations[0];
    assert_eq!((held.key, held.part, held.frame.origin.x), (21, 22, 4.0));
    assert_eq!(setup.static_pose().unwrap().frames[0].origin.x, 5.0);
    let cylinder = SetupCylinder { low_point: Vec3::new(0.1, 0.2, 0.3), radius: 0.5, height: 4.0 };
    assert_eq!(setup.cylinders, [cylinder]);
    assert_eq!(
        (setup.height, setup.radius, setup.step_up, setup.step_down),
        (1.835, 0.49, 0.6, 1.5)
    );
    assert_eq!((setup.sorting_sphere.radius, setup.selection_sphere.radius), (11.0, 12.0));
    let light = setup.lights[0];
    assert_eq!((light.key, light.frame.origin.x, light.colour), (31, 6.0, Colour(0xFF11_2233)));
    assert_eq!((light.intensity, light.falloff, light.cone), (100.0, 5.0, 0.25));
    let defaults = setup.defaults;
    let ids = [
        defaults.animation,
        defaults.script,
        defaults.motion_table,
        defaults.sound_table,
        defaults.script_table,
    ];
    assert_eq!(
        ids.map(|id| id.0),
        [0x0300_0001, 0x3300_0002, 0x0900_0003, 0x2000_0004, 0x3400_0005]
    );
}

#[test]
fn restrictions_of_a_landblock_follow_its_buildings() {
    let bytes = Bytes::default()
        .u32(&[0xA9B4_FFFE, 2, 0])
        .u16(&[1, 1]) // buildings, pack mask
        .u32(&[0x0100_0200])
        .frame(60.0)
        .u32(&[17, 1])
        .u16(&[3, 0x0100, 4, 3, 0x0100, 0x0101, 0x0102]) // portal with three cells, then padding
        .u16(&[0])
        .u16(&[1, 64]) // count, buckets
        .u32(&[0xA9B4_0001, 0x7000_0001]);
    let info = bytes.read::<LandBlockInfo>(0xA9B4_FFFE);
    let BuildingInfo { model, frame, leaves, portals } = &info.buildings[0];
    assert_eq!((*model, frame.origin.x, *leaves), (RecordId(0x0100_0200), 60.0, 17));
    assert_eq!((portals[0].other_cell, portals[0].other_portal), (0x0100, 4));
    assert_eq!(portals[0].visible[..], [0x0100, 0x0101, 0x0102]);
    let table = info.restrictions.unwrap();
    let guard = Restriction { cell: CellId(0xA9B4_0001), object: RecordId(0x7000_0001) };
    assert_eq!((table.buckets, &table.entries[..]), (64, &[guard][..]));
}

#[test]
fn region() {
    let heights: Vec<f32> = (0..256_u16).map(|i| f32::from(i) * 2.0).collect();
    let bytes = Bytes::default()
        .u32(&[0x1300_0000, 5, 3])
        .u8(&[3, 0, b'A', b'b', b'c', 0, 0, 0]) // length, text, padding
        .u32(&[255, 254])
        .f32(&[24.0])
        .u32(&[8, 1])
        .f32(&[200.0, 1000.0, 5.0])
        .f32(&heights)
        .f64(&[3600.0])
        .u32(&[10])
        .f32(&[7620.0])
        .u32(&[360])
        .u8(&[0, 0, 0, 0])
        .u32(&[1])
        .f32(&[0.5])
        .u32(&[1])
        .u8(&[1, 0, b'T', 0])
        .u32(&[1])
        .u8(&[1, 0, b'W', 0])
        .u32(&[1, 90])
        .u8(&[1, 0, b'S', 0])
        .u32(&[0x213]) // sky, sound, scene, misc; the terrain needs no bit
        .f64(&[2.0, 20.0])
        .u32(&[1])
        .f32(&[0.5])
        .u8(&[1, 0, b'D', 0])
        .u32(&[1])
        .f32(&[0.1, 0.2, 30.0, 40.0, 0.5, 0.6]) // sky object
        .u32(&[0x0100_0001, 0x3300_0001, 4])
        .u32(&[1])
        .f32(&[0.25, 1.0, 120.0, 50.0]) // sky time
        .u32(&[0xFF00_0001])
        .f32(&[0.4])
        .u32(&[0xFF00_0002])
        .f32(&[100.0, 500.0])
        .u32(&[0xFF00_0003, 1, 1])
        .u32(&[0, 0x0100_0002])
        .f32(&[5.0, -1.0, 0.5, 0.75]) // replacement
        .u32(&[1, 0x2000_0001, 1, 8])
        .f32(&[0.1, 0.2, 0.3, 0.4]) // ambient sound
        .u32(&[1, u32::MAX, 1, 0x1200_0001]) // scene type
        .u32(&[1])
        .u8(&[1, 0, b'G', 0])
        .u32(&[0xFF00_8000, 1, 0]) // terrain type
        .u32(&[0, 256, 1, 8, 0x0500_0001, 1, 9, 0x0500_0002, 1, 10, 0x0500_0003]) // merge, three kinds of masks
        .u32(&[1, 32, 0x0500_0004, 2, 11, 12, 13, 14, 15, 16, 4, 0x0500_0005])
        .u32(&[6, 0x0600_0001, 0x0600_0002, 7, 0x0100_0008, 0x0200_0009]);
    let region = bytes.read::<RegionDesc>(0x1300_0000);
    assert_eq!((region.number, region.name.to_string()), (5, "Abc".to_owned()));
    assert_eq!(
        (region.land.blocks_x, region.land.blocks_y, region.land.road_width),
        (255, 254, 5.0)
    );
    assert_eq!(region.heights[200], 400.0);
    let time = &region.time;
    assert_eq!((time.zero_year, time.day_length, time.days_per_year), (10, 7620.0, 360));
    assert_eq!((time.times_of_day[0].begin, time.times_of_day[0].night), (0.5, true));
    assert_eq!((time.week_days[0].to_string(), time.seasons[0].begin_day), ("W".to_owned(), 90));
    let group = &region.sky.as_ref().unwrap().day_groups[0];
    let object = group.objects[0];
    assert_eq!(
        (object.begin_time, object.end_time, object.begin_angle, object.end_angle),
        (0.1, 0.2, 30.0, 40.0)
    );
    assert_eq!(
        (object.texture_velocity, object.model, object.script),
        ([0.5, 0.6], RecordId(0x0100_0001), RecordId(0x3300_0001))
    );
    let light = &group.times[0];
    assert_eq!(
        (light.begin, light.sun_brightness, light.sun_heading, light.sun_pitch),
        (0.25, 1.0, 120.0, 50.0)
    );
    assert_eq!(
        (light.sun_colour, light.ambient_brightness, light.ambient_colour),
        (Colour(0xFF00_0001), 0.4, Colour(0xFF00_0002))
    );
    assert_eq!(
        (light.fog_near, light.fog_far, light.fog_colour),
        (100.0, 500.0, Colour(0xFF00_0003))
    );
    let change = light.replacements[0];
    assert_eq!(
        (change.rotate, change.transparent, change.luminosity, change.max_bright),
        (5.0, -1.0, 0.5, 0.75)
    );
    let sound = region.sounds.as_ref().unwrap()[0].sounds[0];
    assert_eq!(
        (sound.sound, sound.volume, sound.base_chance, sound.min_rate, sound.max_rate),
        (8, 0.1, 0.2, 0.3, 0.4)
    );
    let scenes = &region.scene_types.as_ref().unwrap()[0];
    assert_eq!((scenes.sounds, &scenes.scenes[..]), (-1, &[RecordId(0x1200_0001)][..]));
    assert_eq!(region.terrain.types[0].map_colour, Colour(0xFF00_8000));
    let merge = &region.terrain.textures;
    let codes = [&merge.corner_maps, &merge.side_maps, &merge.road_maps].map(|maps| maps[0].code);
    assert_eq!((merge.base_size, codes), (256, [8, 9, 10]));
    let road = merge.textures[0];
    assert_eq!((road.terrain_type, road.tiling, road.variation), (32, 2, [11, 12, 13, 14, 15, 16]));
    assert_eq!((road.detail_tiling, road.detail_texture), (4, RecordId(0x0500_0005)));
    let misc = region.misc.unwrap();
    assert_eq!(
        (misc.version, misc.game_map, misc.autotest_map),
        (6, RecordId(0x0600_0001), RecordId(0x0600_0002))
    );
    assert_eq!(
        (misc.autotest_size, misc.clear_cell, misc.clear_monster),
        (7, RecordId(0x0100_0008), RecordId(0x0200_0009))
    );
}
