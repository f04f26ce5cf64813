//! Every mistake in a text is located at the wrong word.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a test fails on unexpected values"
)]

use threshold_forge::text;

/// Checks the one error of a text. The text marks the wrong word with a `^` before it.
#[track_caller]
fn check(marked: &str, message: &str) {
    let text = marked.replacen('^', "", 1);
    let before = &marked[..marked.find('^').expect("a mark")];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or(before).chars().count() + 1;
    let error = text::read(&text).expect_err(marked);
    let got = (error.line, error.column, error.message.as_str());
    assert_eq!(got, (line, column, message), "{marked}");
}

/// In a plan with two rooms side by side, `a` and `b`.
#[track_caller]
fn check_in_plan(marked: &str, message: &str) {
    check(&format!("plan p\nroom a 0,0,0 to 4,4,3\nroom b 4,0,0 to 8,4,3\n{marked}"), message);
}

#[test]
fn unknown_words_get_a_suggestion() {
    check("^rom a", "unknown statement \"rom\"; did you mean \"room\"?");
    check("plan p\n ^rom a", "unknown statement \"rom\"; did you mean \"room\"?");
    check("^xyzzy", "unknown statement \"xyzzy\"");
    check("^\"plan\" p", "a statement starts with a word without quotes");
    check("^room a", "\"room\" belongs to a plan, and no plan comes before it");
    check("land A9B4\n  ^room a", "\"room\" belongs to a plan, but the current section is a land");
    check("world ^fancy", "\"fancy\" is not a kind of world");
    check("world ^plane", "\"plane\" is not a kind of world; did you mean \"plain\"?");
    check_in_plan("join a b ^dor east", "\"dor\" is not an opening; did you mean \"door\"?");
    check_in_plan("join a b door ^eest", "\"eest\" is not a face; did you mean \"east\"?");
    check_in_plan("room c ^cube 0,0,0", "\"cube\" is not a shape");
    check_in_plan(
        "room c 0,9,0 to 1,10,1 ^wals brick",
        "unexpected \"wals\"; did you mean \"walls\"?",
    );
    check_in_plan(
        "room c 0,9,0 to 1,10,1 of ^brik",
        "unknown material \"brik\"; did you mean \"brick\"?",
    );
    check_in_plan("exit a whole south ^size 1,1", "unexpected \"size\"");
    check_in_plan("put a ^barel at 1,1,0", "unknown thing \"barel\"; did you mean \"barrel\"?");
    check(
        "land A9B4\n  paint everywhere ^gras",
        "unknown kind of ground \"gras\"; did you mean \"grass\"?",
    );
    check("land A9B4\n  lake ^ring 0,0", "\"ring\" is not an area");
}

#[test]
fn missing_words_are_located_after_the_last_one() {
    check("plan^", "the name of a plan is missing");
    check("plan^   # here", "the name of a plan is missing");
    check("plan p\nroom a^", "a shape is missing");
    check("plan p\nroom a 0,0,0^", "\"to\" is missing");
    check("plan p\nroom a 0,0,0 ^1,1,1", "\"to\" expected, not \"1,1,1\"");
    check("plan p\nroom a 0,0,0 to^", "a corner x,y,z is missing");
    check("plan p\nroom a 0,0,0 to^ \\\n", "a corner x,y,z is missing");
    check("land A9B4\n  hill 1,1 radius^", "the radius is missing");
    check("land A9B4\n  road^", "a point x,y of the road: at least 2 points expected, not 0");
    check("land A9B4\n  road 1,1^", "a point x,y of the road: at least 2 points expected, not 1");
    check("plan p\nbuilding p A9B4^", "\"at\" and a position are missing");
    check("plan p\nbuilding p A9B4 heading 5^", "\"at\" and a position are missing");
    check("landblock 0101\nheights row 0 1 2^", "a height is missing");
    check("landblock 0101\nheights 4 to ^1,1", "\"at\" and the first corner are missing");
    check_in_plan(
        "block a 0,0,0 to 1,1,1 times ^3",
        "\"step\" x,y,z is missing: the offset from one copy to the next",
    );
}

#[test]
fn numbers_are_required_where_they_belong() {
    check("land A9B4 height ^tall", "\"tall\" is not a number (the height)");
    check("land A9B4 height ^1.2.3", "\"1.2.3\" is not a number (the height)");
    check("land A9B4 height ^nan", "\"nan\" is not a number (the height)");
    check("land A9B4 height ^inf", "\"inf\" is not a number (the height)");
    check("world dressed ^-1", "the seed is -1; 0 to 18446744073709551615 expected");
    check("world dressed ^1.5", "\"1.5\" is not a whole number (the seed)");
    check(
        "plan p\nroom a ^0,0 to 1,1,1",
        "a corner x,y,z expected: 3 numbers separated by commas without spaces, not 2",
    );
    check("plan p\nroom a 0,^x,0 to 1,1,1", "\"x\" is not a number (a corner x,y,z)");
    check(
        "plan p\nroom a 0,^ 0, 0 to 1,1,1",
        "a number is missing: a corner x,y,z has no spaces around its commas",
    );
    check("plan p\nroom ^1,2,3 to 1,1,1", "the name of a room expected, not \"1,2,3\"");
    check("plan ^\"\"", "the name of a plan expected, not \"\"");
    check("land ^home", "\"home\" is not a landblock: four hexadecimal digits, as in A9B4");
    check(
        "thing t\n  lamp at 0,0,0 colour ^red reach 1",
        "\"red\" is not a colour: six hexadecimal digits, as in FFD080",
    );
    check_in_plan("put a mover at ^1,1", "a height is missing: positions indoors are x,y,z");
    check_in_plan(
        "put a mover at ^1",
        "a position expected: 2 or 3 numbers separated by commas without spaces, not 1",
    );
    check_in_plan("put a mover at 1,1,0 turn ^0,0,0,0", "the rotation has zero length");
    check_in_plan(
        "put a mover at 1,1,0 heading 4 turn ^1,0,0,0",
        "\"turn\" cannot be combined with heading or tilt",
    );
}

#[test]
fn names_are_defined_once_and_before_they_are_used() {
    check_in_plan("exit ^c door south", "unknown room \"c\"");
    check(
        "plan p\nroom hall 0,0,0 to 1,1,1\nexit ^hal whole south",
        "unknown room \"hal\"; did you mean \"hall\"?",
    );
    check_in_plan("room ^a 0,0,0 to 1,1,1", "room \"a\" is already defined in line 2");
    check("plan p\nplan ^p", "plan \"p\" is already defined in line 1");
    check("building ^p A9B4 at 1,1\nplan p", "unknown plan \"p\"");
    check("define d ball 1\nthing ^d", "thing \"d\" is already defined in line 1");
    check("define ^box ball 1", "\"box\" is a keyword of things and cannot be a name");
    check("scene s\nscene ^s", "scene \"s\" is already defined in line 1");
    check("scene ^nothing", "\"nothing\" means no scene and cannot be a name");
    check("land A9B4\n  grow everywhere ^woods", "unknown scene \"woods\"");
    check("plan p\n^world plain", "\"world\" must be the first statement");
    check("land A9B4 size 2,2\n^land AAB5", "landblock AAB5 already belongs to the land of line 1");
    check_in_plan("put a mover at 1,1,0 ^at 2,2,0", "\"at\" is given twice");
    check("plan ^\"p", "the quote is not closed on this line");
    check("plan ^\\ p", "a \\ continues a statement on the next line and must end this one");
}

#[test]
fn shapes_out_of_range_are_refused() {
    check(
        "plan p\nroom a 0,0,0 to 1,^1e30,1",
        "\"1e30\" is out of range: the maximum is 1000000 (a corner x,y,z)",
    );
    check(
        "plan p\nroom a regular ^1000000 radius 5 from 0 to 3",
        "the number of corners is 1000000; 3 to 64 expected",
    );
    check(
        "plan p\nroom a regular 8 radius ^0 from 0 to 3",
        "the radius is 0; more than 0 expected",
    );
    check_in_plan(
        "stairs a ^from 1,1,0 to 1,1,3 width 1",
        "the two ends must differ in height, and must not be one above the other",
    );
    check("scene s\n plant barrel share ^2", "the share is 2; 0 to 1 expected");
}

#[test]
fn too_many_copies_or_parts_are_refused() {
    check_in_plan(
        "put a mover at 1,1,0 times ^1000000000 step 1,0,0",
        "the number of copies is 1000000000; 1 to 1000 expected",
    );
    check_in_plan(
        "block a 0,0,0 to 1,1,1 times ^99999999999999999999999 step 1,0,0",
        "the number of copies is 99999999999999999999999; 1 to 1000 expected",
    );
    check_in_plan(
        "^block a 0,0,0 to 1,1,1 times 300 step 1,0,0",
        "too many blocks in one room; the maximum is 256",
    );
    check_in_plan(
        "^solid 0,0,0 to 1,1,1 times 300 step 1,0,0",
        "too many solids in one plan; the maximum is 256",
    );
    check(
        "thing t\n^solid 0,0,0 to 1,1,1 times 300 step 1,0,0",
        "too many solids in one thing; the maximum is 256",
    );
    check_in_plan("stairs a ^from 1,1,0 to 2,1,900 width 1", "too many steps; the maximum is 256");
    check_in_plan(
        "block a 0,0,0 to 1,1,1\n^block a 0,0,0 to 1,1,1 times 99 step 0.001,0,0",
        "too many blocks in one room overlap: each is cut along the faces of the others",
    );
    let corners = " 0,0".repeat(64);
    check(&format!("plan p\nroom a prism{corners} ^0,0"), "too many points; the maximum is 64");
    let scenes: String = (0..31).map(|number| format!("scene s{number}\n")).collect();
    check(&format!("{scenes}^scene last"), "too many scenes; the maximum is 31");
    let rooms: String = (0..1001).map(|x| format!("room r{x} {x},0,0 to {x}.5,1,1\n")).collect();
    check(
        &format!("plan p\n{rooms}^dungeon p A9B4 at 0,0,0 times 100 step 0,0,1"),
        "too many rooms; the maximum is 100000",
    );
    check(&format!("^{}", "#".repeat(4 << 20 | 1)), "the text is longer than 4 MiB");
    let long = "y".repeat(50);
    check(&format!("^{long}"), &format!("unknown statement \"{}...\"", &long[..40]));
}

#[test]
fn land_out_of_range_is_refused() {
    check(
        "land A9B4 size ^0,1",
        "whole numbers of landblocks expected, 1 or more each way, up to landblock FEFE",
    );
    check(
        "land F0F0 size ^16,1",
        "whole numbers of landblocks expected, 1 or more each way, up to landblock FEFE",
    );
    check("^land 0000 size 200,200", "too many landblocks of land; the maximum is 1024");
    check("land ^FFFF", "landblock FFFF is off the map, which ends at FEFE");
    check("land A9B4\n roll 3 length ^0", "the length is 0; 1 or more expected");
    check("land A9B4\n road 0,0 ^200,0", "the road leaves the land, which is 192 m by 192 m");
    check("landblock 0101\nheights ^256", "a height is 256; 0 to 255 expected");
    check("landblock 0101\nroads ^4", "a road is 4; 0 to 3 expected");
    check("landblock 0101\nterrain ^32", "unknown kind of ground \"32\"");
    check(
        "landblock 0101\nheights 1 at ^9,0",
        "a corner has whole numbers from 0 to 8, to the east and to the north",
    );
    check(
        "landblock 0101\nput mover at ^200,0",
        "no ground at 200,0: coordinates in a landblock are 0 to 192",
    );
    check(
        "landblock 0101\nput mover at ^100,0 times 3 step 50,0,0",
        "no ground at 200,0: coordinates in a landblock are 0 to 192",
    );
}

#[test]
fn errors_of_the_forge_are_located_in_the_text() {
    let check =
        |statements: &str, message: &str| check(&format!("# a comment\n{statements}"), message);
    check(
        "plan p\n  room hall 0,0,0 to 4,4,3\n  room den 4.5,0,0 to 8,4,3\n  ^join hall den door east\ndungeon p 0102 at 0,0,0",
        "landblock 0102, dungeon 0, room 0 \"hall\" and room 1 \"den\", opening 0: the rooms do not meet in this opening: \
         the opening lies in no wall; the nearest is 0.500 m away",
    );
    check(
        "plan p\n  room hall 0,0,0 to 4,4,3\n  ^room den prism 10,0 18,0 11,1 10,8 from 0 to 3\ndungeon p 0102 at 0,0,0",
        "landblock 0102, dungeon 0, room 1 \"den\": the room is not convex",
    );
    check(
        "plan p\n  room hall 0,0,0 to 4,4,3\n  ^room den 3,0,0 to 8,4,3\ndungeon p 0102 at 0,0,0",
        "landblock 0102, dungeon 0, room 0 \"hall\" and room 1 \"den\": the rooms overlap by 1.000 m",
    );
    check(
        "plan p\n room a 0,0,0 to 9,9,3\n block a 1,1,0 to 2,2,1\n ^block a 8,1,0 to 10,2,1\n block a 5,5,0 to 6,6,1\ndungeon p 0102 at 0,0,0",
        "landblock 0102, dungeon 0, room 0 \"a\": a block reaches 1.000 m out of the room",
    );
    check(
        "plan p\n room a 0,0,0 to 9,9,3\n put a mover at 1,1,0\n ^put a mover at 8,1,0 times 3 step 1,0,0\ndungeon p 0102 at 0,0,0",
        "landblock 0102, dungeon 0, room 0 \"a\", object 3: the origin of the object is 1.000 m outside the room",
    );
    check(
        "plan p\n room a 0,0,0 to 9,9,3\n exit a door south\n ^exit a door south\nbuilding p A9B4 at 1,1",
        "landblock A9B4, building 0, room 0 \"a\", opening 1: the opening overlaps opening 0 by 1.800 m",
    );
    check(
        "plan p\n room a 0,0,0 to 9,9,3\n exit a door south\n solid 0,0,4 to 1,1,5\n ^solid 0,0,4 to 1,1,4\nbuilding p A9B4 at 1,1",
        "landblock A9B4, building 0: a solid of the shell is thinner than 1 mm",
    );
    check(
        "plan p\n room a 0,0,0 to 9,9,3\nbuilding p A9B4 at 1,1\n^building p A9B4 at 20,30",
        "landblock A9B4, building 1, room 0 \"a\": the room reaches 5.000 m out of land cell 0xA9B40002, which the building belongs to",
    );
    check(
        "plan p\n room a 0,0,0 to 9,9,3\nbuilding p A9B4 at 1,1\n^building p A9B4 at 12,12",
        "landblock A9B4, building 1: land cell 0xA9B40001 already has building 0",
    );
    check(
        "plan p\n room a 0,0,0 to 9,9,3\ndungeon p A9B4 at 1,1,0\n^dungeon p A9B4 at 1,8,0",
        "landblock A9B4, dungeon 0, room 0 \"a\" and dungeon 1, room 0 \"a\": the rooms overlap by 2.000 m",
    );
    check(
        "landblock A9B4\n put mover at 1,1,0\n ^put mover at 1,-1,0",
        "landblock A9B4, object 1: the origin of the object is not inside the landblock",
    );
    check(
        "define good ball 1\nthing ^bad\n card grass 0,0,0 1,0,0 2,0,0",
        "object 1: a face of a card of an object has no area",
    );
    check(
        "land A9B4 height 40\n^landblock A9B5\n  heights 7\nland AAB4 height 40",
        "landblock A9B4: height 20 at corner (0, 8), but 7 at the same corner (0, 0) of landblock A9B5",
    );
}

#[test]
fn a_thing_without_a_room_is_distinguished_from_an_unknown_room() {
    let room = "plan a\nroom hall 0,0,0 to 4,4,4\n";
    check(
        &format!("{room}put ^barrel at 1,1,0"),
        "unknown room \"barrel\"; in a plan the room comes before the thing",
    );
    check(
        &format!("{room}put ^hal barrel at 1,1,0"),
        "unknown room \"hal\"; did you mean \"hall\"?",
    );
}

/// Regression: such values were truncated, or silently made unintended worlds.
#[test]
fn impossible_heights_sizes_and_scales_are_refused() {
    check("land A9B4 height ^-50", "the height is -50; 0 to 700 expected");
    check("land A9B4\nlevel everywhere height ^900", "the height is 900; 0 to 700 expected");
    check("land A9B4\nlake everywhere height ^701", "the height is 701; 0 to 700 expected");
    check("define a box ^-1,1,1", "the size x,y,z: more than 0 expected");
    check("define a creature 1 2 steps ^0.6,0", "the step heights up,down: more than 0 expected");
    check(
        "plan a\nroom a 0,0,0 to 4,4,4\nexit a door south size ^1,-2",
        "the size width,height: more than 0 expected",
    );
    check("scene s\nplant barrel scale ^0,1", "the scale min,max: more than 0 expected");
    check("scene s\nplant barrel scale ^2,1", "the smallest scale must come first");
    check("thing ^a\ntouch nothing", "a thing needs a solid or a card");
}

#[test]
fn few_lines_cannot_fill_all_memory() {
    let line = "put mover at 0,0,0 times 1000 step 0.1,0,0\n";
    let many = line.repeat(100);
    check(&format!("landblock 0101\n{many}^{line}"), "too many things; the maximum is 100000");
    let room = "room a 0,0,0 to 100,4,4\n";
    check(
        &format!("plan a\n{room}{}^put a {}", line.replace("put", "put a").repeat(100), &line[4..]),
        "too many things; the maximum is 100000",
    );
    let matter = "block a 0.1,1,0 to 0.2,2,1 times 250 step 0.2,0,0\n";
    check(
        &format!("plan a\n{room}{matter}^dungeon a 0101 at 0,0,0 times 1000 step 0,5,0"),
        "too many blocks and solids; the maximum is 100000",
    );
}
