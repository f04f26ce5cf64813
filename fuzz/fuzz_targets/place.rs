#![no_main]

use libfuzzer_sys::fuzz_target;
use threshold_land::Place;

fuzz_target!(|text: &str| {
    if let Ok(place) = text.parse::<Place>() {
        assert_eq!(place.to_string().parse(), Ok(place));
    }
});
