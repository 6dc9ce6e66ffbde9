internal import Countersign
internal import CountersignWire
internal import HTTPTypes

/// The client as which the requester authenticates.
struct ClientIdentity: Sendable {
    let id: ClientID
    /// The client secret; `nil` for a public client.
    let secret: ClientSecret?

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
