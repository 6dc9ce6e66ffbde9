internal import Foundation

/// A person in the list that Glewlwyd's API for administrators returns (`GET /api/user`).
struct GlewlwydUser: Decodable {
    private let username: String
    private let name: String?
    private let email: String?
    private let enabled: Bool?
    private let scope: [String]
    /// The other members that are a text, or some.
    private let attributes: [String: String]

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The members that are no attributes of the person.
    private static let ownMembers: Set = [
        "username", "name", "email", "enabled", "scope", "password", "source", "last_login", "picture",
    ]
    /// The scope values of protocols and of Glewlwyd's own pages, which are no groups.
    private static let ownScopes: Set = [
        "openid", "profile", "email", "phone", "address", "offline_access", "g_profile", "g_admin",
    ]

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        func key(_ name: String) -> Key { Key(stringValue: name) }
        func texts(_ name: String) -> [String]? {
            if let text = try? members.decode(String.self, forKey: key(name)) { return [text] }
            return try? members.decode([String].self, forKey: key(name))
        }
        username = try members.decode(String.self, forKey: key("username"))
        name = try members.decodeIfPresent(String.self, forKey: key("name"))
        email = texts("email")?.first
        enabled = try members.decodeIfPresent(Bool.self, forKey: key("enabled"))
        scope = try members.decodeIfPresent([String].self, forKey: key("scope")) ?? []
        attributes = members.allKeys.reduce(into: [:]) { attributes, key in
            guard !Self.ownMembers.contains(key.stringValue) else { return }
            attributes[key.stringValue] = texts(key.stringValue)?.joined(separator: ", ")
        }
    }

    /// Reads the list.
    ///
    /// - Throws: a ``CommandError`` for JSON that is no list, or is cut off.
    static func records(of bytes: [UInt8], called source: String) throws(CommandError) -> [ImportRecord] {
        guard let users = try? JSONDecoder().decode([ListedJSON<GlewlwydUser>].self, from: Data(bytes)) else {
            throw CommandError("\(source) is no whole list of Glewlwyd's users: its JSON cannot be read.")
        }
        return users.enumerated().map { place, user in
            switch user.value {
            case .success(let user): user.record(place: place + 1)
            case .failure(let error): ImportRecord(line: place + 1, fields: .failure(error))
            }
        }
    }

    private func record(place: Int) -> ImportRecord {
        var person = ForeignPerson()
        person.set("username", username)
        person.set("name", name)
        person.set("email", email)
        person.set("standing", enabled == false ? "locked" : nil)
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) { person.extras.add(attribute: name, value) }
        for word in scope where !Self.ownScopes.contains(word) { person.extras.add(group: word) }
        person.extras.note("hash not taken (not in the list): the person needs a link.")
        return person.record(line: place)
    }
}
