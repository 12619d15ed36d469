import Graph
import Physarum
import Testing

@testable import Presets

@Suite struct PresetFileTests {
}
