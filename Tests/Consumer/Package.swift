// swift-tools-version: 6.0
import PackageDescription

// A host as users write one: it depends on the package by path and imports `Speechly` alone.
let package = Package(
    name: "consumer",
    dependencies: [.package(name: "speechly", path: "../..")],
    targets: [
        .executableTarget(name: "Consumer", dependencies: [.product(name: "Speechly", package: "speechly")])
    ]
)
