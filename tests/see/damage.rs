//! Data files that have lost something.

use tempfile::TempDir;

use crate::{INN, remade};

/// A sample world with a node of the directory of its cells damaged: the root or, below it, one that it leads to.
fn lost(world: &str, below: Option<usize>) -> TempDir {
    let folder = remade(world, |_, bytes| Some(bytes));
    let file = folder.path().join("client_cell_1.dat");
    let mut bytes = std::fs::read(&file).unwrap();
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let root = number(0x160);
    let node = below.map_or(root, |child| number(root + 4 * (1 + child)));
    // Behind the link of its block and 62 children stands how many entries it has.
    bytes[node + 4 * 63..][..4].fill(0xFF);
    std::fs::write(file, bytes).unwrap();
    folder
}

#[test]
fn what_a_damaged_directory_has_lost_is_not_passed_over() {
    for (below, code) in [(None, 1), (Some(0), 0), (Some(1), 0), (Some(2), 1)] {
        let output = INN.run_in(lost("holt", below).path(), &[]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{below:?}: {error}");
        assert!(
            error.contains("left out: ") && error.contains("client_cell_1.dat: byte 0x"),
            "{error}"
        );
        assert_eq!(
            error.contains("room 0xA9B40157 cannot be used"),
            code == 1,
            "{below:?}: {error}"
        );
        assert!(!error.contains("this world has no"), "{below:?}: {error}");
    }
}
