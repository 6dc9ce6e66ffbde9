/// The roles of a Keycloak realm, which become groups of their own: `role:editor`.
struct KeycloakRoles {
    /// A role of the realm, or of one of its clients.
    enum Role: Hashable {
        case realm(String)
        case client(String, String)
    }

    /// The roles of everybody in a group, by the path of the group.
    private var ofGroups: [String: [Role]] = [:]
    /// The roles that a composite role contains.
    private var parts: [Role: [Role]] = [:]

    /// Reads the roles of the groups, each of which has those of the groups around it.
    ///
    /// - Parameters:
    ///   - groups: The groups of the realm.
    ///   - definitions: The definitions of the roles, of which only the composite ones count.
    init(_ groups: [KeycloakGroup] = [], _ definitions: KeycloakRoleDefinitions = KeycloakRoleDefinitions()) {
        add(groups, below: "", with: [])
        for role in definitions.realm { parts[.realm(role.name)] = role.parts }
        for (client, roles) in definitions.clients {
            for role in roles { parts[.client(client, role.name)] = role.parts }
        }
    }

    private mutating func add(_ groups: [KeycloakGroup], below parent: String, with roles: [Role]) {
        for group in groups {
            let path = "\(parent)/\(group.name)"
            let all = roles + Role.all(group.realmRoles, group.clientRoles)
            ofGroups[path] = all
            add(group.subGroups ?? [], below: path, with: all)
        }
    }

    /// The roles of a person: their own, those of their groups, and all that these contain, each once.
    ///
    /// - Parameters:
    ///   - roles: The roles that the person has without a group.
    ///   - paths: The paths of the person's groups.
    func all(_ roles: [Role], in paths: [String]) -> [Role] {
        var (found, seen): ([Role], Set<Role>) = ([], [])
        // A role that was met is not followed again, so that roles that contain one another end.
        var waiting = Array((roles + paths.flatMap { ofGroups[$0] ?? [] }).reversed())
        while let role = waiting.popLast() {
            guard seen.insert(role).inserted else { continue }
            found.append(role)
            waiting += (parts[role] ?? []).reversed()
        }
        return found
    }
}

extension KeycloakRoles.Role {
    /// The roles in two members of the export, those of clients by the identifiers of the clients.
    static func all(_ realm: [String]?, _ clients: [String: [String]]?) -> [Self] {
        (realm ?? []).map { .realm($0) }
            + (clients ?? [:]).sorted { $0.key < $1.key }.flatMap { client, names in
                names.map { .client(client, $0) }
            }
    }

    /// The name of the group for the role; `nil` for a role of a client, and for Keycloak's own roles.
    var group: String? {
        guard case .realm(let name) = self, !["offline_access", "uma_authorization"].contains(name),
            !name.hasPrefix("default-roles-")
        else { return nil }
        return "role:\(name)"
    }

    /// The client of a role that no group stands for; `nil` for a role of the realm or of Keycloak itself.
    var otherClient: String? {
        guard case .client(let client, _) = self, !KeycloakClient.own.contains(client) else { return nil }
        return client
    }
}

/// A group in the export of a Keycloak realm.
struct KeycloakGroup: Decodable {
    let name: String
    let realmRoles: [String]?
    /// The roles at clients, by the identifier of the client.
    let clientRoles: [String: [String]]?
    let subGroups: [KeycloakGroup]?
}

/// The definitions of the roles in the export of a Keycloak realm.
struct KeycloakRoleDefinitions: Decodable {
    var realm: [KeycloakRole] = []
    /// The roles of clients, by the identifier of the client.
    var clients: [String: [KeycloakRole]] = [:]

    private enum CodingKeys: String, CodingKey {
        case realm, client
    }

    init() {}

    init(from decoder: any Decoder) throws {
        // One that cannot be read only contains no others.
        let members = try decoder.container(keyedBy: CodingKeys.self)
        realm = Self.readable(try? members.decode([ListedJSON<KeycloakRole>].self, forKey: .realm))
        let listed = try? members.decode([String: [ListedJSON<KeycloakRole>]].self, forKey: .client)
        clients = (listed ?? [:]).mapValues { Self.readable($0) }
    }

    private static func readable(_ listed: [ListedJSON<KeycloakRole>]?) -> [KeycloakRole] {
        (listed ?? []).compactMap { try? $0.value.get() }
    }
}

/// A role in the export of a Keycloak realm.
struct KeycloakRole: Decodable {
    let name: String
    private let composites: Composites?

    /// The roles that it contains.
    private struct Composites: Decodable {
        let realm: [String]?
        let client: [String: [String]]?
    }

    /// The roles that it contains.
    var parts: [KeycloakRoles.Role] { KeycloakRoles.Role.all(composites?.realm, composites?.client) }
}
