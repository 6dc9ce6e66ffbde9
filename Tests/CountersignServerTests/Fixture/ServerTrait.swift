import CountersignWire
import Testing

@testable import CountersignServer

/// Opens a ``TestServer`` for each test case of a suite, or of one test: `@Suite("A page", .server)`.
///
/// A suite reads it into a property, `let server = TestServer.current`, which each test case initialises anew. A test's
/// own trait replaces that of its suite.
final class ServerTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    private let open: @Sendable (@Sendable (TestServer) async throws -> Void) async throws -> Void

    fileprivate init(_ open: @escaping @Sendable (@Sendable (TestServer) async throws -> Void) async throws -> Void) {
        self.open = open
    }

    /// This trait for a test case that has it as its innermost one; traits of suites come before a test's own.
    func scopeProvider(for test: Test, testCase: Test.Case?) -> ServerTrait? {
        let innermost = test.traits.last { $0 is ServerTrait } as? ServerTrait
        return testCase != nil && innermost === self ? self : nil
    }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing body: @Sendable () async throws -> Void
    ) async throws {
        try await open { server in try await TestServer.$opened.withValue(server) { try await body() } }
    }
}

extension Trait where Self == ServerTrait {
    /// A server with the settings that most tests have.
    static var server: Self { server() }

    /// A server as ``TestServer/open(issuer:withSigningKeys:withApps:withDomains:logger:calling:configuring:_:)`` makes
    /// it.
    static func server(
        issuer: String = "http://localhost:8080",
        withSigningKeys: Bool = true,
        withApps: Bool = false,
        withDomains: Bool = false,
        configuring: @escaping @Sendable (inout ServerSettings) -> Void = { _ in }
    ) -> Self {
        ServerTrait { test in
            try await TestServer.open(
                issuer: issuer,
                withSigningKeys: withSigningKeys,
                withApps: withApps,
                withDomains: withDomains,
                configuring: configuring,
                test
            )
        }
    }
}

extension TestServer {
    @TaskLocal fileprivate static var opened: TestServer?

    /// The server of the test case that runs, which ``ServerTrait`` opened.
    static var current: TestServer {
        guard let opened else { preconditionFailure("The test and its suite lack the trait `.server`.") }
        return opened
    }
}
