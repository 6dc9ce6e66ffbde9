internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation
internal import NIOPosix

/// The clients and the person of the demo.
enum DemoAccounts {
    static let client = ClientID("demo-tv")
    static let phone = ClientID("demo-phone")
    /// Asks people by name, over the back channel.
    static let desk = ClientID("demo-desk")
    static let phoneScope = Scope([.openid, .profile, .nearbyApprove])
    static let username = "anna"
    static let name = "Anna Example"
    /// Not a secret: the server is reached from this machine only, and is removed with its database.
    static let password = "open-sesame"

    /// Returns a password for a server that others on the network reach.
    static func drawnPassword() -> String { "\(password)-\(CodeMint(drawingFrom: .system).digits(10))" }

    /// Registers the clients and the person.
    static func add(to store: some Store, password: String, deskSecret: ClientSecret) async throws -> Person {
        let now = TimeSource.system.now()
        func app(_ id: ClientID, _ name: String, for scope: Scope) -> Client {
            Client(
                id: id,
                name: name,
                kind: .public,
                grantTypes: [.deviceCode, .refreshToken],
                scope: scope,
                tokenFormat: .opaque,
                created: now
            )
        }
        let apps = [
            app(client, "Demo TV", for: Scope([.openid, .profile])), app(phone, "Demo phone", for: phoneScope),
        ]
        let desk = Client(
            id: desk,
            name: "Demo desk",
            kind: .confidential(deskSecret.digest),
            grantTypes: [.backchannelAuthentication],
            scope: Scope([.openid, .profile]),
            tokenFormat: .opaque,
            backchannel: BackchannelRegistration(showsNumber: true),
            created: now
        )
        let hasher = PasswordHasher(cost: PasswordCost(logN: 14), drawingFrom: .system, on: .singleton)
        let anna = Person(
            subject: CodeMint(drawingFrom: .system).identifier(),
            username: Username(rawValue: username),
            name: name,
            password: try await hasher.hash(Password(revealing: password)),
            created: now
        )
        try await store.change { repositories in
            for app in apps + [desk] { try repositories.clients.insert(app) }
            try repositories.people.insert(anna)
        }
        return anna
    }
}
