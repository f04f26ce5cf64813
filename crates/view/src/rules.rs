//! Disputed behaviour, as switches.

threshold_world::rules! {
    ViewRules;
    stab_list: StabList, "visibility, 3.1",
    "Whether only cells are entered that are on the stab list of the viewer's room or of the building's portal."
    {
        On = "on" "Only those, as in retail. Other visible cells are not entered, and the result names them.",
        Off = "off" "All visible cells are entered, for worlds whose stab lists are not complete.",
    }
    seen_outside: SeenOutside, "visibility, 1; rendering, C12 and D14.5",
    "What decides whether the landscape shows through an exit portal."
    {
        Flag = "flag" "The flag `seen_outside` of the records: neither a viewer in a room without it, nor an exit portal of a room without it, shows the landscape.",
        Portals = "portals" "The portal alone. From a room without the flag the landscape is not held either, so often only the sky would show.",
    }
    draw_landscape: DrawLandscape, "rendering, C10",
    "Whether exit portals of rooms show the landscape at all (retail: `PView::draw_landscape`)."
    {
        On = "on" "They do.",
        Off = "off" "They do not: only rooms are drawn. A viewer in a land cell still sees the landscape.",
    }
}
