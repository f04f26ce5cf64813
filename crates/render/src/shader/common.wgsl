// Shared by all shaders: frame, place, lights and fog.

struct Frame {
    // Clip space from points relative to the eye; depth is reversed, 0 is far.
    screen: mat4x4<f32>,
    // Right, up and forward; right and up reach the edge of the screen at a distance of 1.
    right: vec4<f32>,
    up: vec4<f32>,
    ahead: vec4<f32>,
    // Direction towards the sun, and seconds for animation.
    sun: vec4<f32>,
    sun_colour: vec4<f32>,
    // Fog colour, and the distance at which fog ends.
    fog: vec4<f32>,
    // Zenith colour, and the distance at which fog begins.
    zenith: vec4<f32>,
    // x is 1 for flat colours by polygon.
    style: vec4<f32>,
    // Outdoors: ambient light, and brightness of lamps.
    day: vec4<f32>,
    // In a room without daylight: ambient light, and brightness of lamps.
    dark: vec4<f32>,
};

struct Place {
    // From the eye to the origin of the landblock in whole steps; amount of fog.
    offset: vec4<f32>,
    // Remainder of that; brightness of lamps.
    rest: vec4<f32>,
    // Ambient light; share of sunlight.
    ambient: vec4<f32>,
    // Fill colour; amount of soft light.
    fill: vec4<f32>,
    // Texture offset; cell id.
    drift: vec2<f32>,
    cell: u32,
};

struct Lamp {
    // Position in the frame of the landblock, and reach.
    place: vec4<f32>,
    // Colour, and 1 for a lamp outdoors.
    colour: vec4<f32>,
};

// A portal around which the light of a room changes.
struct Skylight {
    // Centre in the frame of the landblock, and reach; negative if it leads to a room without daylight.
    middle: vec4<f32>,
    // Right and up in its plane, each with half its size.
    right: vec4<f32>,
    up: vec4<f32>,
};

struct Lamps {
    // x: number of lamps; y: number of skylights.
    count: vec4<u32>,
    lamps: array<Lamp, 32>,
    skylights: array<Skylight, 16>,
};

@group(0) @binding(0) var<uniform> frame: Frame;
// Plane of the portal through which the region is seen; only fragments beyond it show.
@group(0) @binding(1) var<uniform> opening: vec4<f32>;
@group(1) @binding(0) var<uniform> place: Place;
@group(3) @binding(0) var<uniform> lamps: Lamps;

// Whether fragments in front of the portal are discarded; set only where some may be.
override is_cut: bool = false;

// Shares of the landscape's light and of a dark room's light at a point of a room: 1 at the portal, 0 at its reach, and
// less beside the portal than in front of it. No point is near portals of both kinds.
fn shares(at: vec3<f32>) -> vec2<f32> {
    var shares = vec2<f32>(0.0);
    for (var number = 0u; number < lamps.count.y; number += 1u) {
        let skylight = lamps.skylights[number];
        let offset = at - (skylight.middle.xyz + place.offset.xyz);
        let flat = vec2<f32>(dot(offset, skylight.right.xyz), dot(offset, skylight.up.xyz));
        let aside = length(max(abs(flat) - vec2<f32>(skylight.right.w, skylight.up.w), vec2<f32>(0.0)));
        let before = abs(dot(offset, cross(skylight.right.xyz, skylight.up.xyz)));
        let near = clamp(1.0 - length(vec2<f32>(before, aside)) / abs(skylight.middle.w), 0.0, 1.0);
        let share = near * near * (1.0 - smoothstep(0.0, 0.03 + before, aside));
        let is_dark = skylight.middle.w < 0.0;
        shares = max(shares, select(vec2<f32>(share, 0.0), vec2<f32>(0.0, share), is_dark));
    }
    return shares;
}

fn lit(normal: vec3<f32>, at: vec3<f32>) -> vec3<f32> {
    let share = shares(at);
    let ambient = mix(mix(place.ambient.rgb, frame.day.rgb, share.x), frame.dark.rgb, share.y);
    let sun = mix(place.ambient.a, 1.0, share.x) * (1.0 - share.y);
    let inner = mix(mix(place.rest.w, frame.day.w, share.x), frame.dark.w, share.y);
    let outer = frame.day.w * (1.0 - share.y);
    let own = mix(place.fill.w * (1.0 - share.x), 1.0, share.y);
    let toward = max(dot(normal, frame.sun.xyz), 0.0);
    // Upward faces see more of the sky.
    let sky = 0.75 + 0.25 * normal.z;
    var light = ambient * sky + frame.sun_colour.rgb * toward * sun;
    for (var number = 0u; number < lamps.count.x; number += 1u) {
        let lamp = lamps.lamps[number];
        let to_lamp = lamp.place.xyz + place.offset.xyz - at;
        let far = length(to_lamp);
        let reach = clamp(1.0 - far / lamp.place.w, 0.0, 1.0);
        // Faces turned away get no light, so that a lamp does not light the outside of its own walls.
        let toward_lamp = dot(normal, to_lamp / max(far, 0.001));
        let facing = 0.35 * clamp(1.0 + 4.0 * toward_lamp, 0.0, 1.0) + 0.65 * max(toward_lamp, 0.0);
        light += lamp.colour.rgb * (reach * reach * facing * mix(inner, outer, lamp.colour.a));
    }
    return light + soft(light, normal, at) * own;
}

// Soft light in rooms: from above and one side, so that walls, floor and ceiling differ, and from the eye. It grows as other
// light fades, so that rooms are never black and lamps still dominate.
const ASIDE: vec3<f32> = vec3<f32>(0.355, 0.203, 0.913);
fn soft(light: vec3<f32>, normal: vec3<f32>, at: vec3<f32>) -> vec3<f32> {
    let far = length(at);
    let above = 0.55 + 0.45 * dot(normal, ASIDE);
    let facing = max(dot(normal, -at / max(far, 0.001)), 0.0) / (1.0 + far * far / 80.0);
    let other = dot(light, vec3<f32>(0.3, 0.5, 0.2));
    return vec3<f32>(1.0, 0.96, 0.9) * (0.3 * above + 0.25 * facing) * (0.12 / (0.12 + other));
}

// Fades celestial objects into the haze at the horizon, up to nine degrees. Opaque ones take the colour of the fog;
// transparent ones lose alpha instead, as they may be additive. Near objects such as rain are not affected.
fn hazy(colour: vec4<f32>, at: vec3<f32>, is_whole: bool) -> vec4<f32> {
    let far = length(at);
    let clear = select(smoothstep(0.0, 0.156, at.z / far), 1.0, far < 100.0);
    if is_whole { return vec4<f32>(mix(frame.fog.rgb, colour.rgb, clear), colour.a); }
    return vec4<f32>(colour.rgb, colour.a * clear);
}

fn fogged(colour: vec3<f32>, at: vec3<f32>) -> vec3<f32> {
    let far = length(at);
    let part = clamp((far - frame.zenith.w) / max(frame.fog.w - frame.zenith.w, 1.0), 0.0, 1.0);
    return mix(colour, frame.fog.rgb, part * part * place.offset.w);
}

// Flat colour of a polygon of a cell.
fn flat_colour(cell: u32, polygon: u32) -> vec3<f32> {
    var hash = cell * 0x9E3779B1u + polygon * 0x85EBCA77u;
    hash = (hash ^ (hash >> 15u)) * 0x2C1B3C6Du;
    hash = (hash ^ (hash >> 12u)) * 0x297A2D39u;
    hash = hash ^ (hash >> 15u);
    let bytes = vec3<u32>(hash & 0xFFu, (hash >> 8u) & 0xFFu, (hash >> 16u) & 0xFFu);
    // To linear; the render target encodes the same bytes again.
    let share = vec3<f32>(bytes) / 255.0;
    let high = pow((share + 0.055) / 1.055, vec3<f32>(2.4));
    return select(high, share / 12.92, share <= vec3<f32>(0.04045));
}
