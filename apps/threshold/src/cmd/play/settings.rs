//! What is remembered from one time to the next.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use threshold_dat::open_regular;
use threshold_motion::ViewRoot;
use threshold_play::CameraMode;

use crate::layers::Layer;
use crate::output;

/// The names of [`ViewRoot`] in the file.
#[derive(Serialize, Deserialize)]
#[serde(remote = "ViewRoot", rename_all = "lowercase")]
enum ViewRootName {
    Camera,
    Player,
}

/// What somebody likes. What a file does not say is as it is at first, and so is what it says wrongly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Settings {
    /// How one looks.
    pub(super) view: CameraMode,
    /// The cell that the picture starts in.
    #[serde(with = "ViewRootName")]
    pub(super) view_root: ViewRoot,
    /// How far behind the head the camera is, in metres.
    pub(super) distance: f32,
    /// From the lower to the upper edge of the window, in degrees.
    pub(super) field_of_view: f32,
    /// Degrees for a pixel of the mouse.
    pub(super) mouse: f32,
    pub(super) mouse_up_is_down: bool,
    /// Whether to run, and walk while Shift is held; otherwise the other way round.
    pub(super) always_run: bool,
    /// As multiples of the slowest run.
    pub(super) run_rate: f32,
    pub(super) jump_skill: f32,
    pub(super) time_runs: bool,
    pub(super) layers: Vec<Layer>,
    pub(super) panel: bool,
    /// How many landblocks away land is still loaded.
    pub(super) far: u8,
    /// In pixels.
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
    /// The file they are kept in, in the usual place of the platform; `None` where there is no such place.
    pub(super) fn file() -> Option<PathBuf> {
        let folders = ProjectDirs::from("", "", "threshold")?;
        Some(folders.config_dir().join("settings.json"))
    }

    /// As they were kept. Without a file, and with one that cannot be read, they are as at first.
    pub(super) fn load() -> Self {
        let text = Self::file().and_then(|file| text_of(&file).ok());
        text.map(|text| Self::read(&text)).unwrap_or_default()
    }

    /// What a text says, as far as it can be understood: a field that is wrong costs that field.
    fn read(text: &str) -> Self {
        let Ok(Value::Object(said)) = serde_json::from_str(text) else { return Self::default() };
        let Ok(Value::Object(mut sound)) = serde_json::to_value(Self::default()) else {
            return Self::default();
        };
        for (name, value) in said {
            let Some(old) = sound.get(&name).cloned() else { continue };
            sound.insert(name.clone(), value);
            if serde_json::from_value::<Self>(Value::Object(sound.clone())).is_err() {
                sound.insert(name, old);
            }
        }
        serde_json::from_value::<Self>(Value::Object(sound)).unwrap_or_default().sound()
    }

    /// Keeps them. Where that does not work nothing is lost but that.
    pub(super) fn save(&self) {
        let Some(file) = Self::file() else { return };
        let Ok(text) = serde_json::to_string_pretty(self) else { return };
        if let Some(folder) = file.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let _ = output::write(&file, (text + "\n").as_bytes());
    }

    /// Within what makes sense, whatever a file says.
    fn sound(mut self) -> Self {
        let first = Self::default();
        // Earlier versions kept it, and began in the air.
        if self.view == CameraMode::Flight {
            self.view = first.view;
        }
        let within = |value: f32, low: f32, high: f32, otherwise: f32| {
            if value.is_finite() { value.clamp(low, high) } else { otherwise }
        };
        self.distance = within(self.distance, 0.8, 12.0, first.distance);
        self.field_of_view = within(self.field_of_view, 30.0, 110.0, first.field_of_view);
        self.mouse = within(self.mouse, 0.01, 1.0, first.mouse);
        self.run_rate = within(self.run_rate, 1.0, 4.5, first.run_rate);
        self.jump_skill = within(self.jump_skill, 0.0, 1000.0, first.jump_skill);
        self.far = self.far.clamp(1, 8);
        self.window = self.window.map(|side| side.clamp(320, 16_384));
        self.layers.sort_unstable();
        self.layers.dedup();
        self
    }
}

/// More bytes than this are no settings.
const MAX_BYTES: u64 = 1 << 20;

fn text_of(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    open_regular(file)?.take(MAX_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_is_wrong_costs_that_setting() {
        let read = Settings::read(
            r#"{"layers":["cells","unheard of"],"view":7,"far":-3,"run_rate":3,"panel":false}"#,
        );
        let first = Settings::default();
        assert_eq!(
            (read.layers, read.view, read.far),
            (first.layers.clone(), first.view, first.far)
        );
        assert_eq!((read.run_rate, read.panel), (3.0, false));
        for text in ["", "[]", "null", "{", "{}"] {
            assert_eq!(Settings::read(text), Settings::default(), "{text}");
        }
    }

    #[test]
    fn the_root_of_the_picture_is_the_camera_unless_the_file_says_player() {
        for (text, root) in [
            ("{}", ViewRoot::Camera),
            (r#"{"view_root":"moon"}"#, ViewRoot::Camera),
            (r#"{"view_root":"player"}"#, ViewRoot::Player),
        ] {
            let read = Settings::read(text);
            assert_eq!(read.view_root, root, "{text}");
            assert_eq!(Settings::read(&serde_json::to_string(&read).unwrap()), read);
        }
    }

    #[test]
    fn a_flight_that_was_kept_is_no_view_to_begin_with() {
        assert_eq!(Settings::read(r#"{"view":"flight"}"#).view, Settings::default().view);
        assert_eq!(Settings::read(r#"{"view":"first"}"#).view, CameraMode::First);
    }

    #[test]
    fn settings_of_another_version_are_read_as_far_as_they_go() {
        let some = Settings::read(
            r#"{"view":"first","run_rate":99,"colour":"green","layers":["ids","cells","ids"]}"#,
        );
        assert_eq!((some.view, some.run_rate), (CameraMode::First, 4.5));
        assert_eq!(some.layers, [Layer::Cells, Layer::Ids]);
        assert_eq!(some.field_of_view, Settings::default().field_of_view);
        let text = serde_json::to_string(&some).unwrap();
        assert_eq!(Settings::read(&text), some);
    }
}
