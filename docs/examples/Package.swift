// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "examples",
    dependencies: [.package(name: "speechly", path: "../..")],
    targets: [
        .executableTarget(
            name: "Quickstart",
            dependencies: [
                .product(name: "Speechly", package: "speechly"),
                .product(name: "SpeechlyService", package: "speechly"),
            ]
        ),
        .executableTarget(name: "Listen", dependencies: [.product(name: "Speechly", package: "speechly")]),
    ]
)
