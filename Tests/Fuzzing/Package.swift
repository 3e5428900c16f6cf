// swift-tools-version: 6.0
import PackageDescription

// A package of its own, so that a host never builds it. `run.sh` builds it with the sanitizers it needs.

let package = Package(
    name: "speechly-fuzzing",
    dependencies: [.package(name: "speechly", path: "../..")],
    targets: [
        .target(name: "CFuzzHooks"),
        .executableTarget(
            name: "ProtoFuzzer",
            dependencies: ["CFuzzHooks", .product(name: "SpeechlyProto", package: "speechly")],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]
        ),
        .executableTarget(
            name: "SALFuzzer",
            dependencies: ["CFuzzHooks", .product(name: "SpeechlyService", package: "speechly")],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]
        ),
    ],
    swiftLanguageModes: [.v6]
)
