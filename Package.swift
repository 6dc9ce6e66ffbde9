// swift-tools-version:6.2
import PackageDescription

// To add a library: its target in `libraries`. Its product and its rules come by themselves.

/// The rules for every target but the examples: explicit visibility of imports.
let rules: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

// MARK: - Products of other packages

/// A product that no library for apps needs: an app that leaves out the trait does not even resolve its package.
func forServers(_ name: String, of package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Server"]))
}

let argumentParser = forServers("ArgumentParser", of: "swift-argument-parser")
let asyncHTTPClient = forServers("AsyncHTTPClient", of: "async-http-client")
let atomics = forServers("Atomics", of: "swift-atomics")
let configuration = forServers("Configuration", of: "swift-configuration")
let coreMetrics = forServers("CoreMetrics", of: "swift-metrics")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let heap = forServers("HeapModule", of: "swift-collections")
let grdb = forServers("GRDB", of: "GRDB.swift")
let grdbSQLite = forServers("GRDBSQLite", of: "GRDB.swift")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = forServers("Hummingbird", of: "hummingbird")
let hummingbirdCore = forServers("HummingbirdCore", of: "hummingbird")
let hummingbirdHTTP2 = forServers("HummingbirdHTTP2", of: "hummingbird")
let hummingbirdTesting = forServers("HummingbirdTesting", of: "hummingbird")
let logging = forServers("Logging", of: "swift-log")
let metrics = forServers("Metrics", of: "swift-metrics")
let mustache = forServers("Mustache", of: "swift-mustache")
let nioConcurrencyHelpers = Target.Dependency.product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHPACK = forServers("NIOHPACK", of: "swift-nio-http2")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTP2 = forServers("NIOHTTP2", of: "swift-nio-http2")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSSL = forServers("NIOSSL", of: "swift-nio-ssl")
let certificates = forServers("X509", of: "swift-certificates")
let asn1 = forServers("SwiftASN1", of: "swift-asn1")
let serviceLifecycle = forServers("ServiceLifecycle", of: "swift-service-lifecycle")
let tracing = forServers("Tracing", of: "swift-distributed-tracing")
let unixSignals = forServers("UnixSignals", of: "swift-service-lifecycle")

extension Target.Dependency {
    /// This product as a part of the network on Linux; Apple's systems bring their own.
    var forNetworkOnLinux: Target.Dependency {
        guard case .productItem(let name, let package?, _, _) = self else { fatalError("\(self) is no product") }
        return .product(
            name: name,
            package: package,
            condition: .when(platforms: [.linux], traits: ["AsyncHTTPClient"])
        )
    }
}

// MARK: - Dependencies that several targets share

/// The story in types, and the messages on which both ends agree.
let coreAndWire: [Target.Dependency] = ["Countersign", "CountersignWire", "FoundationEssentialsCompat"]

/// For an app that asks or approves.
let apps = coreAndWire + ["CountersignTransport", "CountersignRequester", "CountersignApprover"]

/// For a screen and a phone on one network.
let nearby: [Target.Dependency] = ["CountersignNearby", "MulticastDNS"]

/// For a database of the server.
let storage: [Target.Dependency] = [
    "Countersign", "CountersignStorage", "CountersignSQL", "FoundationEssentialsCompat",
]

/// For the keyring and the bus of a Linux desktop.
let secretService = Target.Dependency.target(
    name: "CLibSecret",
    condition: .when(platforms: [.linux], traits: ["SecretService"])
)

/// For sockets.
let nio = [nioConcurrencyHelpers, nioCore, nioPosix]

/// For routes of an HTTP server.
let httpServer = [httpTypes, hummingbird, logging]

/// For an HTTP server that has certificates.
let tlsServer = httpServer + [asn1, certificates, crypto, hummingbirdCore, nioSSL, serviceLifecycle, tracing]

/// The targets whose parsers are fuzzed.
let fuzzed = ["Countersign", "CountersignWire", "CountersignNearby", "MulticastDNS"]

// MARK: - Targets

/// Targets that the package manager does not find by itself: each is in `folder`, under its own name.
func targets(in folder: String, _ targets: [Target]) -> [Target] {
    for target in targets { target.path = "\(folder)/\(target.name)" }
    return targets
}

/// The libraries for apps and servers: each is a product of the same name.
let libraries: [Target] = [
    // What every part shares.
    .target(name: "Countersign", dependencies: ["FoundationEssentialsCompat", crypto]),
    .target(
        name: "CountersignWire",
        dependencies: ["Countersign", "FoundationEssentialsCompat", crypto, cryptoExtras, httpTypes]
    ),

    // Apps.
    .target(
        name: "CountersignTransport",
        dependencies: coreAndWire + [httpTypes]
            + [nioConcurrencyHelpers, nioCore, nioHPACK, nioHTTP1, nioHTTP2, nioSSL, asyncHTTPClient]
            .map(\.forNetworkOnLinux)
    ),
    .target(
        name: "CountersignRequester",
        dependencies: coreAndWire + [
            "CountersignNearby", "CountersignTransport", "DesktopBus", "MulticastDNS",
            secretService, crypto, httpTypes, nioConcurrencyHelpers, nioCore,
        ]
    ),
    .target(
        name: "CountersignApprover",
        dependencies: coreAndWire + ["CountersignTransport", "DesktopBus", crypto, httpTypes]
    ),
    .target(
        name: "CountersignNearby",
        dependencies: nio + ["Countersign", "FoundationEssentialsCompat", "MulticastDNS", crypto]
    ),
    .target(name: "MulticastDNS", dependencies: nio + ["Countersign"]),

    // Servers.
    .target(name: "CountersignResource", dependencies: coreAndWire + httpServer + ["CountersignTransport"]),
    .target(name: "CountersignStorage", dependencies: coreAndWire + [coreMetrics, crypto, metrics]),
    .target(
        name: "CountersignServer",
        dependencies: coreAndWire + tlsServer + nio + [
            "CountersignHTTP", "CountersignStorage", "CountersignTransport", "CArgon2", "CCrypt", "CQREncode", atomics,
            coreMetrics, cryptoExtras, mustache,
        ],
        resources: [
            .embedInCode("Pages/Templates"), .embedInCode("Pages/Texts"), .embedInCode("Operations/OpenAPIParts"),
            .embedInCode("People/commonPasswords.txt"),
        ]
    ),
    .target(
        name: "CountersignSQLite",
        dependencies: storage + [coreMetrics, grdb, grdbSQLite, nioConcurrencyHelpers]
    ),
    .target(
        name: "CountersignPostgres",
        dependencies: storage + [
            .target(name: "CLibPQ", condition: .when(traits: ["PostgreSQL"])),
            coreMetrics, nioConcurrencyHelpers, nioCore,
        ]
    ),

    // Tests.
    .target(
        name: "CountersignTesting",
        dependencies: coreAndWire + nio + [
            "CountersignRequester", "CountersignTransport", crypto, cryptoExtras, httpTypes, nioHTTP1,
        ]
    ),
    .target(
        name: "CountersignHome",
        dependencies: coreAndWire + httpServer + [
            "CountersignRequester", "CountersignServer", "CountersignSQLite", "CountersignStorage",
            "CountersignTesting", "CountersignTransport", coreMetrics, crypto, nioConcurrencyHelpers,
            nioCore, nioEmbedded, nioPosix,
        ]
    ),
]

/// The command, and what only targets of this package import.
let internals: [Target] = [
    .target(name: "FoundationEssentialsCompat"),
    .target(
        name: "DesktopBus",
        dependencies: ["Countersign", "FoundationEssentialsCompat", secretService, nioConcurrencyHelpers]
    ),
    .target(
        name: "CountersignHTTP",
        dependencies: coreAndWire + tlsServer + nio + [atomics, coreMetrics, heap, metrics, nioHTTP1]
    ),
    .target(
        name: "CountersignGate",
        dependencies: tlsServer + nio + ["CountersignHTTP", "CountersignResource", "CountersignTransport"] + coreAndWire
    ),
    .target(name: "CountersignSQL", dependencies: coreAndWire + ["CountersignStorage", nioCore]),
    .executableTarget(
        name: "CountersignCommand",
        dependencies: apps + nearby + httpServer + nio + [
            "CountersignGate", "CountersignServer", "CountersignSQLite", "CountersignPostgres", "CountersignTesting",
            argumentParser, asn1, certificates, configuration, coreMetrics, crypto, serviceLifecycle, unixSignals,
        ],
        path: "Sources/Command"
    ),
]

/// Libraries of the system.
let systemLibraries: [Target] = [
    .systemLibrary(name: "CLibSecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),
    .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .systemLibrary(
        name: "CQREncode",
        pkgConfig: "libqrencode",
        providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]
    ),
    .systemLibrary(
        name: "CCrypt",
        pkgConfig: "libcrypt",
        providers: [.apt(["libcrypt-dev"]), .brew(["libxcrypt"])]
    ),
    .systemLibrary(
        name: "CArgon2",
        pkgConfig: "libargon2",
        providers: [.apt(["libargon2-dev"]), .brew(["argon2"])]
    ),
]

/// Programs that show how the libraries are used.
let examples = targets(
    in: "Examples",
    [
        .executableTarget(name: "RadioServices", dependencies: ["CountersignResource", hummingbird]),
        .executableTarget(name: "RadioListener", dependencies: ["CountersignRequester"]),
        .executableTarget(
            name: "Cinema",
            dependencies: ["CountersignNearby", "CountersignTransport", hummingbird]
        ),
        .executableTarget(
            name: "AppToApp",
            dependencies: ["CountersignRequester"],
            exclude: ["Declarations"]
        ),
        .executableTarget(name: "ProviderPhone", dependencies: ["CountersignApprover", "CountersignRequester"]),
        .executableTarget(name: "Authenticator", dependencies: ["CountersignApprover", "CountersignRequester"]),
        .executableTarget(name: "AppBackend", dependencies: ["CountersignRequester", hummingbird]),
    ]
)

/// Tests of one library each.
let libraryTests: [Target] = [
    .testTarget(
        name: "CountersignTests",
        dependencies: ["Countersign", "CountersignTesting", "FoundationEssentialsCompat"]
    ),
    .testTarget(
        name: "CountersignWireTests",
        dependencies: coreAndWire + ["CountersignTesting", cryptoExtras, httpTypes]
    ),
    .testTarget(
        name: "CountersignRequesterTests",
        dependencies: coreAndWire + nio + [
            "CountersignNearby", "CountersignRequester", "CountersignTesting", "DesktopUnderTest", "MulticastDNS",
            crypto, cryptoExtras, httpTypes, nioHTTP1,
        ]
    ),
    .testTarget(
        name: "CountersignApproverTests",
        dependencies: coreAndWire + [
            "CountersignApprover", "CountersignTesting", "CountersignTransport", "DesktopBus", "DesktopUnderTest",
            crypto, httpTypes, nioConcurrencyHelpers,
        ]
    ),
    .testTarget(
        name: "CountersignNearbyTests",
        dependencies: nearby + nio + ["Countersign", "CountersignTesting", crypto]
    ),
    .testTarget(name: "MulticastDNSTests", dependencies: ["CountersignTesting", "MulticastDNS", nioCore]),
    .testTarget(
        name: "CountersignResourceTests",
        dependencies: coreAndWire + httpServer + [
            "CountersignRequester", "CountersignResource", "CountersignTesting",
            crypto, cryptoExtras, hummingbirdTesting, nioCore,
        ]
    ),
    .testTarget(
        name: "CountersignGateTests",
        dependencies: coreAndWire + tlsServer + nio + [
            "CountersignGate", "CountersignTesting", "CountersignTransport", hummingbirdTesting,
        ]
    ),
    .testTarget(
        name: "CountersignTestingTests",
        dependencies: ["CountersignTesting", "FoundationEssentialsCompat"]
    ),
    .testTarget(
        name: "CountersignHomeTests",
        dependencies: coreAndWire + [
            "CountersignHome", "CountersignRequester", "CountersignServer", "CountersignTesting",
            "CountersignTransport", httpTypes, nioConcurrencyHelpers,
        ]
    ),
    .testTarget(
        name: "CountersignHTTPTests",
        dependencies: coreAndWire + nio + [
            "CountersignHTTP", "CountersignTesting", coreMetrics, httpTypes, logging, metrics, nioEmbedded, tracing,
        ]
    ),
    .testTarget(
        name: "CountersignServerTests",
        dependencies: coreAndWire + tlsServer + [
            "CountersignHTTP", "CountersignTransport", "CountersignServer", "CountersignSQLite", "CountersignTesting",
            "KeptDatabases", "PushFixture", "TestShell", coreMetrics, cryptoExtras, grdb, hummingbirdTesting, mustache,
            nioCore, nioEmbedded, nioPosix,
        ]
    ),
    .testTarget(
        name: "StorageTests",
        dependencies: storage + [
            "CountersignServer", "CountersignWire", "CountersignSQLite", "CountersignTesting", "KeptDatabases",
            "PostgresUnderTest", nioConcurrencyHelpers,
        ]
    ),
    .testTarget(
        name: "CountersignSQLiteTests",
        dependencies: storage + [
            "CountersignServer", "CountersignWire", "CountersignSQLite", "StorageCalls", grdb, nioConcurrencyHelpers,
        ]
    ),
    .testTarget(
        name: "CountersignPostgresTests",
        dependencies: storage + nio + [
            "CountersignServer", "CountersignWire", "CountersignPostgres", "PostgresUnderTest", "StorageCalls",
        ]
    ),
]

/// Tests of the whole, and the fuzzer.
let wholeTests: [Target] = [
    .testTarget(
        name: "JourneyTests",
        dependencies: apps + httpServer + nio + [
            "Cinema", "ProviderPhone", "RadioListener", "RadioServices",
            "CountersignGate", "CountersignNearby", "CountersignResource", "CountersignServer", "CountersignSQLite",
            "CountersignTesting", "MulticastDNS", "PushFixture", "TestShell", asyncHTTPClient, crypto, nioHTTP1,
            serviceLifecycle,
        ],
        exclude: ["requirements.txt", "Clients"]
    ),
    .testTarget(
        name: "CommandTests",
        dependencies: coreAndWire + nio + [
            "AppToApp", "AppBackend", "Authenticator",
            "CountersignApprover", "CountersignCommand", "CountersignNearby", "CountersignRequester",
            "CountersignServer", "CountersignTesting",
            "CommandFixture", "DesktopUnderTest", "TestShell", "TokenStoreChild",
            asyncHTTPClient, crypto, nioHTTP1, nioSSL,
        ],
        exclude: ["Services", "Transcripts"]
    ),
    .testTarget(
        name: "FaultTests",
        dependencies: coreAndWire + nio + [
            "CountersignRequester", "CountersignServer", "CountersignSQLite", "CountersignPostgres",
            "CountersignCommand", "KeptDatabases", "PostgresUnderTest", "TestShell", "TokenStoreChild",
            asyncHTTPClient, grdb, nioHTTP1,
        ]
    ),
    .testTarget(
        name: "NetworkTests",
        dependencies: ["MulticastDNS", "CommandFixture", "CountersignCommand", "TestShell"],
        exclude: ["PAM", "Peers"]
    ),
    // The examples of the documentation: they use every library.
    .testTarget(name: "ExampleTests", dependencies: libraries.map { .byName(name: $0.name) } + httpServer),
    .executableTarget(
        name: "Fuzz",
        dependencies: fuzzed.map { .byName(name: $0) } + [nioCore],
        path: "Fuzz/Sources"
    ),
]

/// What tests share.
let testSupport = targets(
    in: "Tests",
    [
        .target(name: "TestShell", dependencies: [nioConcurrencyHelpers]),
        .target(
            name: "CommandFixture",
            dependencies: [
                "Countersign", "CountersignServer", "CountersignSQLite", "TestShell",
                asyncHTTPClient, nioCore, nioHTTP1, nioPosix,
            ]
        ),
        .target(
            name: "DesktopUnderTest",
            dependencies: ["TestShell", nioConcurrencyHelpers],
            exclude: ["notifications.py", "online_accounts.py"]
        ),
        .target(
            name: "PushFixture",
            dependencies: tlsServer + [
                "CountersignTransport", "CountersignWire", hummingbirdHTTP2, nioCore, nioHPACK, nioHTTP2, nioPosix,
            ]
        ),
        .target(name: "PostgresUnderTest", dependencies: ["CountersignPostgres", "TestShell"]),
        .target(
            name: "KeptDatabases",
            dependencies: ["CountersignServer", "CountersignSQLite", "CountersignPostgres", "PostgresUnderTest", grdb],
            exclude: ["README.md", "Releases"]
        ),
        .executableTarget(name: "HomeRun", dependencies: ["CountersignHome", nioConcurrencyHelpers]),
        .target(name: "StorageCalls", dependencies: coreAndWire + ["CountersignServer"]),
        .executableTarget(name: "TokenStoreChild", dependencies: coreAndWire + ["CountersignRequester"]),
    ]
)

// MARK: - Package

let package = Package(
    name: "countersign",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17)],
    products: libraries.map { .library(name: $0.name, targets: [$0.name]) } + [
        .executable(name: "countersign", targets: ["CountersignCommand"])
    ],
    traits: [
        // A build of this package has them all. An app names those that it needs, as `traits: []`.
        .default(enabledTraits: ["Server", "PostgreSQL", "SecretService"]),
        .trait(
            name: "Server",
            description: "The libraries for servers, and the command.",
            enabledTraits: ["AsyncHTTPClient"]
        ),
        .trait(name: "AsyncHTTPClient", description: "The network of apps on Linux; other systems bring their own."),
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
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.36.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-atomics.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
    ],
    targets: libraries + internals + systemLibraries + examples + libraryTests + wholeTests + testSupport,
    swiftLanguageModes: [.v6]
)

// MARK: - For developers

// An ordinary build does not pay for these.
if Context.environment["COUNTERSIGN_BENCHMARKS"] != nil {
    package.products.append(.executable(name: "countersign-benchmarks", targets: ["CountersignBenchmarks"]))
    package.targets.append(
        .executableTarget(
            name: "CountersignBenchmarks",
            dependencies: storage + nearby + httpServer + nio + [
                "CountersignGate", "CountersignServer", "CountersignWire", "CountersignSQLite", "CountersignPostgres",
                "CountersignTransport", "TestShell", argumentParser, crypto, cryptoExtras, grdb,
            ],
            path: "Benchmarks",
            exclude: [
                "results", "Nearby/besiege.py", "Nearby/wire.py", "Authenticator/privacyidea.py",
                "Authenticator/requirements.txt",
            ]
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
    for target in package.targets where (fuzzed + ["Fuzz"]).contains(target.name) {
        target.swiftSettings = rules + [.unsafeFlags(flags), .define("LIBFUZZER")]
    }
    for target in package.targets where target.name == "Fuzz" {
        target.linkerSettings = [.unsafeFlags(flags + ["-use-ld=lld"])]
    }
}
