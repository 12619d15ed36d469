extension Palette {
    /// The palette between this one and another, mixed evenly to the eye at every place.
    ///
    /// - Parameters:
    ///   - other: what it becomes at a part of 1.
    ///   - part: 0…1.
    /// - Returns: a palette that is neither's own.
    func mixed(with other: Palette, part: Double) -> Palette {
        if part == 0 || self == other { return self }
        if part == 1 { return other }
        return Palette(name: name, stops: stops, blend: Blend(stops: other.stops, part: part))
    }
}

extension OKLCh {
    /// The colour between this one and another, around the shorter way of the hue circle; black has the
    /// other's hue.
    func mixed(with other: OKLCh, part: Double) -> OKLCh {
        if part == 0 || self == other { return self }
        if part == 1 { return other }
        let from = chroma == 0 ? other.hue : hue
        let to = other.chroma == 0 ? from : other.hue
        let way = (to - from).remainder(dividingBy: 360)
        return OKLCh(
            lightness + part * (other.lightness - lightness),
            chroma + part * (other.chroma - chroma),
            from + part * way
        )
    }
}

extension Species {
    /// The species between this one and another; shares stay.
    func mixed(with other: Species, part: Double, _ palettes: (own: Palette, other: Palette))
        -> Species
    {
        func between(_ one: Double, _ two: Double) -> Double { one + part * (two - one) }
        var result = self
        let own = palette ?? palettes.own
        result.palette = own.mixed(with: other.palette ?? palettes.other, part: part)
        result.attraction = zip(attraction, other.attraction).map(between)
        for parameter in Self.ownParameters {
            let (one, two) = (factors[parameter], other.factors[parameter])
            if one == nil && two == nil { continue }
            result.factors[parameter] = between(one ?? 1, two ?? 1)
        }
        return result
    }
}

extension AudioReactive {
    /// Both wirings at once, each as strong as its part.
    func mixed(with other: AudioReactive, part: Double) -> AudioReactive {
        func routes(_ wiring: AudioReactive, _ share: Double) -> [Route] {
            if !wiring.isEnabled { return [] }
            return wiring.routes.map { route in
                var route = route
                route.depth *= wiring.gain * share
                return route
            }
        }
        return AudioReactive(
            hasAutoGain: part < 0.5 ? hasAutoGain : other.hasAutoGain,
            routes: routes(self, 1 - part) + routes(other, part)
        )
    }
}

extension Preset {
    /// The preset between this one and another.
    ///
    /// Numbers are mixed in proportion, colours evenly to the eye, and both wirings count, each as strong
    /// as its part. Shares and the place where agents are born stay, since they are read once.
    ///
    /// - Parameters:
    ///   - other: what it becomes at a part of 1.
    ///   - part: 0…1.
    /// - Returns: a preset with as many species as the one that has more.
    public func mixed(with other: Preset, part: Double) -> Preset {
        precondition((0...1).contains(part), "A part is in 0…1.")
        var result = self
        for parameter in Parameter.allCases {
            let (one, two) = (parameters[base: parameter], other.parameters[base: parameter])
            result.parameters[base: parameter] = part == 1 ? two : one + part * (two - one)
        }
        result.palette = palette.mixed(with: other.palette, part: part)
        result.background = background.mixed(with: other.background, part: part)
        let count = max(species.count, other.species.count)
        if count > 0 {
            let (own, others) = (
                Species.adapted(species, to: count), Species.adapted(other.species, to: count)
            )
            result.species = zip(own, others).map { one, two in
                one.mixed(with: two, part: part, (palette, other.palette))
            }
        }
        let (wiring, otherWiring) = (audioReactive, other.audioReactive)
        if wiring != otherWiring {
            result.audioReactive =
                part == 0
                ? wiring
                : part == 1
                    ? otherWiring
                    : (wiring ?? .standard).mixed(with: otherWiring ?? .standard, part: part)
        }
        return result
    }
}
