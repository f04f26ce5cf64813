//! Disputed behaviour, as switches.

threshold_world::rules! {
    ViewRules;
    stab_list: StabList, "visibility, 3.1",
    "Whether only cells are entered that the list of the viewer's room, or of the building's opening, names."
    {
        On = "on" "Only those, as in retail. What else could be seen is refused, and the result says so.",
        Off = "off" "Whatever can be seen is entered: lists are not always complete.",
    }
    seen_outside: SeenOutside, "visibility, 1; rendering, C12 and D14.5",
    "What decides whether the landscape shows through an opening that leads outdoors."
    {
        Flag = "flag" "The flag `seen_outside` of the records: neither a viewer in a room without it, nor an opening of a room without it, shows the landscape.",
        Portals = "portals" "The opening alone. From a room without the flag the landscape is not held either, so often only the sky would show.",
    }
    draw_landscape: DrawLandscape, "rendering, C10",
    "Whether openings of rooms show the landscape at all (retail: `PView::draw_landscape`)."
    {
        On = "on" "They do.",
        Off = "off" "They do not: rooms are looked at by themselves. A viewer in a land cell has the landscape all the same.",
    }
}
