internal import Countersign
internal import CountersignWire
internal import HTTPTypes

/// As whom the requester talks to the server, and by which proof.
struct ClientIdentity: Sendable {
    let id: ClientID
    let secret: ClientSecret?

    /// Puts the client's name and proof on a request, by a method that the server offers.
    ///
    /// Standard: RFC 6749 §2.3.1; without a list, servers take `client_secret_basic` (RFC 8414 §2).
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
