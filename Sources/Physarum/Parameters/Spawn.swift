/// Where agents are born: at the start, and when they are born anew.
public enum Spawn: String, Sendable, CaseIterable {
    /// All over the map.
    case uniform
    /// In a ring around the map's middle, three quarters of its shorter side across.
    case ring
    /// In a disc around the map's middle, half of its shorter side across.
    case disc
}
