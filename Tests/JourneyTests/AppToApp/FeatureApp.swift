import Countersign
import CountersignRequester
import CountersignTesting
import CountersignWire
import Foundation

/// An app with both kinds of redirect URI, the real server as its provider, and Anna, who is signed in there.
struct FeatureApp {
    static let native = "com.example.recipes:/signed-in"
    static let universal = "https://app.example.com/done"
    static let store = ProviderApp.StorePage(item: "1", address: "https://store.example.com/provider")

    let server: JourneyServer
    let anna: JourneyVisitor
    let opener: SystemOpener
    let network: OverheardTransport
    let signIn: AppToAppSignIn

    /// The kind of the provider's app, if there is one.
    enum Provider: Sendable {
        case installable, none
    }

    static func with(
        client: String = JourneyParties.recipes.rawValue,
        redirects: AppRedirects = AppRedirects(native: native, universal: universal),
        links: AppLinks = .schemesAndWebAddresses,
        app provider: Provider = .installable,
        opening addresses: [String] = ["http:"],
        pushing: Bool = false,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (FeatureApp) async throws -> Void
    ) async throws {
        try await JourneyServer.with { server in
            let opener = SystemOpener(links: links, opening: addresses)
            let anna = JourneyVisitor(at: server.issuer)
            let network = OverheardTransport(hidesPushedRequests: !pushing)
            try await anna.signIn(as: .anna)
            let app = ProviderApp(
                probe: "provider://",
                authorization: "provider-auth://authorize",
                store: store
            )
            let signIn = AppToAppSignIn(
                at: ProviderProfile(discoveredAt: server.issuer, app: provider == .none ? nil : app),
                as: ClientID(client),
                returningTo: redirects,
                for: Scope([.openid, .profile]),
                opening: opener,
                keepingTokensIn: MemoryTokenStore(),
                in: RequesterContext(over: network, clock: server.clock.skipping, random: .system)
            )
            try await body(FeatureApp(server: server, anna: anna, opener: opener, network: network, signIn: signIn))
        }
    }

    /// Starts, and returns the address that was opened.
    func opened() async throws -> String {
        _ = try await signIn.start()
        guard let address = opener.opened.last else { throw NothingOpened() }
        return address.absoluteString
    }

    struct NothingOpened: Error {}
}

extension URL {
    /// The parameters of the query.
    var parameters: [String: String] {
        let items = URLComponents(url: self, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { "\($0) \($1)" })
    }
}

extension AuthorizationAnswer {
    /// The outcome of the code; `nil` for every other answer.
    var granted: Granted? {
        if case .granted(let granted) = self { granted } else { nil }
    }

    var isUnasked: Bool {
        if case .unasked = self { true } else { false }
    }

    var isDenied: Bool {
        if case .denied = self { true } else { false }
    }
}
