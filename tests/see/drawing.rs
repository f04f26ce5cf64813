//! The drawing of the screen.

use tempfile::TempDir;
use threshold_land::vector::DVec2;

use crate::{HALL, INN, SQUARE, View, polygon, regions};

fn draw(view: View, extension: &str) -> Vec<u8> {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("screen").with_extension(extension);
    let text = view.text(&["--svg", file.to_str().unwrap()]);
    assert!(text.contains(": the screen; "), "{text}");
    std::fs::read(file).unwrap()
}

fn svg(view: View) -> String {
    String::from_utf8(draw(view, "svg")).unwrap()
}

/// The corners of the shape with an id, in the drawing.
#[track_caller]
fn outline(svg: &str, id: &str) -> Vec<DVec2> {
    let mark = format!(" id=\"{id}\"");
    let mut lines = svg.lines().filter(|line| line.contains(&mark));
    let line = lines.next().unwrap_or_else(|| panic!("no {id}"));
    assert_eq!(lines.next(), None, "{id} twice");
    let path = line.split(" d=\"").nth(1).or(line.split("d=\"").nth(1)).unwrap();
    let path = path.split('"').next().unwrap().trim_end_matches('z');
    let point = |text: &str| {
        let (x, y) = text.split_once(' ').unwrap();
        DVec2::new(x.parse().unwrap(), y.parse().unwrap())
    };
    path.split(['M', 'L']).filter(|text| !text.is_empty()).map(point).collect()
}

/// The ids of the regions, in the order of the report.
fn ids(view: View) -> Vec<String> {
    let json = view.json(&[]);
    let mut ids = Vec::new();
    for cell in json["cells"].as_array().unwrap() {
        let (id, count) = (cell["id"].as_str().unwrap(), cell["regions"].as_array().unwrap().len());
        ids.extend((0..count).map(|number| format!("cell-{}-{number}", &id[2..])));
    }
    ids.extend((0..json["outside"].as_array().unwrap().len()).map(|n| format!("outside-{n}")));
    ids
}

/// Every region must be drawn once, at its position on the screen, with its name.
#[track_caller]
fn check(view: View, whole: &str, aspect: f64) {
    let (text, json, ids) = (svg(view), view.json(&[]), ids(view));
    let all = regions(&json);
    assert_eq!(all.len(), ids.len());
    assert_eq!(text.matches("<title>").count(), 1 + all.len(), "one for the drawing");
    let screen = outline(&text, whole);
    let low = screen.iter().copied().reduce(DVec2::min).unwrap();
    let size = screen.iter().copied().reduce(DVec2::max).unwrap() - low;
    assert!((size.x / size.y - aspect).abs() < 1e-3, "{size}");
    for (region, id) in all.iter().zip(&ids) {
        let drawn = outline(&text, id);
        let want = polygon(region)
            .into_iter()
            .rev()
            .map(|at| low + size * (at * DVec2::new(0.5, -0.5) + 0.5));
        let want: Vec<DVec2> = want.collect();
        assert_eq!(drawn.len(), want.len(), "{id}");
        // Coordinates have two decimals.
        assert!(drawn.iter().zip(&want).all(|(a, b)| a.distance(*b) < 0.03), "{id} {want:?}");
    }
    for cell in json["cells"].as_array().unwrap() {
        let (id, regions) = (cell["id"].as_str().unwrap(), cell["regions"].as_array().unwrap());
        assert!(text.contains(&format!(">{id}</text>")), "{id} in the legend");
        for number in 0..regions.len() {
            let name = if regions.len() == 1 { String::new() } else { format!(".{number}") };
            let name = format!(">{}{name}</text>", &id[6..]);
            assert!(text.contains(&name), "{name}");
        }
    }
    let landscape = !json["outside"].as_array().unwrap().is_empty();
    assert_eq!(text.contains(">the landscape</text>"), landscape);
}

#[test]
fn every_region_is_drawn_at_its_position_and_named() {
    check(INN, "cell-A9B40157-0", 16.0 / 9.0);
    check(SQUARE, "outside-0", 16.0 / 9.0);
    check(HALL, "cell-01020100-0", 16.0 / 9.0);
    check(
        View(HALL.0, HALL.1, HALL.2, HALL.3, &["--aspect", "9:16"]),
        "cell-01020100-0",
        9.0 / 16.0,
    );
}

#[test]
fn a_drawing_is_well_formed_and_always_the_same() {
    for view in [INN, SQUARE, HALL] {
        let text = svg(view);
        assert_eq!(text, svg(view));
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"), "{view:?}");
        for tag in ["g", "text", "title"] {
            let ends = text.matches(&format!("</{tag}>")).count();
            let starts = [" ", ">"].map(|end| text.matches(&format!("<{tag}{end}")).count());
            assert_eq!(starts.iter().sum::<usize>(), ends, "{view:?} {tag}");
        }
        assert!(!text.contains("NaN") && !text.contains("inf"), "{view:?}");
        // The rasterizer refuses malformed SVG.
        assert!(draw(view, "png").starts_with(b"\x89PNG\r\n\x1A\n"), "{view:?}");
    }
}

#[test]
fn with_json_only_json_is_printed() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("screen.svg");
    let json = INN.json(&["--svg", file.to_str().unwrap()]);
    assert_eq!(json, INN.json(&[]));
    assert!(file.exists());
}
