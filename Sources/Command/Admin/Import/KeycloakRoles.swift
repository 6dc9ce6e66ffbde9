/// The roles of a Keycloak realm, which become groups of their own: `role:editor`.
struct KeycloakRoles {
    /// The realm's roles of everybody in a group, by the path of the group.
    private var ofGroups: [String: [String]] = [:]

    /// Reads the roles of the groups, each of which has those of the groups around it.
    init(_ groups: [KeycloakGroup]) { add(groups, below: "", with: []) }

    private mutating func add(_ groups: [KeycloakGroup], below parent: String, with roles: [String]) {
        for group in groups {
            let path = "\(parent)/\(group.name)"
            let all = roles + (group.realmRoles ?? [])
            ofGroups[path] = all
            add(group.subGroups ?? [], below: path, with: all)
        }
    }

    /// The names of the groups for the roles of a person, without Keycloak's own roles.
    ///
    /// - Parameters:
    ///   - roles: The roles that the person has without a group.
    ///   - paths: The paths of the person's groups.
    func groups(for roles: [String], in paths: [String]) -> [String] {
        var names: [String] = []
        for role in roles + paths.flatMap({ ofGroups[$0] ?? [] }) where !Self.isOwn(role) {
            let name = "role:\(role)"
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    private static func isOwn(_ role: String) -> Bool {
        ["offline_access", "uma_authorization"].contains(role) || role.hasPrefix("default-roles-")
    }
}

/// A group in the export of a Keycloak realm.
struct KeycloakGroup: Decodable {
    let name: String
    let realmRoles: [String]?
    let subGroups: [KeycloakGroup]?
}
