import Countersign
import CountersignSQLite
import CountersignServer
import CountersignWire
import Foundation
import KeptDatabases

/// A database that knows a person and two clients, open to the test as well.
final class DatabaseFixture: Sendable {
    /// For whatever a test likes to put there.
    let directory: URL
    /// The database, to look into and to change behind the servers' backs.
    let store: any Store
    /// The server's flags that name the database.
    let flags: String
    /// Runs a statement of SQL behind everybody's back.
    let run: @Sendable (String) async throws -> Void
    let mint = CodeMint(drawingFrom: .system)
    let secret: ClientSecret

    static let robot = ClientID("robot")
    static let tv = ClientID("tv")
    static let anna = Subject("anna")

    /// The directory of the embedded database, if that is the kind.
    var place: URL { directory.appendingPathComponent("data") }

    /// Runs `body` on a new fixture, and removes it afterwards.
    static func with(_ kind: DatabaseKind, _ body: (DatabaseFixture) async throws -> Void) async throws {
        try await with(opening: { try await kind.open(in: $0) }, body)
    }

    /// Runs `body` on a new fixture whose database `open` makes, and removes both afterwards.
    static func with(
        opening open: (URL) async throws -> DatabaseKind.Opened,
        _ body: (DatabaseFixture) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("countersign-fault-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let opened = try await open(directory)
        do {
            let fixture = DatabaseFixture(directory, opened)
            try await fixture.registerParties()
            try await body(fixture)
        } catch {
            try? await opened.close()
            throw error
        }
        try await opened.close()
    }

    private init(_ directory: URL, _ opened: DatabaseKind.Opened) {
        self.directory = directory
        store = opened.store
        flags = opened.flags
        run = opened.run
        secret = mint.secret()
    }

    private func registerParties() async throws {
        let (clients, person) = (clients(), person())
        try await store.change { repositories in
            for client in clients { try repositories.clients.insert(client) }
            try repositories.people.insert(person)
        }
    }

    private func clients() -> [Client] {
        let scope = Scope([.openid, .offlineAccess])
        let now = TimeSource.system.now()
        return [
            Client(
                id: Self.robot,
                name: "Robot",
                kind: .confidential(secret.digest),
                grantTypes: [.clientCredentials],
                scope: scope,
                tokenFormat: .opaque,
                created: now
            ),
            Client(
                id: Self.tv,
                name: "Television",
                kind: .public,
                grantTypes: [.deviceCode, .refreshToken],
                scope: scope,
                tokenFormat: .opaque,
                created: now
            ),
        ]
    }

    private func person() -> Person {
        Person(
            subject: Self.anna,
            username: Username("anna"),
            name: "Anna",
            password: PasswordHash(restoring: "$scrypt$ln=1,r=8,p=1$c2FsdA$aGFzaA"),
            created: TimeSource.system.now()
        )
    }

    /// An exchange that Anna has approved, with the code that redeems it.
    func approved() -> (code: DeviceCode, exchange: SignInExchangeRecord) {
        let now = TimeSource.system.now()
        let approver = ApproverIdentity(subject: Self.anna, id: ApproverID("browser"))
        let request = request(at: now)
        let grant = Grant(
            id: mint.identifier(),
            subject: Self.anna,
            client: Self.tv,
            scope: request.scope.value,
            evidence: Evidence([.codeTyped]),
            approved: now
        )
        return stored(SignInExchange(restoring: request, in: .approved(grant, by: approver)))
    }

    /// An exchange that waits for a decision.
    func open() -> (code: DeviceCode, exchange: SignInExchangeRecord) {
        stored(SignInExchange(request: request(at: TimeSource.system.now())))
    }

    private func request(at now: Date) -> SignInRequest {
        SignInRequest(
            id: mint.identifier(),
            client: .asserted(Self.tv),
            scope: .verified(Scope([.openid, .offlineAccess])),
            address: nil,
            deviceName: nil,
            software: nil,
            asked: .observed(now),
            deadline: now.addingTimeInterval(600)
        )
    }

    private func stored(_ exchange: SignInExchange) -> (DeviceCode, SignInExchangeRecord) {
        let code: DeviceCode = mint.secret()
        let stored = SignInExchangeRecord(
            exchange: exchange,
            requestCode: code.digest,
            method: .deviceCode(UserCodeDigest(restoring: SecretDigest(of: code.revealed).bytes)),
            interval: 5
        )
        return (code, stored)
    }

    // MARK: Forms

    var clientCredentials: Form {
        var form = Form()
        form["grant_type"] = "client_credentials"
        form["client_id"] = Self.robot.rawValue
        form["client_secret"] = secret.revealed
        return form
    }

    func redemption(of code: DeviceCode) -> Form {
        var form = TokenRequest.deviceCode(code).form
        form["client_id"] = Self.tv.rawValue
        return form
    }

    func refresh(of token: RefreshToken) -> Form {
        var form = TokenRequest.refresh(token, scope: .none).form
        form["client_id"] = Self.tv.rawValue
        return form
    }

    func introspection(of token: AccessToken) -> Form {
        var form = Form()
        form["token"] = token.revealed
        form["client_id"] = Self.robot.rawValue
        form["client_secret"] = secret.revealed
        return form
    }

    static var start: Form {
        var form = Form()
        form["client_id"] = tv.rawValue
        return form
    }
}

extension LimitRule {
    /// The flags that put every limit off.
    static let allOff = allCases.map { "--limit \($0.rawValue)=off" }.joined(separator: " ")
}
