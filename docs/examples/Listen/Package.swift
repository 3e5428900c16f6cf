// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "listen",
    dependencies: [.package(name: "speechly", path: "../../..")],
    targets: [
        .executableTarget(name: "Listen", dependencies: [.product(name: "Speechly", package: "speechly")])
    ]
)
