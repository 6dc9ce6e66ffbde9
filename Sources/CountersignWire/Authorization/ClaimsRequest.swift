internal import FoundationEssentialsCompat

/// The claims about a person that an app asks for one by one (`claims`).
///
/// Standard: OpenID Connect Core 1.0 §5.5.
public struct ClaimsRequest: Sendable, Equatable {
    /// The demands of an app on one claim.
    public struct IndividualClaim: Sendable, Equatable {
        /// Whether the app can do nothing useful without it.
        public var isEssential: Bool
        /// The values that the app accepts, as far as they are texts; `nil` for any.
        public var values: [String]?

        /// Creates a request for one claim.
        public init(isEssential: Bool = false, values: [String]? = nil) {
            self.isEssential = isEssential
            self.values = values
        }
    }

    /// The claims that the ID token shall have, by their names.
    public var idToken: [String: IndividualClaim] = [:]
    /// The claims that user info shall have, by their names.
    public var userInfo: [String: IndividualClaim] = [:]

    /// Creates a request for no claims.
    public init() {}

    /// Reads the parameter.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when it is malformed.
    public init(parsing text: String) throws(OAuthError) {
        do {
            for member in try JSONScanner.distinctMembers(of: Array(text.utf8)) {
                switch member.name {
                case "id_token": idToken = try Self.claims(member.value)
                case "userinfo": userInfo = try Self.claims(member.value)
                default: break
                }
            }
        } catch {
            throw OAuthError(.invalidRequest, "claims is malformed", because: "malformed claims: \(error)")
        }
    }

    /// The parameter as JSON.
    public var text: String {
        let members = [("id_token", idToken), ("userinfo", userInfo)].filter { !$0.1.isEmpty }.map { name, claims in
            let claims = claims.sorted { $0.key < $1.key }.map { "\(Self.json($0.key)):\(Self.json($0.value))" }
            return "\"\(name)\":{\(claims.joined(separator: ","))}"
        }
        return "{\(members.joined(separator: ","))}"
    }

    /// Both lists together, the names only.
    package var names: Set<String> { Set(idToken.keys).union(userInfo.keys) }

    private static func claims(_ value: JSONScanner.Value) throws(TextMembers.MemberError) -> [String: IndividualClaim]
    {
        var claims: [String: IndividualClaim] = [:]
        for member in try members(of: value) {
            var claim = IndividualClaim()
            for property in try members(of: member.value) {
                let value = property.value
                switch property.name {
                case "essential":
                    guard value == .other(json: "true") || value == .other(json: "false") else { throw .notJSON }
                    claim.isEssential = value == .other(json: "true")
                case "value":
                    if case .text(let text) = value { claim.values = [text] } else { claim.values = [] }
                case "values":
                    guard case .other(let json) = value, json.utf8.first == UInt8(ascii: "[") else { throw .notJSON }
                    claim.values = (try? JSONDecoder().decode([String].self, from: Data(json.utf8))) ?? []
                default: break
                }
            }
            claims[member.name] = claim
        }
        return claims
    }

    /// The members of a value that is an object; none of one that is null.
    private static func members(of value: JSONScanner.Value) throws(TextMembers.MemberError) -> [JSONScanner.Member] {
        switch value {
        case .other(json: "null"): return []
        case .other(let json): return try JSONScanner.distinctMembers(of: Array(json.utf8))
        case .text: throw .notAnObject
        }
    }

    private static func json(_ claim: IndividualClaim) -> String {
        var members: [String] = claim.isEssential ? ["\"essential\":true"] : []
        if let values = claim.values { members.append("\"values\":[\(values.map(json).joined(separator: ","))]") }
        return members.isEmpty ? "null" : "{\(members.joined(separator: ","))}"
    }

    private static func json(_ text: String) -> String {
        var json = CompactJSON()
        json.add(TextName.text, text)
        // The text is the only member of the object.
        return String(decoding: json.finished().dropFirst("{\"t\":".utf8.count).dropLast(), as: UTF8.self)
    }

    private enum TextName: String, CodingKey {
        case text = "t"
    }
}
