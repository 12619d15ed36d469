/// How finely a still stores colour beside light: ITU-R BT.601's names.
public enum ChromaSampling: String, Sendable, CaseIterable {
    /// A half across and down: what phones take.
    case half = "420"
    /// A half across.
    case wide = "422"
    /// As fine as light.
    case full = "444"
}
