import CoreMetrics
import Countersign
import CountersignTransport
import CountersignWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging

@testable import CountersignServer

extension TestServer {
    /// Serves the sign-in page of this server with another hasher, without limits, behind the proxy of all tests.
    func withLoginPage(
        hashingWith hasher: PasswordHasher,
        _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        var settings = ServerSettings(issuer: issuer)
        for rule in LimitRule.allCases { settings.limits[rule] = nil }
        settings.trustedProxies = [AddressNetwork("192.0.2.1")!]
        let services = FlowServices(
            settings,
            keeping: store,
            clock: serverClock,
            random: .system,
            passwords: hasher,
            metrics: ServerMetrics(NOOPMetricsHandler.instance),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            calling: SystemTransport.make()
        )
        let pages = PageRoutes(
            services.core,
            renderer: try PageRenderer(base: ""),
            sessionLifetime: settings.browserSessionLifetime,
            localHosts: settings.localHosts,
            language: settings.language
        )
        let router = Router(context: ServerRequestContext.self)
        LoginPage(pages: pages, core: services.core, accounts: services.accounts, offersPhone: true).mount(on: router)
        let responder = try HostNaming(base: router.buildResponder(), host: issuer.host)
        try await Application(responder: responder).test(.router) { try await body($0) }
    }
}
