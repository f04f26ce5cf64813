//! Runs the examples of the README files and of the pages in this folder:
//! `cargo test --package threshold-docs --doc`.
#![cfg(doctest)]

macro_rules! pages {
    ($($name:ident: $path:literal,)*) => {
        $(#[doc = include_str!($path)] pub struct $name;)*
    };
}

pages! {
    Readme: "../README.md",
    Forge: "forge.md",
    Library: "library.md",
    Server: "server.md",
    Client: "client.md",
    CheckReadme: "../crates/check/README.md",
    ConformanceReadme: "../crates/conformance/README.md",
    DatReadme: "../crates/dat/README.md",
    EngineReadme: "../crates/threshold/README.md",
    ForgeReadme: "../crates/forge/README.md",
    GeomReadme: "../crates/geom/README.md",
    LandReadme: "../crates/land/README.md",
    MapReadme: "../crates/map/README.md",
    MotionReadme: "../crates/motion/README.md",
    PlayReadme: "../crates/play/README.md",
    PoseReadme: "../crates/pose/README.md",
    QueryReadme: "../crates/query/README.md",
    RenderReadme: "../crates/render/README.md",
    ViewReadme: "../crates/view/README.md",
    VisualsReadme: "../crates/visuals/README.md",
    WhyReadme: "../crates/why/README.md",
    WorldReadme: "../crates/world/README.md",
}
