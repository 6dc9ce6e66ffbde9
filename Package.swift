// swift-tools-version:6.2
import PackageDescription

// To add a library: its name in `libraries`, its target in `package.targets`. Its rules come by themselves.

/// The rules for every target but the examples: explicit visibility of imports, and a warning is an error.
let rules: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

/// The products for apps and servers: each is a target of the same name.
let libraries = [
    "Countersign",
    "CountersignWire",
    "CountersignTransport",
    "CountersignRequester",
    "CountersignApprover",
    "CountersignNearby",
    "MulticastDNS",
    "CountersignResource",
    "CountersignServer",
    "CountersignSQLite",
    "CountersignPostgres",
    "CountersignTesting",
]

// MARK: - Products of other packages

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let atomics = Target.Dependency.product(name: "Atomics", package: "swift-atomics")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdHTTP2 = Target.Dependency.product(name: "HummingbirdHTTP2", package: "hummingbird")
let hummingbirdTesting = Target.Dependency.product(name: "HummingbirdTesting", package: "hummingbird")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let nioConcurrencyHelpers = Target.Dependency.product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let certificates = Target.Dependency.product(name: "X509", package: "swift-certificates")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")

/// A product that is only linked on Linux; Apple's systems bring their own.
func onLinux(_ name: String, of package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(platforms: [.linux]))
}

// MARK: - Package

let package = Package(
    name: "countersign",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17)],
    products: libraries.map { .library(name: $0, targets: [$0]) } + [
        .executable(name: "countersign", targets: ["CountersignCommand"])
    ],
    traits: [
        .trait(name: "PostgreSQL", description: "The server can keep everything in PostgreSQL; needs libpq."),
        .trait(name: "SecretService", description: "Keyring and accounts of a desktop, over its bus; needs libsecret."),
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
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
    ],
    targets: [
        // What every part shares.
        .target(name: "Countersign", dependencies: [crypto]),
        .target(name: "CountersignWire", dependencies: ["Countersign", crypto, cryptoExtras, httpTypes]),

        // Apps.
        .target(
            name: "CountersignTransport",
            dependencies: [
                httpTypes,
                onLinux("NIOConcurrencyHelpers", of: "swift-nio"),
                onLinux("NIOCore", of: "swift-nio"),
                onLinux("NIOHTTP1", of: "swift-nio"),
                onLinux("NIOSSL", of: "swift-nio-ssl"),
                onLinux("AsyncHTTPClient", of: "async-http-client"),
            ]
        ),
        .target(
            name: "DesktopBus",
            dependencies: [
                "Countersign",
                .target(name: "CLibSecret", condition: .when(platforms: [.linux], traits: ["SecretService"])),
                nioConcurrencyHelpers,
            ]
        ),
        .target(
            name: "CountersignRequester",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignTransport", "DesktopBus",
                .target(name: "CLibSecret", condition: .when(platforms: [.linux], traits: ["SecretService"])),
                crypto, httpTypes, nioConcurrencyHelpers,
            ]
        ),
        .target(
            name: "CountersignApprover",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignTransport", "DesktopBus", crypto, httpTypes,
            ]
        ),
        .target(
            name: "CountersignNearby",
            dependencies: ["Countersign", "MulticastDNS", crypto, nioConcurrencyHelpers, nioCore, nioPosix]
        ),
        .target(
            name: "MulticastDNS",
            dependencies: ["Countersign", nioConcurrencyHelpers, nioCore, nioPosix]
        ),

        // Servers.
        .target(
            name: "CountersignResource",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignTransport", hummingbird, httpTypes, logging,
            ]
        ),
        .target(
            name: "CountersignServer",
            dependencies: [
                "Countersign", "CountersignTransport", "CountersignWire", "CQREncode",
                asn1, atomics, certificates, coreMetrics, crypto, cryptoExtras, heap, hummingbird, hummingbirdCore,
                httpTypes, logging, mustache, nioConcurrencyHelpers, nioCore, nioHTTP1, nioPosix, nioSSL,
                serviceLifecycle,
            ],
            resources: [
                .embedInCode("Pages/Templates"), .embedInCode("Pages/Texts"), .embedInCode("Endpoints/OpenAPI/Parts"),
            ]
        ),
        .target(
            name: "CountersignSQL",
            dependencies: ["Countersign", "CountersignServer", "CountersignWire", nioCore]
        ),
        .target(
            name: "CountersignSQLite",
            dependencies: [
                "Countersign", "CountersignServer", "CountersignSQL",
                coreMetrics, grdb, grdbSQLite, nioConcurrencyHelpers,
            ]
        ),
        .target(
            name: "CountersignPostgres",
            dependencies: [
                "Countersign", "CountersignServer", "CountersignSQL",
                .target(name: "CLibPQ", condition: .when(traits: ["PostgreSQL"])),
                coreMetrics, nioConcurrencyHelpers, nioCore,
            ]
        ),
        .target(
            name: "CountersignTesting",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignRequester", "CountersignTransport",
                crypto, cryptoExtras, httpTypes, nioConcurrencyHelpers, nioCore, nioHTTP1, nioPosix,
            ]
        ),
        .executableTarget(
            name: "CountersignCommand",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignNearby", "CountersignRequester", "CountersignApprover",
                "CountersignTesting", "CountersignTransport", "CountersignServer", "CountersignSQLite",
                "CountersignPostgres", "MulticastDNS",
                argumentParser, configuration, coreMetrics, httpTypes, logging, hummingbird, nioConcurrencyHelpers,
                nioCore,
                nioPosix, serviceLifecycle, unixSignals,
            ],
            path: "Sources/Command"
        ),

        // Libraries of the system.
        .systemLibrary(name: "CLibSecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .systemLibrary(
            name: "CQREncode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]
        ),

        // Examples.
        .executableTarget(
            name: "RadioServices",
            dependencies: ["Countersign", "CountersignWire", "CountersignResource", hummingbird],
            path: "Examples/RadioServices"
        ),
        .executableTarget(
            name: "RadioListener",
            dependencies: ["Countersign", "CountersignWire", "CountersignRequester", httpTypes],
            path: "Examples/RadioListener"
        ),
        .executableTarget(
            name: "Cinema",
            dependencies: [
                "Countersign", "CountersignNearby", "CountersignTransport", "MulticastDNS", hummingbird, httpTypes,
            ],
            path: "Examples/Cinema"
        ),

        .executableTarget(
            name: "AppToApp",
            dependencies: ["Countersign", "CountersignWire", "CountersignRequester"],
            path: "Examples/AppToApp",
            exclude: ["Declarations"]
        ),
        .executableTarget(
            name: "ProviderPhone",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignApprover", "CountersignRequester", "CountersignTransport",
            ],
            path: "Examples/ProviderPhone"
        ),
        .executableTarget(
            name: "Authenticator",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignApprover", "CountersignRequester", "CountersignTransport",
            ],
            path: "Examples/Authenticator"
        ),
        .executableTarget(
            name: "AppBackend",
            dependencies: ["Countersign", "CountersignWire", "CountersignRequester", hummingbird, httpTypes],
            path: "Examples/AppBackend"
        ),

        // Tests of one library each.
        .testTarget(name: "CountersignTests", dependencies: ["Countersign", "CountersignTesting"]),
        .testTarget(
            name: "CountersignWireTests",
            dependencies: ["Countersign", "CountersignWire", "CountersignTesting", cryptoExtras, httpTypes]
        ),
        .testTarget(
            name: "CountersignRequesterTests",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignRequester", "CountersignTesting", "DesktopUnderTest",
                crypto, cryptoExtras, httpTypes, nioConcurrencyHelpers, nioCore, nioHTTP1, nioPosix,
            ]
        ),
        .testTarget(
            name: "CountersignApproverTests",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignApprover", "CountersignTesting", "CountersignTransport",
                "DesktopBus", "DesktopUnderTest", crypto, httpTypes, nioConcurrencyHelpers,
            ]
        ),
        .testTarget(
            name: "CountersignNearbyTests",
            dependencies: [
                "Countersign", "CountersignNearby", "CountersignTesting", "MulticastDNS",
                crypto, nioConcurrencyHelpers, nioCore, nioPosix,
            ]
        ),
        .testTarget(name: "MulticastDNSTests", dependencies: ["CountersignTesting", "MulticastDNS", nioCore]),
        .testTarget(
            name: "CountersignResourceTests",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignRequester", "CountersignResource", "CountersignTesting",
                crypto, cryptoExtras, hummingbird, hummingbirdTesting, httpTypes, logging, nioCore,
            ]
        ),
        .testTarget(name: "CountersignTestingTests", dependencies: ["CountersignTesting"]),
        .testTarget(
            name: "CountersignServerTests",
            dependencies: [
                "Countersign", "CountersignTransport", "CountersignWire", "CountersignServer", "CountersignSQLite",
                "CountersignTesting", "PushFixture", "TestShell",
                asn1, certificates, coreMetrics, crypto, cryptoExtras, grdb, hummingbird, hummingbirdCore,
                hummingbirdTesting, httpTypes, logging, mustache, nioCore, nioEmbedded, nioPosix,
                nioSSL, serviceLifecycle,
            ]
        ),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignServer", "CountersignSQL", "CountersignSQLite",
                "CountersignTesting", "PostgresUnderTest",
                nioConcurrencyHelpers,
            ]
        ),
        .testTarget(
            name: "CountersignSQLiteTests",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignServer", "CountersignSQL", "CountersignSQLite",
                "StorageCalls",
                grdb, nioConcurrencyHelpers,
            ]
        ),
        .testTarget(
            name: "CountersignPostgresTests",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignServer", "CountersignSQL", "CountersignPostgres",
                "PostgresUnderTest", "StorageCalls",
                nioConcurrencyHelpers, nioCore, nioPosix,
            ]
        ),

        // Tests of the whole.
        .testTarget(
            name: "JourneyTests",
            dependencies: [
                "Cinema", "ProviderPhone", "RadioListener", "RadioServices", "Countersign", "CountersignWire",
                "CountersignApprover",
                "CountersignNearby", "CountersignRequester", "CountersignResource", "CountersignServer",
                "CountersignSQLite", "CountersignTesting", "CountersignTransport", "PushFixture", "TestShell",
                asyncHTTPClient, crypto, hummingbird, httpTypes, logging, nioConcurrencyHelpers, nioCore, nioHTTP1,
                nioPosix, serviceLifecycle,
            ],
            exclude: ["requirements.txt", "Clients"]
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "AppToApp", "AppBackend", "Authenticator", "CommandFixture", "Countersign", "CountersignCommand",
                "CountersignApprover",
                "CountersignNearby", "CountersignTesting", "CountersignWire", "DesktopUnderTest", "TestShell",
                "TokenStoreChild",
                asyncHTTPClient, crypto, nioConcurrencyHelpers, nioCore, nioHTTP1, nioPosix, nioSSL,
            ],
            exclude: ["Transcripts"]
        ),
        .testTarget(
            name: "FaultTests",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignRequester", "CountersignServer", "CountersignSQLite",
                "CountersignCommand", "CountersignPostgres", "PostgresUnderTest", "TestShell", "TokenStoreChild",
                asyncHTTPClient, grdb, nioConcurrencyHelpers, nioCore, nioHTTP1, nioPosix,
            ]
        ),
        .testTarget(
            name: "NetworkTests",
            dependencies: ["MulticastDNS", "CommandFixture", "CountersignCommand", "TestShell"],
            exclude: ["Peers"]
        ),

        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignTransport", "CountersignRequester", "CountersignApprover",
                "CountersignNearby", "CountersignResource", "CountersignServer", "CountersignSQLite",
                "CountersignPostgres", "CountersignTesting", "MulticastDNS",
                hummingbird, httpTypes, logging,
            ]
        ),

        // What tests share.
        .target(name: "TestShell", dependencies: [nioConcurrencyHelpers], path: "Tests/TestShell"),
        .target(
            name: "CommandFixture",
            dependencies: [
                "Countersign", "CountersignServer", "CountersignSQLite", "TestShell",
                asyncHTTPClient, nioCore, nioHTTP1, nioPosix,
            ],
            path: "Tests/CommandFixture"
        ),
        .target(
            name: "DesktopUnderTest",
            dependencies: ["TestShell", nioConcurrencyHelpers],
            path: "Tests/DesktopUnderTest",
            exclude: ["notifications.py", "online_accounts.py"]
        ),
        .target(
            name: "PushFixture",
            dependencies: [
                "CountersignTransport", "CountersignWire",
                asn1, certificates, crypto, httpTypes, hummingbird, hummingbirdCore, hummingbirdHTTP2, logging, nioCore,
                nioSSL, serviceLifecycle,
            ],
            path: "Tests/PushFixture"
        ),
        .target(
            name: "PostgresUnderTest",
            dependencies: ["CountersignPostgres", "TestShell"],
            path: "Tests/PostgresUnderTest"
        ),
        .target(
            name: "StorageCalls",
            dependencies: ["Countersign", "CountersignServer", "CountersignWire"],
            path: "Tests/StorageCalls"
        ),
        .executableTarget(
            name: "Fuzz",
            dependencies: ["Countersign", "CountersignWire", "CountersignNearby", "MulticastDNS", nioCore],
            path: "Fuzz/Sources"
        ),
        .executableTarget(
            name: "TokenStoreChild",
            dependencies: ["Countersign", "CountersignRequester", "CountersignWire"],
            path: "Tests/TokenStoreChild"
        ),
    ],
    swiftLanguageModes: [.v6]
)

// MARK: - For developers

// An ordinary build does not pay for these.
if Context.environment["COUNTERSIGN_BENCHMARKS"] != nil {
    package.products.append(.executable(name: "countersign-benchmarks", targets: ["CountersignBenchmarks"]))
    package.targets.append(
        .executableTarget(
            name: "CountersignBenchmarks",
            dependencies: [
                "Countersign", "CountersignWire", "CountersignServer", "CountersignSQL", "CountersignSQLite",
                "CountersignPostgres",
                "CountersignTransport", "CountersignNearby", "MulticastDNS", "TestShell",
                argumentParser, crypto, cryptoExtras, grdb, httpTypes, hummingbird, logging, nioConcurrencyHelpers,
                nioCore,
                nioPosix,
            ],
            path: "Benchmarks",
            exclude: ["results", "Nearby/wire.py", "Authenticator/privacyidea.py", "Authenticator/requirements.txt"]
        )
    )
}

// MARK: - Rules

for target in package.targets where target.type != .system && target.path?.hasPrefix("Examples/") != true {
    target.swiftSettings = rules
}

// `make fuzz`: the parsers under libFuzzer. The flags are unsafe, so they stand here only when they are asked for.
if Context.environment["COUNTERSIGN_FUZZ"] != nil {
    let flags = ["-sanitize=fuzzer,address"]
    for target in package.targets
    where ["Countersign", "CountersignWire", "CountersignNearby", "MulticastDNS", "Fuzz"].contains(target.name) {
        target.swiftSettings = rules + [.unsafeFlags(flags), .define("LIBFUZZER")]
    }
    for target in package.targets where target.name == "Fuzz" {
        target.linkerSettings = [.unsafeFlags(flags + ["-use-ld=lld"])]
    }
}
