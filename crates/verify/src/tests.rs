use super::*;

/// Bits of a NaN differ between processors, so a hash of one would.
#[test]
fn no_hashed_number_is_nan() {
    let sections = hashers(Scope::Quick, &mut |_| ()).unwrap();
    let with_nan = sections.iter().filter(|(_, hasher)| hasher.nan_count() > 0);
    assert_eq!(with_nan.map(|(section, _)| *section).collect::<Vec<_>>(), []);
    let names: Vec<Section> = sections.iter().map(|(section, _)| *section).collect();
    assert_eq!(names, Section::ALL);
}
