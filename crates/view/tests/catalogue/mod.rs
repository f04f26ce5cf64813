//! Graphs of rooms that are hard for a portal walk.

#![allow(dead_code, reason = "every test file uses some of it")]

use threshold_land::vector::Vec3;
use threshold_testkit::Random;

use crate::graph::{Graph, To, across};

/// Rooms of 4 x 4 x 3 m around a solid block, with a door from each to the next.
pub(crate) fn ring() -> Graph {
    let mut graph = Graph::new();
    let places = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)];
    let places = places.map(|(x, y)| (x as f32 * 4.0, y as f32 * 4.0));
    for (x, y) in places {
        graph.room([x, y, 0.0], [x + 4.0, y + 4.0, 3.0]);
    }
    for (room, (x, y)) in places.into_iter().enumerate() {
        let next = (room + 1) % places.len();
        let door = match places[next] {
            (to, _) if to > x => across(0, x + 4.0, [y + 0.5, 0.0], [y + 3.5, 2.3]),
            (to, _) if to < x => turned_across(0, x, [y + 0.5, 0.0], [y + 3.5, 2.3]),
            (_, to) if to > y => across(1, y + 4.0, [0.0, x + 0.5], [2.3, x + 3.5]),
            _ => turned_across(1, y, [0.0, x + 0.5], [2.3, x + 3.5]),
        };
        graph.join(room, next, door);
    }
    graph
}

fn turned_across(axis: usize, at: f32, from: [f32; 2], to: [f32; 2]) -> Vec<Vec3> {
    crate::graph::turned(&across(axis, at, from, to))
}

/// A closet whose four doors lead to halls that are larger than the space around the closet, so that they overlap. A fifth
/// hall is behind all of them.
pub(crate) fn larger_inside() -> Graph {
    let mut graph = Graph::new();
    let closet = graph.room([0.0, 0.0, 0.0], [2.0, 2.0, 3.0]);
    let east = graph.room([2.0, -10.0, -2.0], [22.0, 12.0, 8.0]);
    let north = graph.room([-10.0, 2.0, -2.0], [12.0, 22.0, 8.0]);
    let west = graph.room([-20.0, -10.0, -2.0], [0.0, 12.0, 8.0]);
    let south = graph.room([-10.0, -20.0, -2.0], [12.0, 0.0, 8.0]);
    graph.join(closet, east, across(0, 2.0, [0.5, 0.0], [1.5, 2.0]));
    graph.join(closet, north, across(1, 2.0, [0.0, 0.5], [2.0, 1.5]));
    graph.join(closet, west, turned_across(0, 0.0, [0.5, 0.0], [1.5, 2.0]));
    graph.join(closet, south, turned_across(1, 0.0, [0.0, 0.5], [2.0, 1.5]));
    let last = graph.room([-60.0, -60.0, -20.0], [60.0, 60.0, 20.0]);
    graph.join(east, last, across(0, 22.0, [-8.0, 0.0], [10.0, 6.0]));
    graph.join(north, last, across(1, 22.0, [0.0, -8.0], [6.0, 10.0]));
    graph.join(west, last, turned_across(0, -20.0, [-8.0, 0.0], [10.0, 6.0]));
    graph.join(south, last, turned_across(1, -20.0, [0.0, -8.0], [6.0, 10.0]));
    graph.exit(last, across(0, 60.0, [-50.0, 0.0], [50.0, 15.0]));
    graph
}

/// Two levels that share their ground plan, with holes in the floor between and a gallery beside both.
pub(crate) fn levels() -> Graph {
    let mut graph = Graph::new();
    let low = graph.room([0.0, 0.0, 0.0], [10.0, 10.0, 3.0]);
    let high = graph.room([0.0, 0.0, 3.0], [10.0, 10.0, 6.0]);
    let cellar = graph.room([0.0, 0.0, -3.0], [10.0, 10.0, 0.0]);
    let gallery = graph.room([10.0, 0.0, -3.0], [14.0, 10.0, 6.0]);
    for (x, y) in [(1.0, 1.0), (6.0, 1.0), (1.0, 6.0), (6.0, 6.0)] {
        graph.join(low, high, across(2, 3.0, [x, y], [x + 2.5, y + 2.5]));
        graph.join(cellar, low, across(2, 0.0, [x + 1.0, y], [x + 2.0, y + 3.0]));
    }
    for (room, floor) in [(low, 0.0), (high, 3.0), (cellar, -3.0)] {
        graph.join(room, gallery, across(0, 10.0, [2.0, floor], [8.0, floor + 2.5]));
    }
    graph
}

/// Two rooms with a room of no thickness between them, whose two portals are the same polygon. Beside it a wall with two
/// portals that coincide and lead to different rooms.
pub(crate) fn no_thickness() -> Graph {
    let mut graph = Graph::new();
    let first = graph.room([0.0, 0.0, 0.0], [4.0, 4.0, 3.0]);
    let skin = graph.room([4.0, 0.0, 0.0], [4.0, 4.0, 3.0]);
    let last = graph.room([4.0, 0.0, 0.0], [8.0, 4.0, 3.0]);
    let door = across(0, 4.0, [1.0, 0.0], [3.0, 2.3]);
    graph.join(first, skin, door.clone()).join(skin, last, door);
    let (left, right) = (
        graph.room([0.0, 4.0, 0.0], [4.0, 9.0, 3.0]),
        graph.room([0.0, 4.0, 0.0], [4.0, 9.0, 3.0]),
    );
    let hatch = across(1, 4.0, [0.5, 0.5], [2.5, 3.5]);
    graph.join(first, left, hatch.clone()).join(first, right, hatch);
    let beyond = graph.room([0.0, 9.0, 0.0], [4.0, 12.0, 3.0]);
    let window = across(1, 9.0, [0.5, 0.5], [2.0, 3.0]);
    graph.join(left, beyond, window.clone()).join(right, beyond, window);
    graph
}

/// A wall of four portals that share edges and a corner, two to one room and two to others. All these rooms are open to one
/// more.
pub(crate) fn shared_edges() -> Graph {
    let mut graph = Graph::new();
    let first = graph.room([0.0, 0.0, 0.0], [4.0, 4.0, 4.0]);
    let lower = graph.room([4.0, 0.0, 0.0], [8.0, 4.0, 2.0]);
    let left = graph.room([4.0, 0.0, 2.0], [8.0, 2.0, 4.0]);
    let right = graph.room([4.0, 2.0, 2.0], [8.0, 4.0, 4.0]);
    let last = graph.room([8.0, 0.0, 0.0], [12.0, 4.0, 4.0]);
    for y in [0.0, 2.0] {
        graph.join(first, lower, across(0, 4.0, [y, 0.0], [y + 2.0, 2.0]));
        graph.join(lower, last, across(0, 8.0, [y, 0.0], [y + 2.0, 2.0]));
    }
    for (room, y) in [(left, 0.0), (right, 2.0)] {
        graph.join(first, room, across(0, 4.0, [y, 2.0], [y + 2.0, 4.0]));
        graph.join(room, last, across(0, 8.0, [y, 2.0], [y + 2.0, 4.0]));
    }
    graph.join(left, right, across(1, 2.0, [2.0, 4.0], [4.0, 8.0]));
    graph.exit(last, across(0, 12.0, [1.0, 1.0], [3.0, 3.0]));
    graph
}

/// Rooms of 4 m in a row, with walls of `columns` by `rows` slits between them, and a door at the end.
pub(crate) fn slits(columns: usize, rows: usize) -> Graph {
    let mut graph = Graph::new();
    let all: Vec<usize> = (0..4)
        .map(|number| {
            let x = number as f32 * 4.0;
            graph.room([x, 0.0, 0.0], [x + 4.0, 8.0, 3.0])
        })
        .collect();
    for pair in all.windows(2) {
        let x = graph.rooms[pair[1]].low.x;
        for (column, row) in (0..columns).flat_map(|c| (0..rows).map(move |r| (c, r))) {
            let (width, height) = (8.0 / columns as f32, 3.0 / rows as f32);
            let (y, z) = (column as f32 * width, row as f32 * height);
            let to = [y + width * 0.6, z + height * 0.7];
            graph.join(pair[0], pair[1], across(0, x, [y + width * 0.1, z + height * 0.2], to));
        }
    }
    graph.exit(all[3], across(0, 16.0, [3.0, 0.0], [5.0, 2.3]));
    graph
}

/// A room whose portals lead back into itself, and two rooms in the same space that lead into each other many times.
pub(crate) fn mirrors() -> Graph {
    let mut graph = Graph::new();
    let mirror = graph.room([0.0, 0.0, 0.0], [4.0, 4.0, 3.0]);
    graph.join(mirror, mirror, across(0, 4.0, [0.5, 0.5], [3.5, 2.5]));
    graph.open(mirror, across(1, 4.0, [0.5, 0.5], [2.5, 3.5]), To::Room(mirror, 2));
    let ping = graph.room([0.0, -20.0, 0.0], [40.0, -16.0, 3.0]);
    let pong = graph.room([0.0, -20.0, 0.0], [40.0, -16.0, 3.0]);
    for step in 0..12 {
        let x = 2.0 + step as f32 * 3.0;
        let (from, to) = if step % 2 == 0 { (ping, pong) } else { (pong, ping) };
        graph.join(from, to, across(0, x, [-19.5, 0.2], [-16.5, 2.8]));
    }
    graph.join(mirror, ping, turned_across(1, 0.0, [0.5, 0.5], [2.5, 3.5]));
    graph
}

/// Portals of almost no area or width, warped by a millimetre, or with repeated corners.
pub(crate) fn degenerate() -> Graph {
    let mut graph = Graph::new();
    let first = graph.room([0.0, 0.0, 0.0], [4.0, 4.0, 3.0]);
    let last = graph.room([4.0, 0.0, 0.0], [8.0, 4.0, 3.0]);
    graph.join(first, last, across(0, 4.0, [0.1, 0.1], [0.102, 0.102]));
    graph.join(first, last, across(0, 4.0, [0.2, 0.1], [0.2005, 2.9]));
    let mut warped = across(0, 4.0, [0.5, 0.5], [1.5, 2.0]);
    warped[2].x += 1e-3;
    graph.join(first, last, warped);
    let mut twice = across(0, 4.0, [2.0, 0.5], [3.0, 2.0]);
    twice.insert(1, twice[0] + Vec3::new(0.0, 2e-6, 0.0));
    twice.push(twice[4]);
    graph.join(first, last, twice);
    let mut in_line = across(0, 4.0, [3.2, 0.5], [3.8, 2.0]);
    in_line.insert(1, (in_line[0] + in_line[1]) / 2.0);
    graph.join(first, last, in_line);
    let far = graph.room([8.0, 0.0, 0.0], [90.0, 4.0, 3.0]);
    graph.join(last, far, across(0, 8.0, [0.0, 0.0], [4.0, 3.0]));
    graph.exit(far, across(0, 90.0, [1.999, 0.0], [2.001, 3.0]));
    graph
}

/// Portals that lead to rooms that do not exist, or name missing or wrong portals as their way back.
pub(crate) fn wrong_numbers() -> Graph {
    let mut graph = Graph::new();
    let first = graph.room([0.0, 0.0, 0.0], [4.0, 4.0, 3.0]);
    let last = graph.room([4.0, 0.0, 0.0], [8.0, 4.0, 3.0]);
    graph.open(first, across(0, 4.0, [0.5, 0.5], [1.5, 2.0]), To::Room(last, 77));
    graph.open(first, across(0, 4.0, [2.0, 0.5], [3.0, 2.0]), To::Room(last, -1));
    graph.open(first, across(1, 4.0, [0.5, 0.5], [2.5, 3.5]), To::Room(500, 0));
    graph.open(last, turned_across(0, 4.0, [0.5, 0.5], [1.5, 2.0]), To::Room(first, 2));
    graph.open(last, across(0, 8.0, [0.5, 0.5], [3.5, 2.0]), To::Room(501, 3));
    graph.exit(last, across(1, 4.0, [0.5, 4.5], [2.5, 7.5]));
    graph
}

/// Rooms of 4 m side by side, above and behind each other, every wall between them open.
pub(crate) fn grid(counts: [usize; 3]) -> Graph {
    let mut graph = Graph::new();
    let [east, north, up] = counts;
    let number = |x: usize, y: usize, z: usize| (x * north + y) * up + z;
    let all = (0..east).flat_map(|x| (0..north).map(move |y| (x, y)));
    let all: Vec<_> = all.flat_map(|(x, y)| (0..up).map(move |z| [x, y, z])).collect();
    for place in &all {
        let low = place.map(|at| at as f32 * 4.0);
        graph.room(low, low.map(|at| at + 4.0));
    }
    for place in &all {
        let [x, y, z] = *place;
        let room = number(x, y, z);
        let (low, high) = (graph.rooms[room].low, graph.rooms[room].high);
        for axis in 0..3 {
            let mut next = *place;
            next[axis] += 1;
            if next[axis] < counts[axis] {
                let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
                let wall = across(axis, high[axis], [low[u], low[v]], [high[u], high[v]]);
                graph.join(room, number(next[0], next[1], next[2]), wall);
            }
        }
    }
    graph
}

/// A hall with two portals into one room, a large one at the far end and a small one in front of it. What lies between the
/// two shows through the small one alone.
pub(crate) fn free_standing() -> Graph {
    let mut graph = Graph::new();
    let hall = graph.room([0.0, 0.0, 0.0], [10.0, 8.0, 6.0]);
    let other = graph.room([0.0, 0.0, 0.0], [14.0, 8.0, 6.0]);
    let between = graph.room([7.0, 0.0, 0.0], [9.0, 8.0, 6.0]);
    graph.join(hall, other, across(0, 10.0, [0.0, 0.0], [8.0, 6.0]));
    graph.join(hall, other, across(0, 4.0, [3.5, 2.5], [4.5, 3.5]));
    graph.join(other, between, across(0, 7.0, [2.0, 1.0], [6.0, 5.0]));
    graph.exit(between, across(0, 9.0, [2.0, 1.0], [6.0, 5.0]));
    graph
}

/// Rooms in a row with round portals, of more sides than a region may have.
pub(crate) fn round() -> Graph {
    let mut graph = Graph::new();
    let rooms: Vec<usize> = (0..4)
        .map(|number| {
            graph.room([number as f32 * 4.0, 0.0, 0.0], [number as f32 * 4.0 + 4.0, 4.0, 4.0])
        })
        .collect();
    for pair in rooms.windows(2) {
        let x = graph.rooms[pair[1]].low.x;
        let corner = |number: u8| {
            let turn = f32::from(number) * std::f32::consts::TAU / 40.0;
            Vec3::new(x, 2.0 + 1.5 * libm::cosf(turn), 2.0 + 1.5 * libm::sinf(turn))
        };
        graph.join(pair[0], pair[1], (0..40).map(corner).collect());
    }
    graph
}

/// Rooms in one place, with random portals between them, of any shape and direction.
pub(crate) fn by_chance(rooms: usize, openings: usize, random: &mut Random) -> Graph {
    let mut graph = Graph::new();
    for _ in 0..rooms {
        graph.room([-8.0; 3], [8.0; 3]);
    }
    for _ in 0..openings {
        let corners = polygon_by_chance(random);
        let from = random.below(rooms);
        match random.below(rooms + 1) {
            to if to == rooms => graph.exit(from, corners),
            to => graph.join(from, to, corners),
        };
    }
    graph
}

fn polygon_by_chance(random: &mut Random) -> Vec<Vec3> {
    let mut vector = |reach: f64| {
        let mut pick = || random.between(-reach, reach) as f32;
        Vec3::new(pick(), pick(), pick())
    };
    let (middle, normal) = (vector(6.0), vector(1.0).normalize());
    let (u, v) = normal.any_orthonormal_pair();
    let (radius, count) = (random.between(1.0, 6.0), 3 + random.below(5));
    let corner = |number: usize| {
        let turn =
            (number as f64 + random.between(0.0, 0.8)) * std::f64::consts::TAU / count as f64;
        u * (libm::cos(turn) * radius) as f32 + v * (libm::sin(turn) * radius) as f32
    };
    (0..count).map(corner).map(|aside| middle + aside).collect()
}

/// All graphs that are not large, with their names.
pub(crate) fn all() -> Vec<(&'static str, Graph)> {
    vec![
        ("ring", ring()),
        ("larger inside", larger_inside()),
        ("levels", levels()),
        ("no thickness", no_thickness()),
        ("shared edges", shared_edges()),
        ("slits", slits(5, 3)),
        ("many slits", slits(10, 8)),
        ("mirrors", mirrors()),
        ("round", round()),
        ("free-standing", free_standing()),
        ("degenerate", degenerate()),
        ("wrong numbers", wrong_numbers()),
        ("open grid", grid([6, 5, 3])),
    ]
}
