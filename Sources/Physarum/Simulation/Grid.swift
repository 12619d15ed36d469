/// What lies beyond a map's edges.
public enum MapEdges: String, Sendable, CaseIterable {
    /// The opposite edge: what leaves on one side comes in on the other.
    case torus
    /// Walls, which agents turn away from and bounce off, and which trail does not pass.
    case walls
}

/// How a map lies in memory, and how it is cut into the bands that work is shared out by.
///
/// Cell c is centred at coordinate c, so positions are in −0.5 ..< size − 0.5. The trail has a margin
/// on all sides: sensors read it without wrapping. It repeats the opposite edge, or behind walls is 0.
struct Grid: Sendable, Hashable {
    let width: Int
    let height: Int
    let edges: MapEdges
    /// How far, in cells, anything may reach or move in a step: the margin's width.
    let reach: Int
    /// Floats from one row of the trail to the next.
    let stride: Int
    /// How many bands of rows own deposits; even, or 1.
    let bandCount: Int
    /// How far an agent may go from its band before it must be sorted anew, in cells.
    let slack: Int
    /// The columns are cut into tiles this wide, as powers of 2.
    static let tileShift = 5

    init(width: Int, height: Int, edges: MapEdges = .torus) {
        self.width = width
        self.height = height
        self.edges = edges
        let longest = Parameter.sensorDistance.info.range.upperBound * Double(height) / 1080
        // Half the map, so that one wrap is enough.
        let limit = min(width, height) / 2 - 1
        // Even, so that halves round to the same cell with the margin as without.
        reach = min(Int(longest.rounded(.up)) + 2, limit) & ~1
        let rounded = (width + 2 * reach + 15) & ~15
        // Rows a power of two apart would share the same lines of the cache.
        stride = rounded & 511 == 0 ? rounded + 16 : rounded
        let fastest = Parameter.moveSpeed.info.range.upperBound * Double(height) / 1080
        let bandHeight = max(1 << Self.tileShift, 2 * (Int(fastest.rounded(.up)) + 2))
        let bands = height / bandHeight & ~1
        bandCount = max(bands, 1)
        slack = bandCount == 1 ? height : height / bandCount / 2 - 1
    }

    /// Floats of one trail map with its margin.
    var paddedCount: Int { stride * (height + 2 * reach) }

    /// Where the cell (0, 0) lies in a trail map.
    var origin: Int { stride * reach + reach }

    /// How many tiles a band has.
    var tilesPerBand: Int { (width + (1 << Self.tileShift) - 1) >> Self.tileShift }

    /// The rows of band `index`.
    func rows(ofBand index: Int) -> Range<Int> {
        index * height / bandCount..<(index + 1) * height / bandCount
    }

    /// Limits a length to what the margin holds.
    func reachable(_ length: Double) -> Double { min(length, Double(reach)) }

    /// The row that the blur reads in the place of `row`, which may lie beyond the edges.
    func row(_ row: Int) -> Int { Self.inside(row, height, edges) }

    /// The column that the blur reads in the place of `column`, which may lie beyond the edges.
    func column(_ column: Int) -> Int { Self.inside(column, width, edges) }

    /// Walls are mirrors to the trail, so that none is lost in them.
    private static func inside(_ index: Int, _ size: Int, _ edges: MapEdges) -> Int {
        switch edges {
        case .torus: return (index % size + size) % size
        case .walls:
            let period = 2 * size
            let place = (index % period + period) % period
            return place < size ? place : period - 1 - place
        }
    }
}
