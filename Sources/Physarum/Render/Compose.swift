import Media

extension Renderer {
    /// Turns the trail into the light that will spread: level 0 of the bloom.
    mutating func fillBloom(
        _ field: TrailField,
        _ fit: Fit,
        scale: Float,
        on executor: any Executor
    ) {
        let (width, height) = (bloom.levels[0].width, bloom.levels[0].height)
        let light = TrailLight(colors, speciesCount: field.format.speciesCount, scale: scale)
        let planeSize = field.format.width * field.format.height
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
                        capacity: scratch + light.count * width
                    ) { memory in
                        guard let memory = memory.baseAddress else { return }
                        let line = unsafe memory + scratch
                        for row in band * bandRows..<min((band + 1) * bandRows, height) {
                            for species in 0..<light.count {
                                unsafe Resampler.resampleRow(
                                    row,
                                    of: map + species * planeSize,
                                    columns: fit.bloomColumns,
                                    rows: fit.bloomRows,
                                    scratch: memory,
                                    to: line + species * width
                                )
                            }
                            let trails = unsafe TrailLight.Row(first: line, stride: width)
                            unsafe light.fill(trails, count: width, to: pixels + row * width)
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
        background: SIMD4<Float>,
        vignette: Float,
        on executor: any Executor
    ) -> VideoFrame {
        let width = format.width
        let light = TrailLight(colors, speciesCount: field.format.speciesCount, scale: scale)
        var bytes = Writable<UInt8>(uninitialized: format.byteCount)
        let pixelSize = format.layout == .rgb48 ? 6 : 3
        unsafe field.map.withUnsafePointer { map in
            nonisolated(unsafe) let map = unsafe map
            executor.split(&bytes, rows: format.height) { part, rows in
                unsafe part.withUnsafeMutableBufferPointer { output in
                    guard let output = output.baseAddress else { return }
                    unsafe withLineMemory(fit, light.count) { line, scratch, lights, bloomLine in
                        for row in rows {
                            let target =
                                unsafe output + (row - rows.lowerBound) * width * pixelSize
                            unsafe lightRow(
                                row,
                                of: map,
                                fit,
                                light,
                                line: line,
                                scratch: scratch,
                                to: lights
                            )
                            if bloomIntensity > 0 {
                                unsafe bloomRow(row, intensity: bloomIntensity, to: bloomLine)
                            }
                            unsafe composeRow(
                                row,
                                lights,
                                bloomLine,
                                background: background,
                                vignette: vignette,
                                to: target
                            )
                        }
                    }
                }
            }
        }
        return VideoFrame(format: format, bytes: bytes)
    }

    /// Lends memory for the work on one row after another: a row of every trail, scratch memory, a row
    /// of light and one of the bloom.
    private func withLineMemory(
        _ fit: Fit,
        _ speciesCount: Int,
        _ body: (
            UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>,
            UnsafeMutablePointer<SIMD4<Float>>, UnsafeMutablePointer<SIMD4<Float>>
        ) -> Void
    ) {
        let trails = speciesCount * sampling * format.width
        let floats = trails + (fit.columns?.scratchCount ?? 0)
        // Of more points than pixels a second row is added to the first.
        let points = (sampling == 1 ? 1 : 2 * sampling) * format.width
        let lights = points + bloom.levels[0].width + 1
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: floats) { line in
            unsafe withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: lights) { light in
                guard let line = line.baseAddress, let light = light.baseAddress else { return }
                unsafe light.initialize(repeating: .zero, count: lights)
                unsafe body(line, line + trails, light, light + points)
            }
        }
    }

    /// The light along one row of the picture, of as many points as a pixel has.
    private func lightRow(
        _ row: Int,
        of map: UnsafePointer<Float>,
        _ fit: Fit,
        _ light: TrailLight,
        line: UnsafeMutablePointer<Float>,
        scratch: UnsafeMutablePointer<Float>,
        to lights: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        let points = sampling * format.width
        for part in 0..<sampling {
            let trails = unsafe trailRow(
                sampling * row + part,
                of: map,
                fit,
                speciesCount: light.count,
                line: line,
                scratch: scratch
            )
            unsafe light.fill(trails, count: points, to: lights + part * points)
        }
        if sampling == 1 { return }
        for x in 0..<format.width {
            let (above, below) = unsafe (lights + 2 * x, lights + points + 2 * x)
            unsafe lights[x] = (above[0] + above[1] + below[0] + below[1]) * 0.25
        }
    }

    /// The trails along one row of points.
    private func trailRow(
        _ row: Int,
        of map: UnsafePointer<Float>,
        _ fit: Fit,
        speciesCount: Int,
        line: UnsafeMutablePointer<Float>,
        scratch: UnsafeMutablePointer<Float>
    ) -> TrailLight.Row {
        let planeSize = fit.source.width * fit.source.height
        guard let columns = fit.columns, let rows = fit.rows else {
            return unsafe TrailLight.Row(first: map + row * fit.source.width, stride: planeSize)
        }
        for species in 0..<speciesCount {
            unsafe Resampler.resampleRow(
                row,
                of: map + species * planeSize,
                columns: columns,
                rows: rows,
                scratch: scratch,
                to: line + species * sampling * format.width
            )
        }
        return unsafe TrailLight.Row(first: line, stride: sampling * format.width)
    }

    /// The bloom along one row of the picture, still at the bloom's own columns.
    private func bloomRow(
        _ row: Int,
        intensity: Float,
        to line: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        let place = bloomRows[row]
        let width = bloom.levels[0].width
        let upper = place.index * width
        let lower = min(place.index + 1, bloom.levels[0].height - 1) * width
        for x in 0..<width {
            let above = bloom.levels[0].pixels[upper + x]
            let below = bloom.levels[0].pixels[lower + x]
            unsafe line[x] = (above + (below - above) * place.part) * intensity
        }
        // The last pixels lie between the last one and itself.
        unsafe line[width] = line[width - 1]
    }

    /// Writes one row of the picture.
    private func composeRow(
        _ row: Int,
        _ trailLights: UnsafePointer<SIMD4<Float>>,
        _ bloomLine: UnsafePointer<SIMD4<Float>>,
        background: SIMD4<Float>,
        vignette: Float,
        to target: UnsafeMutablePointer<UInt8>
    ) {
        let kept = 1 - vignette * rowFall[row]
        let codes = tones.codes.span
        let (places, falls) = (bloomColumns.span, columnFall.span)
        let lights = ToneTable.scale
        // The code values of a pixel, from 0 to 255 × 256.
        func pixel(_ x: Int) -> (red: UInt32, green: UInt32, blue: UInt32) {
            let place = places[x]
            let left = unsafe bloomLine[place.index]
            let right = unsafe bloomLine[place.index &+ 1]
            var light = unsafe trailLights[x]
            light += background * (1 - light.w)
            light += left + (right - left) * place.part
            light *= kept - vignette * falls[x]
            return (
                UInt32(codes[lights.place(light.x)]),
                UInt32(codes[lights.place(light.y)]),
                UInt32(codes[lights.place(light.z)])
            )
        }
        if format.layout == .rgb48 {
            // 0 … 255 × 256 to 0 … 65535.
            func deep(_ code: UInt32) -> UInt16 { UInt16(truncatingIfNeeded: (code &* 257) >> 8) }
            let output = UnsafeMutableRawPointer(target)
            for x in 0..<format.width {
                let pixel = pixel(x)
                let start = unsafe output + x &* 6
                unsafe start.storeBytes(of: deep(pixel.red), as: UInt16.self)
                unsafe (start + 2).storeBytes(of: deep(pixel.green), as: UInt16.self)
                unsafe (start + 4).storeBytes(of: deep(pixel.blue), as: UInt16.self)
            }
            return
        }
        // Roberts' R2 sequence: neighbours get thresholds far apart, and every run of pixels gets
        // all thresholds equally often. In 32-bit fractions.
        var threshold = UInt32(truncatingIfNeeded: row) &* 2_447_445_414
        for x in 0..<format.width {
            let pixel = pixel(x)
            threshold = threshold &+ 3_242_174_889
            let dither = threshold >> 24
            let start = unsafe target + x &* 3
            unsafe start[0] = UInt8(truncatingIfNeeded: (pixel.red &+ dither) >> 8)
            unsafe start[1] = UInt8(truncatingIfNeeded: (pixel.green &+ dither) >> 8)
            unsafe start[2] = UInt8(truncatingIfNeeded: (pixel.blue &+ dither) >> 8)
        }
    }
}
