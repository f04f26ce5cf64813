//! Tables of command lines.

/// A command line, its exit code, and part of its message.
pub(super) type Row = (&'static str, i32, &'static str);

const SECONDS: &str = "write seconds above 0, up to 86400";
const ANY_SEED: &str = "write a whole number from 0 to 18446744073709551615";
const POINT: &str = "write three numbers: x,y,z, from -100000 to 100000 metres";
const COORDINATES: &str = "write coordinates from -100000 to 100000 metres";
const SIZE: &str = "write WIDTHxHEIGHT, such as 1280x720, from 1 to 8192 pixels";
const BLOCKS: &str = "from 1 to 32 landblocks a side";
const HEX: &str = "write hexadecimal digits, such as 0x";
const PIPE: &str = "a pipe or device, not a regular file";
const FOLDER: &str = "a folder, not a regular file";
const READ_ONLY: &str = "the file is read-only; make it writable or name another";
const NOT_A_FOLDER: &str = "it is a file; name a folder";
const NOT_A_FILE: &str = "it is a folder; name a file";
const TO_PIPE: &str = "cannot be written: it is a pipe; name a file";
const NO_SUCH: &str = "No such file";
const NO_RULE: &str = "there is no rule";

/// Options that take any text, or are tested elsewhere, with the reason.
pub(super) const EXEMPT: [(&str, &str); 3] = [
    ("play --at", "needs a window; tests/play.rs"),
    ("play --world", "needs a window; other commands test the option"),
    ("play --dats", "needs a window; other commands test the option"),
];

/// Commands none of whose options takes a value.
pub(super) const WITHOUT_VALUES: [&str; 1] = ["verify"];

/// Command lines that are refused. `HOLT` is a folder of data files; `TestFolder` makes the other files.
pub(super) const REFUSED: &[Row] = &[
    // The window.
    ("--seconds 1e300", 2, SECONDS),
    ("play --seconds 0", 2, SECONDS),
    ("play --seconds -5", 2, SECONDS),
    ("play --seconds nan", 2, SECONDS),
    ("play --seconds inf", 2, SECONDS),
    ("play --seconds 1e300", 2, SECONDS),
    ("play --seconds 86401", 2, SECONDS),
    ("play --seconds soon", 2, SECONDS),
    ("play --out text", 1, NOT_A_FOLDER),
    ("play --fly", 2, "unexpected argument '--fly'"),
    // Data files.
    ("inspect nonsense", 1, "no record of kind \"nonsense\""),
    ("inspect 0102", 1, "no record of landblock 0102"),
    ("inspect 0x12", 2, "eight hexadecimal digits"),
    ("inspect --file sound", 2, "possible values: cell, portal, highres, local"),
    ("inspect --dats missing", 1, NO_SUCH),
    ("inspect --dats text", 1, "Not a directory"),
    ("inspect --dats empty", 1, "no client_cell_1.dat"),
    ("inspect --dats piped", 1, PIPE),
    ("inspect --dats folders", 1, FOLDER),
    ("inspect --dats texts", 1, "400 bytes or more expected"),
    ("inspect --world missing", 1, NO_SUCH),
    ("ask --in missing", 1, NO_SUCH),
    ("ask --in folder", 1, NOT_A_FILE),
    ("ask --in text", 1, "text:1: \"a text\": not a place"),
    ("ask --in text --out pipe.svg", 1, TO_PIPE),
    ("ask --in text --format xml", 2, "possible values: csv, jsonl"),
    ("ask --in text --columns cell,colour", 2, "possible values: cell, indoors"),
    ("ask --in long.txt --dats missing", 1, NO_SUCH),
    ("ask --in text --world folder", 1, FOLDER),
    ("ask --in text --bad-rows folder", 1, NOT_A_FILE),
    ("ask --in text --bad-rows text", 1, "text: would be overwritten with results"),
    ("cells --dats missing", 1, NO_SUCH),
    ("cells A9B4 B0B0", 2, "unexpected argument 'B0B0'"),
    ("cells 0xA9B40000", 1, "names no cell"),
    ("cells A9B4 --dats missing", 1, NO_SUCH),
    ("cells A9B4 --dats piped", 1, PIPE),
    ("cells A9B4 --world folder", 1, FOLDER),
    ("check --dats missing", 1, NO_SUCH),
    ("check --dats piped", 1, PIPE),
    ("check --dats folders", 1, FOLDER),
    ("check --world pipe", 1, PIPE),
    ("check --world folder", 1, FOLDER),
    ("check --world latin1.txt", 1, "not UTF-8"),
    ("check --world escape.txt", 1, "unknown statement \"\\u{1b}[31m\""),
    ("check --world long.txt", 1, "the text is longer than 4 MiB"),
    ("check --world longish.txt", 1, "longish.txt:1:1: "),
    ("verify --full", 2, "unexpected argument '--full'"),
    ("verify --quick=yes", 2, "unexpected value 'yes' for '--quick'"),
    ("verify text", 2, "unexpected argument 'text'"),
    // Maps and exports.
    ("map --out map.pdf", 1, "a picture is an .svg or a .png file"),
    ("map --dats HOLT A9B4 --out folder.svg", 1, NOT_A_FILE),
    ("map --dats HOLT A9B4 --out read-only.svg", 1, READ_ONLY),
    (
        "map --dats HOLT A9B4 --out missing/map.svg",
        1,
        "missing/map.svg: cannot be written: No such",
    ),
    ("map --dats HOLT A9B4 --out text/map.svg", 1, "cannot be written: Not a directory"),
    ("map --dats HOLT A9B4 --out pipe.svg", 1, TO_PIPE),
    ("map --dats missing --out map.svg", 1, NO_SUCH),
    ("map --world pipe --out map.svg", 1, PIPE),
    ("map --dats HOLT 0102 --level nan --out map.svg", 2, "write a height from -100000 to 100000"),
    ("map --dats HOLT 0102 --level -inf --out map.svg", 2, "unexpected argument '-i'"),
    ("map --dats HOLT 0102 --level 1e30 --out map.svg", 2, "write a height from -100000 to 100000"),
    ("map --dats HOLT A9B4 --blocks 0 --out map.svg", 2, BLOCKS),
    ("map --dats HOLT A9B4 --blocks -1 --out map.svg", 2, BLOCKS),
    ("map --dats HOLT A9B4 --blocks 1e300 --out map.svg", 2, BLOCKS),
    ("map --dats HOLT A9B4 --blocks nanx3 --out map.svg", 2, BLOCKS),
    ("export --dats HOLT A9B4 --out text", 1, "a .glb file"),
    ("export --dats HOLT A9B4 --out folder.glb", 1, NOT_A_FILE),
    ("export --dats HOLT A9B4 --out read-only.glb", 1, READ_ONLY),
    ("export --dats HOLT A9B4 --out pipe.glb", 1, TO_PIPE),
    ("export --dats piped A9B4 --out a.glb", 1, PIPE),
    ("export --world folder A9B4 --out a.glb", 1, FOLDER),
    ("export --dats HOLT A9B4 --blocks 33 --out a.glb", 2, BLOCKS),
    ("export --dats HOLT A9B4 --blocks -1 --out a.glb", 2, BLOCKS),
    // Scenarios.
    ("replay --dats HOLT --scenarios missing --out out", 1, NO_SUCH),
    ("replay --dats HOLT --scenarios pipe --out out", 1, PIPE),
    ("replay --dats HOLT --scenarios folder --out out", 1, FOLDER),
    ("replay --dats HOLT --scenarios /dev/zero --out out", 1, PIPE),
    ("replay --dats HOLT --scenarios deep.jsonl --out out", 1, "deep.jsonl:1: column "),
    ("replay --dats HOLT --scenarios latin1.jsonl --out out", 1, "latin1.jsonl:1: column "),
    ("replay --dats HOLT --scenarios long.jsonl --out out", 1, "long.jsonl:1: column "),
    ("replay --dats HOLT --scenarios nan.jsonl --out out", 1, "nan.jsonl:1: column "),
    ("replay --dats HOLT --scenarios walk.jsonl --out text", 1, NOT_A_FOLDER),
    ("replay --dats HOLT --scenarios walk.jsonl --expect missing", 1, NO_SUCH),
    ("replay --dats HOLT --scenarios walk.jsonl --expect pipe", 1, PIPE),
    ("replay --dats HOLT --scenarios walk.jsonl --expect empty", 1, "no results (*.jsonl"),
    ("replay --dats HOLT --scenarios walk.jsonl --expect trace.jsonl --known pipe", 1, PIPE),
    ("replay --dats HOLT --scenarios walk.jsonl --expect trace.jsonl --known folder", 1, FOLDER),
    (
        "replay --dats HOLT --scenarios walk.jsonl --expect trace.jsonl --known latin1.txt",
        1,
        "valid UTF-8",
    ),
    ("replay --dats HOLT --scenarios walk.jsonl --expect trace.jsonl --properties pipe", 1, PIPE),
    (
        "replay --dats HOLT --scenarios walk.jsonl --expect trace.jsonl --known longish.txt",
        1,
        "aaa ... has no reason",
    ),
    (
        "replay --dats HOLT --scenarios walk.jsonl --expect trace.jsonl --properties longish.txt",
        1,
        "aaa ... has no properties",
    ),
    ("replay --dats HOLT --scenarios walk.jsonl --out out --rule a=b", 1, NO_RULE),
    ("replay --dats HOLT --scenarios walk.jsonl --versus a=b", 1, NO_RULE),
    (
        "replay --dats HOLT --scenarios walk.jsonl --out out --shortcuts some",
        2,
        "possible values: on, off",
    ),
    (
        "replay --dats HOLT --scenarios walk.jsonl --expect trace.jsonl --world-name x",
        1,
        "nothing to compare",
    ),
    ("replay --dats missing --scenarios walk.jsonl --out out", 1, NO_SUCH),
    ("replay --world pipe --scenarios walk.jsonl --out out", 1, PIPE),
    ("trace --dats HOLT --scenarios pipe", 1, PIPE),
    (
        "trace --dats HOLT --scenarios walk.jsonl --id no-such-id",
        1,
        "no scenario of the world holt has this id",
    ),
    ("trace --dats HOLT --scenarios walk.jsonl --rule a=b", 1, NO_RULE),
    (
        "trace --dats HOLT --scenarios walk.jsonl --world-name x --id w",
        1,
        "no scenario of the world x",
    ),
    ("trace --dats HOLT --scenarios walk.jsonl --out folder", 1, NOT_A_FILE),
    ("trace --dats HOLT --scenarios walk.jsonl --out read-only.jsonl", 1, READ_ONLY),
    ("trace --dats HOLT --scenarios walk.jsonl --out pipe", 1, TO_PIPE),
    (
        "trace --dats HOLT --scenarios walk.jsonl --out missing/a.jsonl",
        1,
        "cannot be written: No such",
    ),
    ("trace --dats missing --scenarios walk.jsonl", 1, NO_SUCH),
    ("trace --world folder --scenarios walk.jsonl", 1, FOLDER),
    ("why --dats HOLT --scenarios pipe --id w", 1, PIPE),
    ("why --dats HOLT --scenarios empty.jsonl", 1, "empty.jsonl: there is no scenario"),
    ("why --dats HOLT --scenarios empty.jsonl --id w", 1, "empty.jsonl: there is no scenario"),
    ("why --dats HOLT --scenarios text", 1, "there is no scenario\nerror: text:1: column 1: "),
    ("why --dats HOLT --scenarios cut.jsonl.gz", 1, "cut.jsonl.gz: "),
    ("why --dats HOLT --scenarios partly.jsonl", 1, "has 1 scenario; add --id, such as w\nerror: "),
    ("why --dats HOLT --scenarios walk.jsonl --id x", 1, "no id \"x\""),
    (
        "why --dats HOLT --scenarios walk.jsonl --id w --step -1",
        2,
        "write a whole number from 0 to",
    ),
    (
        "why --dats HOLT --scenarios walk.jsonl --id w --step 1e300",
        2,
        "write a whole number from 0 to",
    ),
    ("why --dats HOLT --scenarios walk.jsonl --id w --step 99", 1, "99"),
    ("why --dats HOLT --scenarios walk.jsonl --id w --world-name x", 1, "not \"x\""),
    ("why --dats missing --from A9B4 --to 1,1,1", 1, NO_SUCH),
    ("why --world pipe --from A9B4 --to 1,1,1", 1, PIPE),
    ("why --dats HOLT --from nowhere --to 1,1,1", 1, "nowhere"),
    ("why --dats HOLT --from A9B4 --to nan,1,1", 2, POINT),
    ("why --dats HOLT --from A9B4 --to 1,1,1e300", 2, COORDINATES),
    ("why --dats HOLT --from A9B4 --to 1,1,1 --setup human", 2, HEX),
    ("why --dats HOLT --from A9B4 --to 1,1,1 --setup -1", 2, HEX),
    ("why --dats HOLT --from A9B4 --to 1,1,1 --state -1", 2, "digits, such as 0x408"),
    ("why --dats HOLT --from A9B4 --to 1,1,1 --state 0xFFFFFFFFFF", 2, "more than 32 bits"),
    ("why --dats HOLT --from 0xA9B40031:1e39,1,2 --to 1,1,1", 1, "\"1e39\" is too large"),
    ("why --dats HOLT --from A9B4 --to 1,1,1 --state=-1", 2, HEX),
    ("why --dats HOLT --from A9B4 --to 1,1,1 --rule a=b", 1, NO_RULE),
    // Views.
    ("see --dats HOLT --cell inn --eye 1,1,1 --look 2,2,2", 2, HEX),
    ("see --dats HOLT --cell 0xA9B40024 --eye nan,1,1 --look 2,2,2", 2, POINT),
    ("see --dats HOLT --cell 0xA9B40024 --eye 1,1,1 --look 2,2,-1e30", 2, COORDINATES),
    (
        "see --dats HOLT --cell 0xA9B40024 --eye 1,1,1 --look 2,2,2 --fov nan",
        1,
        "0.1 to 179 is valid",
    ),
    (
        "see --dats HOLT --cell 0xA9B40024 --eye 1,1,1 --look 2,2,2 --fov 1e300",
        1,
        "field of view is 1e300 degrees; 0.1 to 179 is valid",
    ),
    (
        "see --dats HOLT --cell 0xA9B40024 --eye 1,1,1 --look 2,2,2 --aspect 1e300",
        1,
        "0.01 to 100 is valid",
    ),
    (
        "see --dats HOLT --cell 0xA9B40024 --eye 1,1,1 --look 2,2,2 --aspect nan",
        2,
        "write W:H or a number, such as 16:9",
    ),
    (
        "see --dats HOLT --cell 0xA9B40024 --eye 1,1,1 --look 2,2,2 --near nan",
        1,
        "0 to 1000 is valid",
    ),
    ("see --dats HOLT --cell 0xA9B40024 --eye 1,1,1 --look 2,2,2 --rule a=b", 1, NO_RULE),
    (
        "see --dats HOLT --cell 0xA9B40024 --eye 96,84,41.7 --look 120,84,41 --svg a.pdf",
        1,
        "an .svg or a .png",
    ),
    (
        "see --dats HOLT --cell 0xA9B40024 --eye 96,84,41.7 --look 120,84,41 --svg read-only.svg",
        1,
        READ_ONLY,
    ),
    (
        "see --dats HOLT --cell 0xA9B40024 --eye 96,84,41.7 --look 120,84,41 --svg pipe.svg",
        1,
        TO_PIPE,
    ),
    ("see --dats missing --cell 0xA9B40024 --eye 1,1,1 --look 2,2,2", 1, NO_SUCH),
    ("see --world pipe --cell 0xA9B40024 --eye 1,1,1 --look 2,2,2", 1, PIPE),
    ("shot A9B4 --out shot.svg", 1, "the file must be a .png file"),
    ("shot --dats missing A9B4 --out shot.png", 1, NO_SUCH),
    ("shot --world pipe A9B4 --out shot.png", 1, PIPE),
    ("shot a\u{1b}[31mb --out shot.png", 1, "a\\u{1b}[31mb"),
    ("shot A9B4 --weather -1 --out shot.png", 1, "--weather -1: no such kind of day"),
    ("shot A9B4 --look inf,1,1 --out shot.png", 2, POINT),
    ("shot A9B4 --size 0x0 --out shot.png", 2, SIZE),
    ("shot A9B4 --size 1e300x1 --out shot.png", 2, SIZE),
    ("shot A9B4 --size=-1x5 --out shot.png", 2, SIZE),
    ("shot --dats HOLT A9B4 --fov nan --out shot.png", 1, "0.1 to 179 is valid"),
    ("shot --dats HOLT A9B4 --fov -1e300 --out shot.png", 1, "0.1 to 179 is valid"),
    ("shot A9B4 --time 24:01 --out shot.png", 2, "write a time of day from 00:00 to 24:00"),
    ("shot A9B4 --time nan --out shot.png", 2, "write a time of day from 00:00 to 24:00"),
    ("shot A9B4 --layers fog --out shot.png", 2, "possible values: "),
    ("shot A9B4 --far 0 --out shot.png", 2, "write a whole number from 1 to 12"),
    ("shot A9B4 --far -3 --out shot.png", 2, "write a whole number from 1 to 12"),
    ("shot A9B4 --far 1e300 --out shot.png", 2, "write a whole number from 1 to 12"),
    // Made worlds.
    ("forge here --seed -1", 2, ANY_SEED),
    ("forge here --seed nan", 2, ANY_SEED),
    ("forge here --seed \u{1b}[31m", 2, "'\\u{1b}[31m'"),
    ("forge here --seed 18446744073709551616", 2, ANY_SEED),
    ("forge here --kind tower", 2, "possible values: builtin, town, dungeon"),
    ("forge here --kind town --rooms 0", 2, "write a whole number from 1 to 60000"),
    ("forge here --kind town --rooms -1", 2, "write a whole number from 1 to 60000"),
    ("forge here --kind town --rooms 1e300", 2, "write a whole number from 1 to 60000"),
    ("forge here --rooms 5", 1, "add --kind town or dungeon"),
    ("forge here --world missing", 1, NO_SUCH),
    ("forge here --world pipe", 1, PIPE),
    ("forge here --world latin1.txt", 1, "latin1.txt:1:7: not UTF-8"),
    ("forge texts --world house.txt", 1, "--force"),
    ("forge text --world house.txt", 1, NOT_A_FOLDER),
    ("forge piped --world house.txt --force", 1, TO_PIPE),
    ("forge read-only --world house.txt --force", 1, READ_ONLY),
    ("forge folders --world house.txt --force", 1, NOT_A_FILE),
    ("tour --out text", 1, NOT_A_FOLDER),
    ("tour --seed -1", 2, ANY_SEED),
    ("tour --seed inf", 2, ANY_SEED),
    // Benchmarks.
    ("bench crowd --dats missing", 1, NO_SUCH),
    ("bench crowd --world pipe", 1, PIPE),
    ("bench crowd --bodies -1", 2, "write a whole number from 0 to 10000000"),
    ("bench crowd --bodies 1e300", 2, "write a whole number from 0 to 10000000"),
    ("bench crowd --threads 0", 2, "write a whole number from 1 to 1024"),
    ("bench crowd --threads nan", 2, "write a whole number from 1 to 1024"),
    ("bench crowd --ticks 0", 2, "write a whole number from 1 to 10000000"),
    ("bench crowd --ticks 10000001", 2, "write a whole number from 1 to 10000000"),
    ("bench crowd --kind trees", 2, "possible values: mixed, players, creatures"),
    ("bench crowd --setup human", 2, "write an id such as 0x02000001"),
    ("bench crowd --seed 1.5", 2, ANY_SEED),
    ("bench frame --size 8193x1", 2, SIZE),
    ("bench frame --samples 3", 2, "write 1 or 4"),
    ("bench frame --frames 0", 2, "write a whole number from 1 to 100000"),
    ("bench frame --frames inf", 2, "write a whole number from 1 to 100000"),
];

/// Command lines that succeed with files of other programs and systems.
pub(super) const ACCEPTED: &[(&str, &str)] = &[
    ("check --world windows.txt", "0 errors"),
    ("replay --dats HOLT --scenarios windows.jsonl --expect trace.jsonl", "1 of 1"),
    ("replay --dats HOLT --scenarios windows-trace.jsonl --expect windows-trace.jsonl", "1 of 1"),
    (
        "replay --dats HOLT --scenarios walk.jsonl --expect trace.jsonl --known windows-known.txt",
        "1 of 1",
    ),
    (
        "replay --dats HOLT --scenarios walk.jsonl --expect trace.jsonl --properties windows-known.txt",
        "1 of 1",
    ),
    // The only scenario needs no id.
    ("why --dats HOLT --scenarios walk.jsonl", "Move 0 of w"),
    // Unknown fields are ignored, however deep their value is.
    ("replay --dats HOLT --scenarios deep-note.jsonl --expect trace.jsonl", "1 of 1"),
    // Many blanks are fine.
    ("replay --dats HOLT --scenarios blank.jsonl --expect trace.jsonl", "1 of 1"),
];
