/// A screen, an app or a backend that asks for sign-in.
public struct HomeScreen: Sendable, Hashable {
    /// The name, which the server shows to people.
    public let name: String
    let client: HomeClient
    /// Whether it is in the hands of the attacker.
    var isAttackers = false

    /// The address that the server sees.
    var address: String {
        guard !isAttackers else { return HomeAddress.attacker }
        switch client {
        case .tv, .game, .authenticator: return HomeAddress.home
        case .desk, .shop, .service: return HomeAddress.services
        }
    }
}

/// A sign-in at a screen of a home.
public struct HomeSignIn: Sendable, Hashable {
    let number: Int
}

/// The outcome of a sign-in, as its screen shows it.
public enum HomeOutcome: Sendable, Hashable, CustomStringConvertible {
    /// Nobody has decided.
    case waiting
    /// This person was signed in.
    case signedIn(HomePerson)
    /// A person refused.
    case denied
    /// Nobody decided in time.
    case expired
    /// The screen gave up.
    case cancelled
    /// The server refused, with this code.
    case refused(String)

    /// The outcome in a few words.
    public var description: String {
        switch self {
        case .waiting: "waiting"
        case .signedIn(let person): "signed in as \(person)"
        case .denied: "denied"
        case .expired: "expired"
        case .cancelled: "cancelled"
        case .refused(let code): "refused: \(code)"
        }
    }
}
