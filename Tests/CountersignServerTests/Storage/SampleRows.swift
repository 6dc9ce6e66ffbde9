import Countersign
import CountersignWire
import Foundation

@testable import CountersignServer

/// Rows for tests that care only for their names.
enum SampleRows {
    static let noon = Date(timeIntervalSinceReferenceDate: 821_620_800)

    static func client(_ name: String) -> Client {
        Client(
            id: ClientID(name),
            name: name,
            kind: .public,
            grantTypes: [],
            scope: .none,
            tokenFormat: .opaque,
            created: noon
        )
    }

    static func person(_ name: String) -> Person {
        Person(
            subject: Subject(name),
            username: Username(name),
            name: name,
            password: PasswordHash(restoring: "none"),
            created: noon
        )
    }

    static func domain(_ name: String, credential: String) -> ServiceDomain {
        ServiceDomain(
            name: Domain(name),
            displayName: name,
            credential: SecretDigest(of: credential),
            created: noon
        )
    }

    static func token(_ name: String, of client: String = "tv", from grant: String? = nil) -> AccessTokenRecord {
        AccessTokenRecord(
            token: SecretDigest(of: name),
            id: TokenID(name),
            client: ClientID(client),
            subject: nil,
            grant: grant.map { Grant.ID($0) },
            scope: .none,
            audience: "https://api.example",
            issued: noon,
            expires: noon + 3600
        )
    }

    static func exchange(_ name: String) -> SignInExchangeRecord {
        SignInExchangeRecord(
            exchange: SignInExchange(
                request: SignInRequest(
                    id: SignInRequest.ID(name),
                    client: .asserted(ClientID("tv")),
                    scope: .verified(.none),
                    asked: .observed(noon),
                    deadline: noon + 600
                )
            ),
            requestCode: SecretDigest(of: name),
            method: .deviceCode(UserCodeDigest(restoring: SecretDigest(of: "user \(name)").bytes)),
            interval: 5
        )
    }
}
