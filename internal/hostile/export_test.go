package hostile

// Everywhere says that Spoiled leaves out no byte and no member.
const Everywhere = everywhere
