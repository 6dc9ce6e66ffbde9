internal import Foundation

/// The export of a Keycloak realm: its people and clients; or a list of people alone, as its API for administrators
/// returns it.
struct KeycloakRealm: Decodable {
    private let users: [ListedJSON<KeycloakUser>]
    private let clients: [ListedJSON<KeycloakClient>]
    private let roles: KeycloakRoles

    private enum CodingKeys: String, CodingKey {
        case users, clients, groups, roles
    }

    init(from decoder: any Decoder) throws {
        if let list = try? [ListedJSON<KeycloakUser>](from: decoder) {
            (users, clients, roles) = (list, [], KeycloakRoles())
            return
        }
        let members = try decoder.container(keyedBy: CodingKeys.self)
        users = try members.decodeIfPresent([ListedJSON<KeycloakUser>].self, forKey: .users) ?? []
        clients = try members.decodeIfPresent([ListedJSON<KeycloakClient>].self, forKey: .clients) ?? []
        // Groups are also read from the people; one that cannot be read only gives no roles.
        let groups = try members.decodeIfPresent([ListedJSON<KeycloakGroup>].self, forKey: .groups) ?? []
        let definitions = (try? members.decode(KeycloakRoleDefinitions.self, forKey: .roles)) ?? .init()
        roles = KeycloakRoles(groups.compactMap { try? $0.value.get() }, definitions)
    }

    /// Reads an export.
    ///
    /// - Throws: a ``CommandError`` for JSON that is none, or is cut off.
    init(_ bytes: [UInt8], called source: String) throws(CommandError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(bytes))
        } catch {
            throw CommandError("\(source) is no whole export of a Keycloak realm: its JSON cannot be read.")
        }
    }

    /// The people, by their place in the list, and the number of accounts that are a client's.
    var people: ([ImportRecord], skipped: Int) {
        get throws(CommandError) {
            guard !users.isEmpty else {
                throw CommandError("There is nobody in the export: export the realm with its users.")
            }
            let records = users.enumerated().compactMap { place, user -> ImportRecord? in
                switch user.value {
                case .success(let user): user.isOfClient ? nil : user.record(place: place + 1, roles)
                case .failure(let error): ImportRecord(line: place + 1, fields: .failure(error))
                }
            }
            return (records, users.count - records.count)
        }
    }

    /// The clients, by their place in the list.
    var entries: [(place: Int, client: Result<KeycloakClient, ImportLineError>)] {
        clients.enumerated().map { ($0 + 1, $1.value) }
    }
}
