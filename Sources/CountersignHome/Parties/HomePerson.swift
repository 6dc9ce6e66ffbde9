public import Countersign
internal import CountersignServer
internal import CountersignStorage
internal import FoundationEssentialsCompat

/// The people of a home, and a stranger.
public enum HomePerson: String, Sendable, Hashable, CaseIterable {
    /// A person who lives there.
    case anna
    /// Another one.
    case bert
    /// The attacker, who has an account of their own.
    case mallory

    /// Those who live there.
    static let residents: [HomePerson] = [.anna, .bert]

    /// The person as the server names them.
    public var subject: Subject { Subject("subject-of-\(rawValue)") }

    /// The person of a subject; `nil` for a stranger.
    init?(_ subject: Subject) {
        guard let person = Self.allCases.first(where: { $0.subject == subject }) else { return nil }
        self = person
    }

    var password: String { "the password of \(rawValue)" }

    /// The account.
    func record(hashing hasher: PasswordHasher, created: Date) async throws -> Person {
        Person(
            subject: subject,
            username: Username(rawValue),
            name: rawValue.capitalized,
            password: try await hasher.hash(Password(revealing: password)),
            created: created
        )
    }
}

/// The addresses of a home, as its server sees them.
enum HomeAddress {
    /// The home's own.
    static let home = "198.51.100.7"
    /// The network of a mobile operator.
    static let away = "203.0.113.9"
    /// The attacker's.
    static let attacker = "192.0.2.66"
    /// The servers of apps and services.
    static let services = "192.0.2.200"
}
