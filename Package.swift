// swift-tools-version: 6.2

import PackageDescription

/// What every target of ours is built with; the C module maps have no Swift to build.
let house: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .strictMemorySafety(),
]

let package = Package(
    name: "foxfire",
    products: [
        .executable(name: "foxfire", targets: ["FoxfireCLI"]),
        .library(name: "CLumenCap", targets: ["CLumenCap"]),
        .library(name: "Lumen", targets: ["Lumen"]),
        .library(name: "Media", targets: ["Media"]),
        .library(name: "Graph", targets: ["Graph"]),
        .library(name: "Codecs", targets: ["Codecs"]),
        .library(name: "Physarum", targets: ["Physarum"]),
        .library(name: "PicoFox", targets: ["PicoFox"]),
        .library(name: "Presets", targets: ["Presets"]),
        .library(name: "Sound", targets: ["Sound"]),
        .library(name: "Nodes", targets: ["Nodes"]),
    ],
    targets: [
        .systemLibrary(
            name: "CLibAV",
            pkgConfig: "libavformat libavcodec libswscale libswresample libavutil",
            providers: [
                .apt([
                    "libavformat-dev", "libavcodec-dev", "libswscale-dev", "libswresample-dev",
                    "libavutil-dev",
                ])
            ]
        ),
        .systemLibrary(
            name: "CDeflate",
            pkgConfig: "libdeflate",
            providers: [.apt(["libdeflate-dev"])]
        ),
        .systemLibrary(
            name: "CEBUR128",
            pkgConfig: "libebur128",
            providers: [.apt(["libebur128-dev"])]
        ),
        .systemLibrary(
            name: "COpus",
            pkgConfig: "opus",
            providers: [.apt(["libopus-dev"])]
        ),
        .systemLibrary(
            name: "CHEIF",
            pkgConfig: "libheif",
            providers: [.apt(["libheif-dev"])]
        ),
        .systemLibrary(
            name: "CPNG",
            pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"])]
        ),
        .systemLibrary(
            name: "CTurboJPEG",
            pkgConfig: "libturbojpeg",
            providers: [.apt(["libturbojpeg0-dev"])]
        ),
        .systemLibrary(
            name: "CEspeakNG",
            pkgConfig: "espeak-ng",
            providers: [.apt(["libespeak-ng-dev"])]
        ),

        .target(name: "Media", swiftSettings: house),
        .target(name: "Graph", dependencies: ["Media"], swiftSettings: house),
        .target(
            name: "Codecs",
            dependencies: [
                "Media", "CLibAV", "CDeflate", "CEBUR128", "CHEIF", "COpus", "CPNG",
                "CTurboJPEG",
            ],
            swiftSettings: house
        ),
        .target(name: "CKernels"),
        .target(name: "Physarum", dependencies: ["CKernels", "Media"], swiftSettings: house),
        .target(
            name: "Speech",
            dependencies: ["CEspeakNG", "Media"],
            swiftSettings: house
        ),
        .target(name: "Sound", dependencies: ["Media"], swiftSettings: house),
        .target(name: "CLumenCap"),
        .target(name: "Lumen", dependencies: ["Graph", "Codecs", "Media"], swiftSettings: house),
        .target(name: "PicoFox", dependencies: ["Codecs", "Sound", "Media"], swiftSettings: house),
        .target(
            name: "Presets",
            dependencies: ["Graph", "Physarum", "Media"],
            swiftSettings: house
        ),
        .target(name: "Batch", dependencies: ["Graph", "Codecs", "Media"], swiftSettings: house),
        .target(
            name: "Nodes",
            dependencies: [
                "Lumen", "PicoFox", "Sound", "Speech", "Presets", "Graph", "Codecs", "Physarum",
                "Media",
            ],
            swiftSettings: house,
            plugins: ["NodeCatalogue"]
        ),
        .executableTarget(
            name: "FoxfireCLI",
            dependencies: [
                "Batch", "Nodes", "Lumen", "PicoFox", "Sound", "Presets", "Graph", "Codecs",
                "Physarum",
                "Media",
            ],
            swiftSettings: house,
            // By the build ID a batch knows whether the same program made what is there.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--build-id=sha1"])]
        ),

        .target(name: "CYardstick", path: "Benchmarks/CYardstick"),
        .executableTarget(
            name: "FoxfireBenchmarks",
            dependencies: ["Batch", "CYardstick", "Codecs", "Graph", "Physarum", "Media"],
            path: "Benchmarks",
            exclude: ["CYardstick", "PNGYardstick"],
            swiftSettings: house
        ),
        .executableTarget(name: "NodeCatalogueGenerator", swiftSettings: house),
        .plugin(
            name: "NodeCatalogue",
            capability: .buildTool(),
            dependencies: ["NodeCatalogueGenerator"]
        ),

        .target(
            name: "TestSupport",
            dependencies: ["Nodes", "Graph", "Codecs", "COpus", "Physarum", "Media"],
            path: "Tests/TestSupport",
            swiftSettings: house
        ),
        .testTarget(
            name: "MediaTests",
            dependencies: ["Media", "TestSupport"],
            swiftSettings: house
        ),
        .testTarget(
            name: "GraphTests",
            dependencies: ["Graph", "Media", "TestSupport"],
            swiftSettings: house
        ),
        .testTarget(
            name: "CodecsTests",
            dependencies: ["Codecs", "CHEIF", "Media", "TestSupport"],
            swiftSettings: house
        ),
        .testTarget(
            name: "LumenTests",
            dependencies: ["Lumen", "Graph", "Codecs", "Media", "TestSupport"],
            swiftSettings: house
        ),
        .testTarget(
            name: "PhysarumTests",
            dependencies: ["Physarum", "Media", "TestSupport", "CYardstick"],
            swiftSettings: house
        ),
        .testTarget(
            name: "PicoFoxTests",
            dependencies: ["PicoFox", "Media", "TestSupport"],
            swiftSettings: house
        ),
        .testTarget(
            name: "SoundTests",
            dependencies: ["Sound", "Codecs", "Media", "TestSupport"],
            swiftSettings: house
        ),
        .testTarget(
            name: "PresetsTests",
            dependencies: ["Presets", "Graph", "Physarum", "Media", "TestSupport"],
            swiftSettings: house
        ),
        .testTarget(
            name: "BatchTests",
            dependencies: ["Batch", "Graph", "Media", "TestSupport"],
            swiftSettings: house
        ),
        .testTarget(
            name: "NodesTests",
            dependencies: [
                "Nodes", "Lumen", "PicoFox", "Sound", "Presets", "Graph", "Codecs", "Physarum",
                "Media", "TestSupport",
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "FoxfireCLITests",
            dependencies: [
                "FoxfireCLI", "Lumen", "PicoFox", "Presets", "Graph", "Media", "TestSupport",
            ],
            exclude: ["Faults"],
            swiftSettings: house
        ),
    ],
    swiftLanguageModes: [.v6]
)

// `make fuzz` builds this with libFuzzer's main, so nothing that has a main may be there then.
if Context.environment["FOXFIRE_FUZZ"] != nil {
    let libraries = [
        "Media", "Graph", "CKernels", "Physarum", "Presets", "PicoFox", "Sound", "Lumen", "Codecs",
        "CLibAV", "CDeflate", "CEBUR128", "CHEIF", "COpus", "CPNG",
        "CTurboJPEG",
    ]
    func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .executableTarget(
            name: name,
            dependencies: dependencies,
            path: "Fuzz",
            exclude: ["seeds"],
            sources: ["\(name).swift"],
            swiftSettings: house
        )
    }
    package.products = []
    package.targets =
        package.targets.filter { libraries.contains($0.name) } + [
            fuzzer("CaptureIndexFuzz", ["Lumen", "Codecs", "Media"]),
            fuzzer("CaptureLogFuzz", ["Lumen", "Codecs", "Media"]),
            fuzzer("CheckpointFuzz", ["Physarum", "Media"]),
            fuzzer("ModulationTableFuzz", ["Presets"]),
            fuzzer("ModulationTrackFuzz", ["Physarum", "Media"]),
            fuzzer("FoxFilesFuzz", ["PicoFox"]),
            fuzzer("GraphFileFuzz", ["Graph", "Media"]),
            fuzzer("HEVCStreamFuzz", ["Lumen", "Codecs", "Media"]),
            fuzzer("StillFuzz", ["Codecs", "Media"]),
            fuzzer("PresetFileFuzz", ["Presets", "Graph", "Media"]),
        ]
}
