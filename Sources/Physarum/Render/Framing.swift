/// How a map fills a picture of another shape.
public enum Framing: String, Sendable, CaseIterable {
    /// The picture is full, and what the map has beyond its shape is cut off evenly.
    case cover
    /// The map is whole, and beside it the picture is as where there is no trail.
    case contain

    /// The part of the map that the picture shows, in cells; beyond the map there is none.
    ///
    /// - Parameters:
    ///   - map: its sides in cells.
    ///   - picture: its sides in pixels.
    /// - Returns: across and down, each centred on the map.
    func window(
        map: (width: Int, height: Int),
        picture: (width: Int, height: Int)
    ) -> (columns: Range<Double>, rows: Range<Double>) {
        let across = Double(map.width) / Double(picture.width)
        let down = Double(map.height) / Double(picture.height)
        // Cells for each pixel; equal shapes have equal ones, and no rounding comes in.
        let scale = self == .cover ? min(across, down) : max(across, down)
        func range(_ own: Double, _ pixels: Int, _ cells: Int) -> Range<Double> {
            if own == scale { return 0..<Double(cells) }
            let length = scale * Double(pixels)
            let start = (Double(cells) - length) / 2
            return start..<start + length
        }
        return (
            range(across, picture.width, map.width), range(down, picture.height, map.height)
        )
    }
}
