internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import NIOConcurrencyHelpers

/// Signs the gate's statements about people to sites, each at most once in a minute.
///
/// Standard: RFC 7519.
final class SiteAssertions: Sendable {
    /// The lifetime of a statement, in seconds.
    private static let lifetime = 300
    /// The time for which a statement is used again, in seconds.
    private static let reuse = 60

    private let keys: GateKeys
    private let made: NIOLockedValueBox<SecondChanceCache<Key, Assertion>>

    private struct Key: Hashable, Sendable {
        let audience: String
        let subject: Subject
        let client: ClientID?
    }

    private struct Assertion: Sendable {
        let person: PassedPerson
        let issued: Int
        let text: String
    }

    private struct Claims: Encodable {
        let issuer: String
        let audience: String
        let issued: Int
        let expires: Int
        let person: PassedPerson

        private enum CodingKeys: String, CodingKey {
            case issuer = "iss"
            case audience = "aud"
            case issued = "iat"
            case expires = "exp"
            case subject = "sub"
            case user = "preferred_username"
            case authenticationClass = "acr"
            case authenticated = "auth_time"
            case client = "client_id"
            case name, email, groups
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(issuer, forKey: .issuer)
            try members.encode(audience, forKey: .audience)
            try members.encode(issued, forKey: .issued)
            try members.encode(expires, forKey: .expires)
            try members.encode(person.subject.rawValue, forKey: .subject)
            try members.encode(person.user, forKey: .user)
            try members.encodeIfPresent(person.name, forKey: .name)
            try members.encodeIfPresent(person.email, forKey: .email)
            try members.encode(person.groups.map(\.rawValue).sorted(), forKey: .groups)
            try members.encodeIfPresent(person.authenticationClass, forKey: .authenticationClass)
            try members.encodeIfPresent(person.authenticated, forKey: .authenticated)
            try members.encodeIfPresent(person.client?.rawValue, forKey: .client)
        }
    }

    init(_ keys: GateKeys, capacity: Int) {
        self.keys = keys
        made = NIOLockedValueBox(SecondChanceCache(capacity: capacity))
    }

    /// The statement about a person to a site.
    func assertion(of person: PassedPerson, to site: GateSite, at now: Date) throws -> String {
        let seconds = Int(now.timeIntervalSince1970)
        let key = Key(audience: site.origin.rawValue, subject: person.subject, client: person.client)
        if let known = made.withLockedValue({ $0.use(key) }), known.person == person,
            (0..<Self.reuse).contains(seconds - known.issued)
        {
            return known.text
        }
        let claims = Claims(
            issuer: "\(site.origin)/gate", audience: site.origin.rawValue, issued: seconds,
            expires: seconds + Self.lifetime, person: person)
        let text = try keys.signed(claims)
        made.withLockedValue { _ = $0.put(Assertion(person: person, issued: seconds, text: text), for: key) }
        return text
    }
}
