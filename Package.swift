// swift-tools-version: 6.0
import PackageDescription

// System libraries are found by header path and linked by name. `grpc` is deliberately declared
// without pkg-config: its requirement list is longer than a linker call may be.

let package = Package(
    name: "speechly",
    products: [
        .library(name: "Speechly", targets: ["Speechly"]),
        .library(name: "SpeechlyCore", targets: ["SpeechlyCore"]),
        .library(name: "SpeechlyProto", targets: ["SpeechlyProto"]),
        .library(name: "SpeechlyGRPC", targets: ["SpeechlyGRPC"]),
        .library(name: "SpeechlyAudio", targets: ["SpeechlyAudio"]),
        .library(name: "SpeechlyService", targets: ["SpeechlyService"]),
        .library(name: "SpeechlyTesting", targets: ["SpeechlyTesting"]),
        .executable(name: "speechly", targets: ["SpeechlyCLI"]),
    ],
    targets: [
        // MARK: Values and rules
        .target(name: "SpeechlyCore"),
        .target(name: "SpeechlyProto"),
        .target(name: "SpeechlySync"),

        // MARK: Transport
        .target(
            name: "CgRPCShim",
            linkerSettings: [.linkedLibrary("grpc"), .linkedLibrary("gpr")]
        ),
        .target(name: "SpeechlyGRPC", dependencies: ["CgRPCShim", "SpeechlySync"]),

        // MARK: System libraries
        .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(name: "CSpeexDSP", pkgConfig: "speexdsp", providers: [.apt(["libspeexdsp-dev"])]),
        .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(
            name: "CPocketSphinx", pkgConfig: "pocketsphinx",
            providers: [.apt(["libpocketsphinx-dev", "libsphinxbase-dev"])]
        ),
        .systemLibrary(name: "CFlite", providers: [.apt(["flite1-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

        // MARK: Client
        .target(
            name: "SpeechlyAudio",
            dependencies: ["SpeechlyCore", "SpeechlySync", "CALSA", "CSpeexDSP", "CSndFile"]
        ),
        .target(
            name: "Speechly",
            dependencies: ["SpeechlyCore", "SpeechlyProto", "SpeechlySync", "SpeechlyGRPC", "SpeechlyAudio"]
        ),

        // MARK: Service, test support for hosts, command line
        .target(name: "CSoundModel"),
        .target(
            name: "SpeechlyService",
            dependencies: [
                "Speechly", "SpeechlySync", "CPocketSphinx", "CSoundModel", "CSpeexDSP", "CFlite", "CCrypto", "CYAML",
            ]
        ),
        .target(name: "SpeechlyTesting", dependencies: ["SpeechlyProto", "SpeechlySync", "SpeechlyGRPC"]),
        .executableTarget(name: "SpeechlyCLI", dependencies: ["Speechly", "SpeechlyService", "SpeechlySync"]),

        // MARK: Tests
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .target(
            name: "ChaosDriver",
            dependencies: ["Speechly", "SpeechlyTesting", "SpeechlySync", "TestSupport"], path: "Tests/ChaosDriver",
            exclude: ["seeds.txt"]),
        .target(
            name: "CProtobufCPeer", path: "Tests/CProtobufCPeer", exclude: ["generate.sh"],
            cSettings: [.headerSearchPath("generated")],
            linkerSettings: [.linkedLibrary("protobuf-c")]
        ),
        // What `make chaos`, `make soak` and the client's benchmark run.
        .executableTarget(
            name: "chaos", dependencies: ["ChaosDriver"], path: "Tests/ChaosRunner"),
        .testTarget(name: "SpeechlyCoreTests", dependencies: ["SpeechlyCore", "TestSupport"]),
        .testTarget(
            name: "SpeechlyProtoTests", dependencies: ["SpeechlyProto", "CProtobufCPeer", "TestSupport"]
        ),
        .testTarget(name: "SpeechlySyncTests", dependencies: ["SpeechlySync"]),
        .testTarget(name: "SpeechlyGRPCTests", dependencies: ["SpeechlyGRPC", "SpeechlySync", "TestSupport"]),
        .testTarget(name: "SpeechlyAudioTests", dependencies: ["SpeechlyAudio", "SpeechlySync", "TestSupport"]),
        .testTarget(
            name: "SpeechlyTests",
            dependencies: ["Speechly", "SpeechlyTesting", "SpeechlySync", "TestSupport", "ChaosDriver"]
        ),
        .testTarget(
            name: "SpeechlyServiceTests",
            dependencies: ["SpeechlyService", "Speechly", "SpeechlySync", "CSoundModel", "TestSupport"]
        ),
        .testTarget(
            name: "SpeechlyTestingTests",
            dependencies: ["SpeechlyTesting", "Speechly", "SpeechlySync", "TestSupport"]
        ),
        .testTarget(
            name: "SpeechlyCLITests",
            dependencies: [
                "SpeechlyCLI", "Speechly", "SpeechlyService", "SpeechlyTesting", "SpeechlySync", "TestSupport",
            ]
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: ["SpeechlyCLI", "Speechly", "SpeechlyService", "SpeechlyTesting", "TestSupport"],
            exclude: ["check_transcript.py"]
        ),
    ],
    swiftLanguageModes: [.v6]
)
