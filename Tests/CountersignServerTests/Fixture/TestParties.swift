import Countersign
import CountersignWire
import Crypto
import CryptoExtras
import Foundation
import HTTPTypes

@testable import CountersignServer

/// The people whom every test server knows.
enum TestPerson: String, Sendable, CaseIterable {
    case anna, bert

    static let cost = PasswordCost(logN: 4)

    var subject: Subject { Subject("subject-of-\(rawValue)") }
    var name: String { rawValue == "anna" ? "Anna Ek" : "Bert Öst" }
    var password: Password { Password(revealing: "\(rawValue)’s password") }

    /// Hashed once for all servers of a run: it takes longer than most tests.
    private static let hashes = Result { try allCases.map { ($0, try $0.hash()) } }

    private func hash() throws -> PasswordHash {
        let salt = [UInt8](rawValue.utf8)
        let key = try KDF.Scrypt.deriveKey(
            from: Array(password.revealed.utf8),
            salt: salt,
            outputByteCount: 32,
            rounds: 1 << Self.cost.logN,
            blockSize: 8,
            parallelism: 1
        )
        return PasswordHash(cost: Self.cost, salt: salt, hash: key.withUnsafeBytes { Array($0) })
    }

    func record(created: Date) throws -> Person {
        Person(
            subject: subject,
            username: Username(rawValue),
            name: name,
            email: "\(rawValue)@example.org",
            isEmailVerified: true,
            password: try Self.hashes.get().first { $0.0 == self }?.1,
            created: created
        )
    }
}

/// The clients that every test server knows.
enum TestClients: String, Sendable, CaseIterable {
    /// Public, opaque tokens.
    case tv
    /// Public, JWTs by ES256, codes that live for two minutes.
    case radio
    /// Public, JWTs by RS256.
    case kiosk
    /// Confidential, may do everything, opaque tokens for `https://api.example`.
    case console
    /// Confidential, JWTs, client credentials only.
    case robot
    /// Confidential, no grants: the resource server of `https://api.example`.
    case api

    static let audience = "https://api.example"

    var id: ClientID { ClientID(rawValue) }
    /// The client secret that it authenticates with; `nil` for a public client.
    var secret: ClientSecret? {
        switch self {
        case .tv, .radio, .kiosk: nil
        case .console, .robot, .api: ClientSecret(revealing: "\(rawValue)-secret+/= %")
        }
    }

    /// Names the client in a form, with its secret if it has one.
    var form: Form {
        var form: Form = ["client_id": rawValue]
        form["client_secret"] = secret?.revealed
        return form
    }

    /// The header that shows a confidential client's secret.
    var basic: HTTPFields {
        guard let secret else { return [:] }
        return [.authorization: PresentedCredentials.basicHeader(client: id, secret: secret)]
    }

    private var grantTypes: [GrantType] {
        switch self {
        case .tv, .radio, .kiosk: [.deviceCode, .refreshToken]
        case .console: GrantType.known
        case .robot: [.clientCredentials]
        case .api: []
        }
    }

    private var format: Client.TokenFormat {
        switch self {
        case .tv, .console, .api: .opaque
        case .radio, .robot: .es256
        case .kiosk: .rs256
        }
    }

    func record(created: Date) -> Client {
        Client(
            id: id,
            name: "The \(rawValue)",
            kind: secret.map { .confidential($0.digest) } ?? .public,
            grantTypes: grantTypes,
            scope: Scope([.openid, .profile, .email, .offlineAccess, ScopeWord("play")]),
            tokenFormat: format,
            audience: self == .console ? Self.audience : nil,
            serves: self == .api ? [Self.audience] : [],
            lifetimes: Lifetimes(code: self == .radio ? 120 : 300),
            created: created
        )
    }

    static func all(created: Date) -> [Client] { allCases.map { $0.record(created: created) } }
}
