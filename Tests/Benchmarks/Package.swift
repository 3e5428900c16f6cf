// swift-tools-version: 6.0
import PackageDescription

// A package of its own, so that a host never builds it. Each benchmark has a script `run-….sh`, which builds the
// peer it is measured against from Debian's packages.

let package = Package(
    name: "speechly-benchmarks",
    dependencies: [.package(name: "speechly", path: "../..")],
    targets: [
        .executableTarget(
            name: "CaptureBenchmark",
            dependencies: [
                .product(name: "Speechly", package: "speechly"), .product(name: "SpeechlyTesting", package: "speechly"),
            ]
        ),
        .executableTarget(name: "CodecBenchmark", dependencies: [.product(name: "SpeechlyProto", package: "speechly")]),
        .executableTarget(
            name: "ResamplerBenchmark", dependencies: [.product(name: "SpeechlyAudio", package: "speechly")]),
        .executableTarget(
            name: "RecognitionBenchmark",
            dependencies: [
                .product(name: "Speechly", package: "speechly"), .product(name: "SpeechlyService", package: "speechly"),
            ]
        ),
        .executableTarget(name: "SALBenchmark", dependencies: [.product(name: "SpeechlyService", package: "speechly")]),
        .executableTarget(
            name: "ServiceBenchmark",
            dependencies: [
                .product(name: "Speechly", package: "speechly"), .product(name: "SpeechlyService", package: "speechly"),
            ]
        ),
        .executableTarget(name: "TransportBenchmark", dependencies: [.product(name: "Speechly", package: "speechly")]),
    ],
    swiftLanguageModes: [.v6]
)
