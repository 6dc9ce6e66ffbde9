public import Countersign
internal import CountersignWire
internal import HTTPTypes

/// The client as which an app signs in: its client id and, where it can keep one, its secret.
///
/// ```swift
/// let tv: ClientIdentity = "tv"
/// let backend = ClientIdentity(ClientID("backend"), secret: secret)
/// ```
public struct ClientIdentity: Sendable, ExpressibleByStringLiteral {
    /// The client id at the server.
    public let id: ClientID
    /// The client secret; `nil` for a public client, as on most screens.
    public let secret: ClientSecret?

    /// A client; without a secret by default.
    public init(_ id: ClientID, secret: ClientSecret? = nil) {
        self.id = id
        self.secret = secret
    }

    /// A public client, by its client id.
    public init(stringLiteral id: String) { self.init(ClientID(id)) }

    /// Adds the client's name and secret to a request, by a method that the server supports.
    ///
    /// Standard: RFC 6749 §2.3.1; without a list, servers accept `client_secret_basic` (RFC 8414 §2).
    func sign(_ form: inout Form, _ fields: inout HTTPFields, offering methods: [String]?) {
        guard let secret else {
            form["client_id"] = id.rawValue
            return
        }
        let offered = (methods ?? []).compactMap(PresentedCredentials.Method.init(rawValue:))
        if offered.contains(.clientSecretPost), !offered.contains(.clientSecretBasic) {
            form["client_id"] = id.rawValue
            form["client_secret"] = secret.revealed
        } else {
            fields[.authorization] = PresentedCredentials.basicHeader(client: id, secret: secret)
        }
    }
}
