extension Palette {
    /// The palettes that need no file.
    ///
    /// Their lightness rises evenly from the first colour to the last, and a screen can show every
    /// colour of them.
    public static let builtIn: [Palette] = [
        .foxfire, .ember, .moonlight, .abyss, .aurora, .coral, .copper, .verdigris, .gold, .moss,
        .frost, .orchid, .nebula, .ultraviolet, .dusk, .lagoon, .garnet, .ash, .prism,
    ]

    /// Finds a built-in palette by its exact name; nil when there is none.
    public static func named(_ name: String) -> Palette? { builtIn.first { $0.name == name } }

    /// Deep forest night, teal, the green of glowing fungi, gold.
    public static let foxfire = even(
        "foxfire",
        0.1...0.96,
        (0, 0.02, 230),
        (0.2, 0.045, 205),
        (0.42, 0.079, 182),
        (0.62, 0.149, 155),
        (0.8, 0.18, 125),
        (0.93, 0.151, 95),
        (1, 0.053, 92)
    )

    /// Coal, red heat, orange, pale flame.
    public static let ember = even(
        "ember",
        0.11...0.97,
        (0, 0.02, 20),
        (0.3, 0.128, 22),
        (0.55, 0.179, 38),
        (0.8, 0.158, 72),
        (1, 0.054, 98)
    )

    /// Night blue, violet, silver.
    public static let moonlight = even(
        "moonlight",
        0.12...0.98,
        (0, 0.035, 275),
        (0.3, 0.11, 285),
        (0.6, 0.12, 265),
        (0.85, 0.07, 235),
        (1, 0.017, 210)
    )

    /// Deep sea, blue, cyan, foam.
    public static let abyss = even(
        "abyss",
        0.1...0.97,
        (0, 0.04, 262),
        (0.28, 0.12, 262),
        (0.5, 0.128, 245),
        (0.72, 0.122, 215),
        (0.88, 0.09, 195),
        (1, 0.03, 185)
    )

    /// Night, teal, green curtains, a rose edge.
    public static let aurora = even(
        "aurora",
        0.1...0.96,
        (0, 0.03, 265),
        (0.25, 0.055, 220),
        (0.5, 0.106, 165),
        (0.68, 0.17, 150),
        (0.84, 0.1, 140),
        (0.93, 0.05, 20),
        (1, 0.022, 350)
    )

    /// Dark water, crimson, coral, sand.
    public static let coral = even(
        "coral",
        0.11...0.96,
        (0, 0.027, 220),
        (0.18, 0.059, 300),
        (0.38, 0.148, 5),
        (0.6, 0.177, 22),
        (0.8, 0.121, 45),
        (1, 0.039, 85)
    )

    /// Soot, copper, brass.
    public static let copper = even(
        "copper",
        0.11...0.95,
        (0, 0.015, 40),
        (0.3, 0.075, 42),
        (0.6, 0.115, 52),
        (0.82, 0.1, 75),
        (1, 0.05, 95)
    )

    /// Umber, bronze, patina.
    public static let verdigris = even(
        "verdigris",
        0.11...0.96,
        (0, 0.02, 50),
        (0.25, 0.06, 55),
        (0.45, 0.06, 100),
        (0.65, 0.09, 165),
        (0.85, 0.09, 180),
        (1, 0.03, 190)
    )

    /// Black, brown, gold, ivory.
    public static let gold = even(
        "gold",
        0.1...0.98,
        (0, 0.015, 75),
        (0.3, 0.076, 70),
        (0.6, 0.123, 82),
        (0.85, 0.14, 92),
        (1, 0.042, 100)
    )

    /// Peat, moss, young leaves, straw.
    public static let moss = even(
        "moss",
        0.11...0.95,
        (0, 0.02, 110),
        (0.3, 0.08, 130),
        (0.58, 0.14, 127),
        (0.82, 0.16, 118),
        (1, 0.09, 108)
    )

    /// Slate, steel, ice.
    public static let frost = even(
        "frost",
        0.12...0.99,
        (0, 0.02, 255),
        (0.35, 0.06, 250),
        (0.65, 0.065, 230),
        (0.88, 0.035, 215),
        (1, 0.005, 210)
    )

    /// Plum, violet, magenta, blush.
    public static let orchid = even(
        "orchid",
        0.11...0.96,
        (0, 0.037, 310),
        (0.3, 0.134, 312),
        (0.55, 0.201, 330),
        (0.78, 0.155, 345),
        (1, 0.02, 0)
    )

    /// Indigo, purple, rose, amber.
    public static let nebula = even(
        "nebula",
        0.1...0.96,
        (0, 0.05, 280),
        (0.25, 0.14, 290),
        (0.48, 0.19, 335),
        (0.68, 0.17, 20),
        (0.86, 0.111, 65),
        (1, 0.061, 95)
    )

    /// Black light: violet, electric blue, lilac.
    public static let ultraviolet = even(
        "ultraviolet",
        0.1...0.97,
        (0, 0.05, 285),
        (0.35, 0.2, 285),
        (0.55, 0.2, 275),
        (0.8, 0.1, 290),
        (1, 0.022, 320)
    )

    /// Blue hour, mauve, peach.
    public static let dusk = even(
        "dusk",
        0.13...0.96,
        (0, 0.04, 260),
        (0.3, 0.08, 265),
        (0.55, 0.09, 320),
        (0.78, 0.1, 40),
        (1, 0.035, 80)
    )

    /// Deep teal, turquoise, sand.
    public static let lagoon = even(
        "lagoon",
        0.11...0.96,
        (0, 0.026, 210),
        (0.3, 0.06, 205),
        (0.58, 0.099, 192),
        (0.8, 0.1, 170),
        (0.93, 0.06, 110),
        (1, 0.048, 90)
    )

    /// Wine, crimson, rose.
    public static let garnet = even(
        "garnet",
        0.1...0.96,
        (0, 0.03, 5),
        (0.32, 0.138, 12),
        (0.58, 0.207, 18),
        (0.82, 0.106, 12),
        (1, 0.02, 0)
    )

    /// Warm black, grey, white.
    public static let ash = even(
        "ash",
        0.1...0.98,
        (0, 0.008, 60),
        (0.4, 0.012, 65),
        (0.75, 0.015, 80),
        (1, 0.008, 95)
    )

    /// Violet, blue, green, yellow, as in an oil film.
    public static let prism = even(
        "prism",
        0.11...0.97,
        (0, 0.06, 310),
        (0.2, 0.15, 290),
        (0.36, 0.114, 250),
        (0.52, 0.091, 195),
        (0.68, 0.17, 145),
        (0.86, 0.17, 112),
        (1, 0.06, 100)
    )

    /// A palette between two lightnesses, as far from the first as each position says.
    private static func even(
        _ name: String,
        _ lightness: ClosedRange<Double>,
        _ tones: (position: Double, chroma: Double, hue: Double)...
    ) -> Palette {
        let rise = lightness.upperBound - lightness.lowerBound
        return Palette(
            name: name,
            stops: tones.map { tone in
                Stop(
                    tone.position,
                    OKLCh(lightness.lowerBound + rise * tone.position, tone.chroma, tone.hue)
                )
            }
        )
    }
}
