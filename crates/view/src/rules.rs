//! Disputed behaviour, as switches.

threshold_world::rules! {
    stab_list: StabList, "visibility, 3.1",
    "Whether only cells are entered that the list of the viewer's room, or of the building's opening, names."
    {
        On = "on" "Only those, as in retail. What else could be seen is refused, and the result says so.",
        Off = "off" "Whatever can be seen is entered: lists are not always complete.",
    }
}
