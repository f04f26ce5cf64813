//! Settings, which are saved between runs.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use threshold_dat::open_regular;
use threshold_motion::ViewRoot;
use threshold_play::CameraMode;

use crate::layers::Layer;
use crate::output;

/// Names of [`ViewRoot`] in the file.
#[derive(Serialize, Deserialize)]
#[serde(remote = "ViewRoot", rename_all = "lowercase")]
enum ViewRootName {
    Camera,
    Player,
}

/// Settings of the user. A field that is missing or invalid in the file has its default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Settings {
    /// Camera mode at the start.
    pub(super) view: CameraMode,
    /// The cell in which the portal walk starts.
    #[serde(with = "ViewRootName")]
    pub(super) view_root: ViewRoot,
    /// Distance of the third-person camera behind the head, in metres.
    pub(super) distance: f32,
    /// Vertical field of view, in degrees.
    pub(super) field_of_view: f32,
    /// Turn of the camera for each pixel of mouse motion, in degrees.
    pub(super) mouse: f32,
    /// Whether moving the mouse up looks down.
    pub(super) mouse_up_is_down: bool,
    /// Whether Shift walks instead of running.
    pub(super) always_run: bool,
    /// Run rate, as a multiple of the slowest run.
    pub(super) run_rate: f32,
    pub(super) jump_skill: f32,
    pub(super) time_runs: bool,
    pub(super) layers: Vec<Layer>,
    pub(super) panel: bool,
    /// Radius in which land is loaded, in landblocks.
    pub(super) far: u8,
    /// Size of the window, in pixels.
    pub(super) window: [u32; 2],
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            view: CameraMode::Third,
            view_root: ViewRoot::Camera,
            distance: 3.2,
            field_of_view: 60.0,
            mouse: 0.12,
            mouse_up_is_down: false,
            always_run: true,
            run_rate: 2.0,
            jump_skill: 120.0,
            time_runs: true,
            layers: Vec::new(),
            panel: true,
            far: 5,
            window: [1280, 720],
        }
    }
}

impl Settings {
    /// Returns the path of the settings file, in the platform's folder for settings; `None` if it has none.
    fn file() -> Option<PathBuf> {
        let folders = ProjectDirs::from("", "", "threshold")?;
        Some(folders.config_dir().join("settings.json"))
    }

    /// Loads the settings file, with a message for each part of it that cannot be used. Without a file, returns the defaults.
    pub(super) fn load() -> (Self, Vec<String>) {
        Self::file().map(|file| Self::read(&file)).unwrap_or_default()
    }

    fn read(file: &Path) -> (Self, Vec<String>) {
        let (settings, problems) = match read_text(file) {
            Ok(text) => Self::parse(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Default::default(),
            Err(error) => (Self::default(), vec![format!("cannot be read: {error}")]),
        };
        let message = |problem| format!("{}: {problem}; using the default", file.display());
        (settings, problems.into_iter().map(message).collect())
    }

    /// Parses a settings file field by field: an invalid field keeps its default, and the others are read. Unknown fields may come from
    /// another version and are ignored.
    fn parse(text: &str) -> (Self, Vec<String>) {
        let file: Map<String, Value> = match serde_json::from_str(text) {
            Ok(file) => file,
            Err(error) => return (Self::default(), vec![format!("not a settings file: {error}")]),
        };
        let Ok(Value::Object(mut valid)) = serde_json::to_value(Self::default()) else {
            return Default::default();
        };
        let mut problems = Vec::new();
        for (name, value) in file {
            let Some(old) = valid.get(&name).cloned() else { continue };
            valid.insert(name.clone(), value);
            if let Err(error) = serde_json::from_value::<Self>(Value::Object(valid.clone())) {
                problems.push(format!("{name}: {error}"));
                valid.insert(name, old);
            }
        }
        // Cannot fail: every field was tried above.
        let settings: Self = serde_json::from_value(Value::Object(valid)).unwrap_or_default();
        (settings.clamped(), problems)
    }

    /// Writes the settings file. Only the settings are lost on a failure, so it is not reported.
    pub(super) fn save(&self) {
        let Some(file) = Self::file() else { return };
        let Ok(text) = serde_json::to_string_pretty(self) else { return };
        if let Some(folder) = file.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let _ = output::write(&file, (text + "\n").as_bytes());
    }

    /// Clamps each field to its range.
    fn clamped(mut self) -> Self {
        let default = Self::default();
        // Earlier versions saved flight, and then started in the air.
        if self.view == CameraMode::Flight {
            self.view = default.view;
        }
        let clamp = |value: f32, min: f32, max: f32, default: f32| {
            if value.is_finite() { value.clamp(min, max) } else { default }
        };
        self.distance = clamp(self.distance, 0.8, 12.0, default.distance);
        self.field_of_view = clamp(self.field_of_view, 30.0, 110.0, default.field_of_view);
        self.mouse = clamp(self.mouse, 0.01, 1.0, default.mouse);
        self.run_rate = clamp(self.run_rate, 1.0, 4.5, default.run_rate);
        self.jump_skill = clamp(self.jump_skill, 0.0, 1000.0, default.jump_skill);
        self.far = self.far.clamp(1, 8);
        let [width, height] = self.window;
        self.window = [width.clamp(MIN_SIDE, MAX_WINDOW[0]), height.clamp(MIN_SIDE, MAX_WINDOW[1])];
        self.layers.sort_unstable();
        self.layers.dedup();
        self
    }
}

/// Smallest side of the window, in pixels.
const MIN_SIDE: u32 = 320;

/// Largest window, in pixels: the largest common screen. Drawing a much larger one takes minutes for a frame.
const MAX_WINDOW: [u32; 2] = [7680, 4320];

/// Largest settings file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 20;

fn read_text(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    open_regular(file)?.take(MAX_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_setting_keeps_its_default_and_the_others_are_read() {
        let (read, problems) = Settings::parse(
            r#"{"layers":["cells","unheard of"],"view":7,"far":-3,"run_rate":3,"panel":false}"#,
        );
        let first = Settings::default();
        assert_eq!(
            (read.layers, read.view, read.far),
            (first.layers.clone(), first.view, first.far)
        );
        assert_eq!((read.run_rate, read.panel), (3.0, false));
        for (problem, name) in problems.iter().zip(["layers: ", "view: ", "far: "]) {
            assert!(problem.starts_with(name), "{problems:?}");
        }
        assert_eq!(problems.len(), 3, "{problems:?}");
        assert_eq!(Settings::parse("{}"), (Settings::default(), Vec::new()));
    }

    #[test]
    fn a_file_that_is_not_a_settings_file_is_reported_and_the_defaults_are_used() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("settings.json");
        assert_eq!(Settings::read(&file), (Settings::default(), Vec::new()), "no file");
        for text in [&b""[..], b"[]", b"null", b"{", b"\xFF"] {
            std::fs::write(&file, text).unwrap();
            let (settings, problems) = Settings::read(&file);
            assert_eq!((settings, problems.len()), (Settings::default(), 1), "{text:?}");
            let name = file.display().to_string();
            assert!(problems[0].starts_with(&name), "{problems:?}");
            assert!(problems[0].ends_with("; using the default"), "{problems:?}");
        }
        let (_, problems) = Settings::read(folder.path());
        assert!(problems[0].contains("cannot be read: "), "{problems:?}");
    }

    fn parsed(text: &str) -> Settings {
        Settings::parse(text).0
    }

    #[test]
    fn the_portal_walk_starts_at_the_camera_unless_the_file_says_player() {
        for (text, root) in [
            ("{}", ViewRoot::Camera),
            (r#"{"view_root":"moon"}"#, ViewRoot::Camera),
            (r#"{"view_root":"player"}"#, ViewRoot::Player),
        ] {
            let read = parsed(text);
            assert_eq!(read.view_root, root, "{text}");
            assert_eq!(parsed(&serde_json::to_string(&read).unwrap()), read);
        }
    }

    #[test]
    fn a_saved_window_fits_a_screen() {
        for (saved, read) in [
            ("[1600,900]", [1600, 900]),
            ("[7680,4320]", [7680, 4320]),
            ("[100000,100000]", [7680, 4320]),
            ("[0,1]", [320, 320]),
        ] {
            assert_eq!(parsed(&format!(r#"{{"window":{saved}}}"#)).window, read, "{saved}");
        }
    }

    #[test]
    fn a_saved_flight_is_not_restored() {
        assert_eq!(parsed(r#"{"view":"flight"}"#).view, Settings::default().view);
        assert_eq!(parsed(r#"{"view":"first"}"#).view, CameraMode::First);
    }

    #[test]
    fn settings_of_another_version_are_read_as_far_as_possible() {
        let (settings, problems) = Settings::parse(
            r#"{"view":"first","run_rate":99,"colour":"green","layers":["ids","cells","ids"]}"#,
        );
        assert_eq!((settings.view, settings.run_rate), (CameraMode::First, 4.5));
        assert_eq!(settings.layers, [Layer::Cells, Layer::Ids]);
        assert_eq!(settings.field_of_view, Settings::default().field_of_view);
        assert!(problems.is_empty(), "{problems:?}");
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(parsed(&text), settings);
    }
}
