// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "StylizeFolder",
  dependencies: [.package(name: "stylemodel", path: "../..")],
  targets: [
    .executableTarget(
      name: "StylizeFolder",
      dependencies: [.product(name: "StyleModelKit", package: "stylemodel")],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ])
