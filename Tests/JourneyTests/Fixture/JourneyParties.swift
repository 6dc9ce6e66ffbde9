import Countersign
import CountersignServer
import CountersignWire
import Foundation
import NIOPosix

/// The parties of the journeys.
enum JourneyParties {
    /// A screen without a secret; its tokens are opaque.
    static let tv = ClientID("tv")
    /// The same with access tokens as JWT by ES256.
    static let radio = ClientID("radio")
    /// The same with access tokens as JWT by RS256.
    static let terminal = ClientID("terminal")
    /// A client with a secret, which also has rights of its own.
    static let backend = ClientID("backend")
    /// The resource server that honours everybody's tokens.
    static let api = ClientID("api")

    /// A web site with a secret, and a program on the person's machine; both come by a browser.
    static let shop = ClientID("shop")
    static let desktop = ClientID("desktop")
    /// An app with a scheme of its own.
    static let recipes = ClientID("recipes")

    static let shopSecret = ClientSecret(revealing: "shop-0a1b2c3d4e5f60718293")
    static let backendSecret = ClientSecret(revealing: "backend-5f0c1d7e9a3b4c6d8e2f")
    static let apiSecret = ClientSecret(revealing: "api-9b8a7c6d5e4f3a2b1c0d")
    static let audience = "https://api.example.com"
    static let cost = PasswordCost(logN: 4)

    /// All of them, as a store keeps them.
    static func registered(at now: Date) async throws -> (clients: [Client], people: [Person]) {
        let screens: [GrantType] = [.deviceCode, .refreshToken]
        let clients = [
            client(tv, "Living Room TV", .public, screens, .opaque, at: now),
            client(radio, "Kitchen Radio", .public, screens, .es256, at: now),
            client(terminal, "Terminal", .public, screens, .rs256, at: now),
            client(
                backend,
                "Backend",
                .confidential(backendSecret.digest),
                screens + [.clientCredentials, .backchannelAuthentication],
                .es256,
                at: now
            ),
            app(shop, "Corner Shop", .confidential(shopSecret.digest), "https://shop.example.com/done", at: now),
            app(
                recipes,
                "Recipes",
                .public,
                "com.example.recipes:/signed-in",
                "https://app.example.com/done",
                at: now
            ),
            app(desktop, "Desktop Player", .public, "http://127.0.0.1/done", at: now),
            client(api, "Programme API", .confidential(apiSecret.digest), [], .opaque, serving: [audience], at: now),
        ]
        let hasher = PasswordHasher(cost: cost, drawingFrom: .system, on: .singleton)
        var people: [Person] = []
        for person in JourneyPerson.allCases {
            people.append(
                Person(
                    subject: person.subject,
                    username: Username(rawValue: person.username),
                    name: person.name,
                    password: try await hasher.hash(Password(revealing: person.password)),
                    created: now
                )
            )
        }
        return (clients, people)
    }

    private static func app(
        _ id: ClientID,
        _ name: String,
        _ kind: Client.Kind,
        _ redirectURIs: String...,
        at now: Date
    ) -> Client {
        var app = client(id, name, kind, [.authorizationCode, .refreshToken], .es256, at: now)
        app.redirects = RedirectRegistration(redirectURIs: redirectURIs)
        return app
    }

    private static func client(
        _ id: ClientID,
        _ name: String,
        _ kind: Client.Kind,
        _ grantTypes: [GrantType],
        _ format: Client.TokenFormat,
        serving: [String] = [],
        at now: Date
    ) -> Client {
        Client(
            id: id,
            name: name,
            kind: kind,
            grantTypes: grantTypes,
            scope: Scope([.openid, .profile, .offlineAccess, ScopeWord("programmes")]),
            tokenFormat: format,
            audience: audience,
            serves: serving,
            created: now
        )
    }
}

/// Somebody with an account.
enum JourneyPerson: String, Sendable, CaseIterable {
    case anna, ben

    var username: String { rawValue }
    var name: String { "\(rawValue.capitalized) Example" }
    var subject: Subject { Subject("subject-of-\(rawValue)") }

    var password: String {
        switch self {
        case .anna: "correct horse battery staple"
        case .ben: "Zwölf Boxkämpfer jagen Viktor"
        }
    }
}
