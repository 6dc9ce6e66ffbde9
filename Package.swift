// swift-tools-version:6.2
import PackageDescription

/// Every target is held to the same rules: explicit visibility of imports, and no warning left behind.
let rules: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "countersign",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17)],
    products: [
        .library(name: "Countersign", targets: ["Countersign"]),
        .library(name: "CountersignWire", targets: ["CountersignWire"]),
        .library(name: "CountersignTransport", targets: ["CountersignTransport"]),
        .library(name: "CountersignRequester", targets: ["CountersignRequester"]),
        .library(name: "CountersignApprover", targets: ["CountersignApprover"]),
        .library(name: "CountersignNearby", targets: ["CountersignNearby"]),
        .library(name: "CountersignResource", targets: ["CountersignResource"]),
        .library(name: "CountersignServer", targets: ["CountersignServer"]),
        .library(name: "CountersignSQLite", targets: ["CountersignSQLite"]),
        .library(name: "CountersignPostgres", targets: ["CountersignPostgres"]),
        .library(name: "CountersignTesting", targets: ["CountersignTesting"]),
        .executable(name: "countersign", targets: ["CountersignCommand"]),
    ],
    traits: [
        .trait(name: "PostgreSQL", description: "The server can keep everything in PostgreSQL; needs libpq."),
        .trait(name: "SecretService", description: "A token store can have its key in a keyring; needs libsecret."),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.1.1"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-atomics.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0"),
    ],
    targets: [
        .target(
            name: "Countersign",
            dependencies: [.product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: rules
        ),
        .target(
            name: "CountersignWire",
            dependencies: [
                "Countersign",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: rules
        ),
        .systemLibrary(
            name: "CLibSecret",
            pkgConfig: "libsecret-1",
            providers: [.apt(["libsecret-1-dev"])]
        ),
        .target(
            name: "CountersignTransport",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(platforms: [.linux])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(platforms: [.linux])),
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "CountersignRequester",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignTransport",
                .target(
                    name: "CLibSecret",
                    condition: .when(platforms: [.linux], traits: ["SecretService"])
                ),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "CountersignApprover",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignTransport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "CountersignNearby",
            dependencies: [
                "Countersign",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "CountersignResource",
            dependencies: [
                "Countersign", "CountersignWire",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "CountersignServer",
            dependencies: [
                "Countersign", "CountersignWire",
                .product(name: "Atomics", package: "swift-atomics"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.embedInCode("Pages/Templates"), .embedInCode("Endpoints/OpenAPI/Parts")],
            swiftSettings: rules
        ),
        .target(
            name: "CountersignSQLite",
            dependencies: [
                "Countersign", "CountersignServer",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .systemLibrary(
            name: "CLibPQ",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .target(
            name: "CountersignPostgres",
            dependencies: [
                "Countersign", "CountersignServer", "CountersignWire",
                .target(name: "CLibPQ", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "CountersignTesting",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignNearby", "CountersignRequester", "CountersignTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .systemLibrary(
            name: "CQREncode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]
        ),
        .executableTarget(
            name: "CountersignCommand",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignNearby", "CountersignRequester",
                "CountersignApprover", "CountersignTransport", "CountersignServer", "CountersignSQLite",
                "CountersignPostgres", "CQREncode",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Command",
            swiftSettings: rules
        ),
        .executableTarget(
            name: "RadioServices",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignResource",
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            path: "Examples/RadioServices"
        ),
        .executableTarget(
            name: "RadioListener",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignRequester",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Examples/RadioListener"
        ),
        .executableTarget(
            name: "Cinema",
            dependencies: [
                "Countersign", "CountersignNearby", "CountersignTransport",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Examples/Cinema"
        ),
        .testTarget(
            name: "CountersignTests",
            dependencies: ["Countersign", "CountersignTesting"],
            swiftSettings: rules
        ),
        .testTarget(
            name: "CountersignWireTests",
            dependencies: ["Countersign", "CountersignWire"],
            swiftSettings: rules
        ),
        .testTarget(
            name: "CountersignRequesterTests",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignRequester", "CountersignTesting",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "CommandStage",
            dependencies: [
                "TestShell",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/CommandStage",
            swiftSettings: rules
        ),
        .testTarget(
            name: "NetworkTests",
            dependencies: ["CountersignNearby", "CommandStage", "CountersignCommand", "TestShell"],
            exclude: ["Peers"],
            swiftSettings: rules
        ),
        .testTarget(
            name: "CountersignApproverTests",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignApprover", "CountersignTesting", "CountersignTransport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "CountersignNearbyTests",
            dependencies: [
                "Countersign", "CountersignNearby", "CountersignTesting",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "CountersignResourceTests",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignRequester", "CountersignResource",
                "CountersignTesting",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "CountersignTestingTests",
            dependencies: ["CountersignTesting"],
            swiftSettings: rules
        ),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignServer", "CountersignSQLite",
                "PostgresUnderTest",
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .target(
            name: "TestShell",
            dependencies: [.product(name: "NIOConcurrencyHelpers", package: "swift-nio")],
            path: "Tests/TestShell",
            swiftSettings: rules
        ),
        .target(
            name: "PostgresUnderTest",
            dependencies: ["CountersignPostgres", "TestShell"],
            path: "Tests/PostgresUnderTest",
            swiftSettings: rules
        ),
        .testTarget(
            name: "CountersignPostgresTests",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignServer", "CountersignPostgres",
                "PostgresUnderTest",
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "CountersignSQLiteTests",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignServer", "CountersignSQLite",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "CountersignServerTests",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignServer", "CountersignSQLite",
                "CountersignTesting", "TestShell",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "JourneyTests",
            dependencies: [
                "Cinema", "RadioListener", "RadioServices", "Countersign", "CountersignWire", "CountersignApprover",
                "CountersignNearby", "CountersignRequester", "CountersignResource", "CountersignServer",
                "CountersignSQLite", "CountersignTesting", "TestShell",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["requirements.txt", "Clients"],
            swiftSettings: rules
        ),
        .executableTarget(
            name: "TokenStoreChild",
            dependencies: ["Countersign", "CountersignRequester", "CountersignWire"],
            path: "Tests/TokenStoreChild",
            swiftSettings: rules
        ),
        .testTarget(
            name: "FaultTests",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignRequester", "CountersignServer",
                "CountersignSQLite", "CountersignCommand", "CountersignPostgres", "PostgresUnderTest",
                "TestShell", "TokenStoreChild",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: rules
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "CommandStage", "CountersignCommand", "TestShell",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            exclude: ["Transcripts"],
            swiftSettings: rules
        ),
    ],
    swiftLanguageModes: [.v6]
)

// What only developers need stands apart, so that an ordinary build does not pay for it.
if Context.environment["COUNTERSIGN_BENCHMARKS"] != nil {
    package.products += [.executable(name: "countersign-benchmarks", targets: ["CountersignBenchmarks"])]
    package.targets += [
        .executableTarget(
            name: "CountersignBenchmarks",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignServer", "CountersignSQLite",
                "CountersignPostgres", "CountersignNearby",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Benchmarks",
            exclude: ["results", "Nearby/wire.py"],
            swiftSettings: rules
        )
    ]
}

// `make fuzz`: the parsers under libFuzzer. The flags are unsafe, so they stand here only when they are asked for.
if Context.environment["COUNTERSIGN_FUZZ"] != nil {
    let flags = ["-sanitize=fuzzer,address"]
    for target in package.targets where ["Countersign", "CountersignWire", "CountersignNearby"].contains(target.name) {
        target.swiftSettings = rules + [.unsafeFlags(flags)]
    }
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignNearby",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Fuzz/Sources",
            swiftSettings: rules + [.unsafeFlags(flags)],
            linkerSettings: [.unsafeFlags(flags + ["-use-ld=lld"])]
        )
    )
}
