// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "quickstart",
    dependencies: [.package(name: "speechly", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Quickstart",
            dependencies: [
                .product(name: "Speechly", package: "speechly"),
                .product(name: "SpeechlyService", package: "speechly"),
            ]
        )
    ]
)
