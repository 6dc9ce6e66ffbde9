internal import Foundation

/// A person in the export of a Keycloak realm.
struct KeycloakUser: Decodable {
    private let id: String?
    private let username: String
    private let email: String?
    private let emailVerified: Bool?
    private let firstName, lastName: String?
    private let enabled: Bool?
    private let attributes: [String: [String]]?
    /// The paths of their groups, as in `/staff/sales`.
    private let groups: [String]?
    private let realmRoles: [String]?
    /// The roles at clients, by the identifier of the client.
    private let clientRoles: [String: [String]]?
    private let credentials: [Credential]?
    private let federatedIdentities: [FederatedIdentity]?
    /// The steps that Keycloak asks for at the next sign-in.
    private let requiredActions: [String]?
    private let serviceAccountClientId: String?

    /// A credential. One of versions before 8 is flat.
    private struct Credential: Codable {
        let type: String?
        let secretData, credentialData: String?
        let hashedSaltedValue, salt, algorithm: String?
        let hashIterations: Int?
        let temporary: Bool?

        /// The name of the function that hashed it.
        var scheme: String {
            guard let text = credentialData,
                let members = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
            else { return algorithm ?? "damaged" }
            return members["algorithm"] as? String ?? "damaged"
        }
    }

    /// The step for a temporary password.
    private static let passwordUpdate = "UPDATE_PASSWORD"
    /// The steps that need no note: the password is not taken, or the address is verified here.
    private static let actionsOfServer: Set = [passwordUpdate, "VERIFY_EMAIL"]

    private struct FederatedIdentity: Decodable {
        let identityProvider: String
    }

    /// Whether the account is that of a client.
    var isOfClient: Bool { serviceAccountClientId != nil }

    /// The record at a place of the list.
    ///
    /// - Parameter roles: The roles of the realm.
    func record(place: Int, _ roles: KeycloakRoles) -> ImportRecord {
        var person = ForeignPerson()
        person.set("username", username)
        person.set("name", [firstName, lastName].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " "))
        person.set("email", email)
        person.set("email_verified", emailVerified == true ? "true" : "false")
        person.set("subject", id)
        person.set("standing", enabled == false ? "locked" : nil)
        for (name, values) in (attributes ?? [:]).sorted(by: { $0.key < $1.key }) {
            person.extras.add(attribute: name, values.joined(separator: ", "))
        }
        for path in groups ?? [] { person.extras.add(group: String(path.drop { $0 == "/" })) }
        let roles = roles.all(KeycloakRoles.Role.all(realmRoles, clientRoles), in: groups ?? [])
        for name in roles.compactMap(\.group) { person.extras.add(group: name) }
        for client in Set(roles.compactMap(\.otherClient)).sorted() {
            person.extras.note("roles at \(client.brief) not taken: groups are for all clients.")
        }
        take(credentials ?? [], of: &person)
        for action in requiredActions ?? [] where !Self.actionsOfServer.contains(action) {
            person.extras.note("required action \(action.brief) not taken.")
        }
        for identity in federatedIdentities ?? [] {
            person.extras.note("sign-in by \(identity.identityProvider.brief) not taken: the person connects it anew.")
        }
        return person.record(line: place)
    }

    private func take(_ credentials: [Credential], of person: inout ForeignPerson) {
        for kind in Set(credentials.compactMap(\.type)).subtracting(["password", "password-history"]).sorted() {
            person.extras.note("\(kind.brief) not taken: the person sets it up anew.")
        }
        guard let password = credentials.first(where: { ($0.type ?? "password") == "password" }) else { return }
        guard password.temporary != true, requiredActions?.contains(Self.passwordUpdate) != true else {
            return person.noteTemporaryPassword()
        }
        guard let text = try? JSONEncoder().encode(password) else { return }
        person.take(hash: String(decoding: text, as: UTF8.self), called: password.scheme)
    }
}
