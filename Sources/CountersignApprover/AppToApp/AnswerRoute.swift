internal import CountersignWire
internal import FoundationEssentialsCompat

/// The route of the answer to the app that asked; the one rule for that.
///
/// An answer goes to the registered redirect URI of the request, and nowhere else. If the system identifies the
/// requesting app, and it is not the owner of that address, there is no answer. An https address is opened in the app
/// that owns the domain. A scheme or a port can belong to any app of the device, so that the person is always asked,
/// and warned.
///
/// Standard: RFC 8252 §7, §8.6; RFC 9700 §4.1.
enum AnswerRoute: Sendable, Equatable {
    /// The app that owns the domain of the https address.
    case owner
    /// The app that has the scheme, or listens at the port.
    case anyApp
    /// Through the browser, which gets the whole request: this system does not know the owner of an https address.
    case browser
    /// Not at all.
    case nowhere(AuthorizationRefusal)

    /// Decides by the redirect URI.
    ///
    /// - Parameters:
    ///   - redirectURI: The address that the answer goes to, as the server has it registered.
    ///   - caller: The system's word about the requesting app.
    ///   - knowsOwners: Whether this system can open an address in the app that owns its domain.
    init(to redirectURI: String, asked caller: RedirectOwnership, knowsOwners: Bool) {
        guard caller != .another else {
            self = .nowhere(.notTheOwner)
            return
        }
        switch AnswerDestination(redirectURI) {
        case .domain?: self = knowsOwners ? .owner : .browser
        case .port?, .scheme?: self = .anyApp
        case nil: self = .nowhere(.unanswerable)
        }
    }

    /// Whether only the registered app can get the answer.
    var isAssured: Bool { self == .owner }
}

/// The receiver of an answer, for people.
public enum AnswerDestination: Sendable, Hashable {
    /// The app, or the website, of this host.
    case domain(String)
    /// An app that has this scheme: any app of the device can have it.
    case scheme(String)
    /// A program that listens at a port of this machine.
    case port

    /// Reads a redirect URI; `nil` for one that no app may receive answers at.
    init?(_ redirectURI: String) {
        guard let colon = redirectURI.firstIndex(of: ":") else { return nil }
        let scheme = redirectURI[..<colon].lowercased()
        let rest = redirectURI[redirectURI.index(after: colon)...]
        switch scheme {
        case "https", "http":
            guard rest.hasPrefix("//"), let endpoint = try? Endpoint(redirectURI), let host = endpoint.url.host() else {
                return nil
            }
            self = scheme == "https" ? .domain(host) : .port
        default:
            // Without a dot it may be a scheme that systems and browsers run themselves, as `javascript`.
            guard scheme.contains("."), scheme.utf8.allSatisfy(Self.isOfScheme) else { return nil }
            self = .scheme(scheme)
        }
    }

    /// Standard: RFC 3986 §3.1.
    private static func isOfScheme(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
