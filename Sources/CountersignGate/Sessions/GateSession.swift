internal import Countersign
internal import CountersignResource
internal import CountersignWire
internal import FoundationEssentialsCompat

/// A browser's session at a site, or at the sites of one domain.
struct GateSession: Sendable, Equatable {
    /// The site or domain whose cookie names it: the cookie counts nowhere else.
    let place: String
    var person: GatePerson
    var tokens: SessionTokens
    let ends: Date
}

/// A person as the server describes them.
struct GatePerson: Sendable, Equatable, Codable {
    var subject: Subject
    var username: String?
    var name: String?
    /// The address, if it is known to be the person's.
    var email: String?

    init(_ claims: IDTokenClaims) {
        subject = claims.subject
        username = claims.preferredUsername
        name = claims.name
        email = claims.isEmailVerified == true ? claims.email : nil
    }
}

/// The tokens of a session.
struct SessionTokens: Sendable, Equatable, Redacted {
    let access: AccessToken
    let refresh: RefreshToken?
    let accessEnds: Date

    /// The lifetime of a token whose answer names none, in seconds.
    private static let usualLifetime = 300

    /// The tokens of an answer; the former refresh token stays where it has none.
    init(_ answer: TokenResponse, keeping former: RefreshToken? = nil, at now: Date) {
        access = answer.accessToken
        refresh = answer.refreshToken ?? former
        accessEnds = now + TimeInterval(answer.expiresIn ?? Self.usualLifetime)
    }

    fileprivate init(access: AccessToken, refresh: RefreshToken?, accessEnds: Date) {
        self.access = access
        self.refresh = refresh
        self.accessEnds = accessEnds
    }
}

/// A session whose person the server knew at ``checked``.
struct CheckedSession: Sendable, Equatable {
    var session: GateSession
    var facts: TokenFacts
    var checked: Date
}

/// The form of a session in its file.
struct StoredSession: Codable {
    private let place: String
    private let person: GatePerson
    private let access: String
    private let refresh: String?
    private let accessEnds: Double
    private let ends: Double

    init(_ session: GateSession) {
        place = session.place
        person = session.person
        access = session.tokens.access.revealed
        refresh = session.tokens.refresh?.revealed
        accessEnds = session.tokens.accessEnds.timeIntervalSince1970
        ends = session.ends.timeIntervalSince1970
    }

    var session: GateSession {
        let tokens = SessionTokens(
            access: AccessToken(revealing: access), refresh: refresh.map { RefreshToken(revealing: $0) },
            accessEnds: Date(timeIntervalSince1970: accessEnds))
        return GateSession(
            place: place, person: person, tokens: tokens, ends: Date(timeIntervalSince1970: ends))
    }
}
