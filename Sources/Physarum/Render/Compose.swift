import Media

extension ColorTable {
    /// The place in the table for a trail of this strength.
    @inline(__always) static func index(_ strength: Float) -> UInt32 {
        let coordinate = strength / (strength + 1) * Float(size - 1)
        // Rounds to the nearest whole number, which then stands in the low bits.
        return (coordinate + 8_388_608).bitPattern & 0xFFFF
    }
}

extension Renderer {
    /// Turns the trail into the light that will spread: level 0 of the bloom.
    mutating func fillBloom(
        _ field: TrailField,
        _ fit: Fit,
        scale: Float,
        on executor: any Executor
    ) {
        let (width, height) = (bloom.levels[0].width, bloom.levels[0].height)
        let table = colors.light
        unsafe field.map.withUnsafePointer { map in
            nonisolated(unsafe) let map = unsafe map
            unsafe bloom.levels[0].pixels.withUnsafeMutableBufferPointer { pixels in
                guard let base = pixels.baseAddress else { return }
                nonisolated(unsafe) let pixels = unsafe base
                let bandRows = 16
                executor.run(parts: (height + bandRows - 1) / bandRows) { band in
                    let scratch = fit.bloomColumns.scratchCount
                    unsafe withUnsafeTemporaryAllocation(
                        of: Float.self,
                        capacity: scratch + width
                    ) { memory in
                        guard let memory = memory.baseAddress else { return }
                        let line = unsafe memory + scratch
                        for row in band * bandRows..<min((band + 1) * bandRows, height) {
                            unsafe Resampler.resampleRow(
                                row,
                                of: map,
                                columns: fit.bloomColumns,
                                rows: fit.bloomRows,
                                scratch: memory,
                                to: line
                            )
                            for x in 0..<width {
                                let index = unsafe Int(ColorTable.index(line[x] * scale))
                                unsafe pixels[row * width + x] = table[index]
                            }
                        }
                    }
                }
            }
        }
    }

    /// Writes the picture: light, bloom, vignette, tone, dither.
    func compose(
        _ field: TrailField,
        _ fit: Fit,
        scale: Float,
        bloomIntensity: Float,
        vignette: Float,
        on executor: any Executor
    ) -> VideoFrame {
        let width = format.width
        var bytes = Writable<UInt8>(uninitialized: format.byteCount)
        let isDeep = format.layout == .rgb48
        unsafe field.map.withUnsafePointer { map in
            nonisolated(unsafe) let map = unsafe map
            executor.split(&bytes, rows: format.height) { part, rows in
                unsafe part.withUnsafeMutableBufferPointer { output in
                    guard let output = output.baseAddress else { return }
                    unsafe withLineMemory(fit) { line, scratch, bloomLine in
                        for row in rows {
                            let target =
                                unsafe output + (row - rows.lowerBound) * width * (isDeep ? 6 : 3)
                            let trail = unsafe trailRow(
                                row,
                                of: map,
                                fit,
                                line: line,
                                scratch: scratch
                            )
                            if bloomIntensity > 0 {
                                unsafe bloomRow(row, intensity: bloomIntensity, to: bloomLine)
                            }
                            unsafe composeRow(
                                row,
                                trail,
                                scale: scale,
                                bloomLine,
                                vignette: vignette,
                                isDeep: isDeep,
                                to: target
                            )
                        }
                    }
                }
            }
        }
        return VideoFrame(format: format, bytes: bytes)
    }

    /// Lends memory for the work on one row after another.
    private func withLineMemory(
        _ fit: Fit,
        _ body: (
            UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>,
            UnsafeMutablePointer<SIMD4<Float>>
        ) -> Void
    ) {
        let floats = format.width + (fit.columns?.scratchCount ?? 0)
        let lights = bloom.levels[0].width
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: floats) { line in
            unsafe withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: lights) { bloom in
                guard let line = line.baseAddress, let bloom = bloom.baseAddress else { return }
                unsafe bloom.initialize(repeating: .zero, count: lights)
                unsafe body(line, line + format.width, bloom)
            }
        }
    }

    /// The trail along one row of the picture.
    private func trailRow(
        _ row: Int,
        of map: UnsafePointer<Float>,
        _ fit: Fit,
        line: UnsafeMutablePointer<Float>,
        scratch: UnsafeMutablePointer<Float>
    ) -> UnsafePointer<Float> {
        guard let columns = fit.columns, let rows = fit.rows else {
            return unsafe map + row * format.width
        }
        unsafe Resampler.resampleRow(
            row,
            of: map,
            columns: columns,
            rows: rows,
            scratch: scratch,
            to: line
        )
        return unsafe UnsafePointer(line)
    }

    /// The bloom along one row of the picture, still at the bloom's own columns.
    private func bloomRow(
        _ row: Int,
        intensity: Float,
        to line: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        let place = bloomRows[row]
        let width = bloom.levels[0].width
        let (upper, lower) = (place.index * width, place.next * width)
        for x in 0..<width {
            let above = bloom.levels[0].pixels[upper + x]
            let below = bloom.levels[0].pixels[lower + x]
            unsafe line[x] = (above + (below - above) * place.part) * intensity
        }
    }

    private func composeRow(
        _ row: Int,
        _ trail: UnsafePointer<Float>,
        scale: Float,
        _ bloomLine: UnsafePointer<SIMD4<Float>>,
        vignette: Float,
        isDeep: Bool,
        to target: UnsafeMutablePointer<UInt8>
    ) {
        let fall = rowFall[row]
        // Roberts' R2 sequence: neighbours get thresholds far apart, and every run of pixels gets
        // all thresholds equally often. In 32-bit fractions.
        var threshold = UInt32(truncatingIfNeeded: row) &* 2_447_445_414
        for x in 0..<format.width {
            let place = bloomColumns[x]
            let left = unsafe bloomLine[place.index]
            let right = unsafe bloomLine[place.next]
            var light = unsafe colors.light[Int(ColorTable.index(trail[x] * scale))]
            light += left + (right - left) * place.part
            let darkening = vignette * (fall + columnFall[x])
            light *= 1 - darkening
            let coordinate = light / (light + 1) * Float(ToneTable.size - 1) + 8_388_608
            threshold = threshold &+ 3_242_174_889
            let dither = UInt16(truncatingIfNeeded: threshold >> 24)
            for channel in 0..<3 {
                let code = tones.codes[Int(coordinate[channel].bitPattern & 0x3FFF)]
                if isDeep {
                    // 0 … 255 × 256 to 0 … 65535.
                    let deep = UInt16(truncatingIfNeeded: (UInt32(code) * 257 + 128) >> 8)
                    unsafe target[x * 6 + channel * 2] = UInt8(truncatingIfNeeded: deep)
                    unsafe target[x * 6 + channel * 2 + 1] = UInt8(truncatingIfNeeded: deep >> 8)
                } else {
                    unsafe target[x * 3 + channel] = UInt8(truncatingIfNeeded: (code + dither) >> 8)
                }
            }
        }
    }
}
