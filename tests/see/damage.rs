//! Data files with a damaged directory.

use tempfile::TempDir;

use crate::{INN, changed_world};

/// A sample world with a damaged node in the directory of the cell file: the root, or one of its children.
fn damaged_directory(world: &str, child: Option<usize>) -> TempDir {
    let folder = changed_world(world, |_, bytes| Some(bytes));
    let file = folder.path().join("client_cell_1.dat");
    let mut bytes = std::fs::read(&file).unwrap();
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let root = number(0x160);
    let node = child.map_or(root, |child| number(root + 4 * (1 + child)));
    // The number of entries follows the link of the block and 62 children.
    bytes[node + 4 * 63..][..4].fill(0xFF);
    std::fs::write(file, bytes).unwrap();
    folder
}

#[test]
fn records_lost_by_a_damaged_directory_are_reported() {
    for (child, code) in [(None, 1), (Some(0), 0), (Some(1), 0), (Some(2), 1)] {
        let output = INN.run_in(damaged_directory("holt", child).path(), &[]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{child:?}: {error}");
        assert!(
            error.contains("left out: ") && error.contains("client_cell_1.dat: byte 0x"),
            "{error}"
        );
        assert_eq!(
            error.contains("room 0xA9B40157 cannot be used"),
            code == 1,
            "{child:?}: {error}"
        );
        assert!(!error.contains("the world has no"), "{child:?}: {error}");
    }
}
