/// The data of the browser about a ceremony: the page that it was for, and the challenge that it answers.
///
/// It reads strictly: a repeated member, a member of another type and anything around the object are refused; members
/// that are `null` count as left out, and members of other names are ignored.
/// Standard: Web Authentication Level 3 §5.8.1.
package struct CollectedClientData: Sendable, Equatable {
    /// The most bytes that are read.
    static let longest = 8192

    /// The kind of ceremony: `webauthn.create` or `webauthn.get`.
    package let type: String
    /// The challenge as base64url.
    package let challenge: CeremonyChallenge
    package let origin: String
    /// Whether the page was in a frame of a page of another origin.
    package let isCrossOrigin: Bool
    /// The origin of the outermost page, if the browser sends it.
    package let topOrigin: String?

    /// Reads the data.
    ///
    /// - Throws: ``PasskeyError`` `malformed`.
    package init(parsing bytes: [UInt8]) throws(PasskeyError) {
        guard bytes.count <= Self.longest else { throw PasskeyError(.malformed, because: "client data is too long") }
        var members: [String: JSONScanner.Value] = [:]
        do throws(TextMembers.MemberError) {
            for member in try JSONScanner.distinctMembers(of: bytes) { members[member.name] = member.value }
        } catch {
            throw PasskeyError(.malformed, because: "client data: \(error)")
        }
        guard case .text(let type) = members["type"], case .text(let challenge) = members["challenge"],
            case .text(let origin) = members["origin"]
        else { throw PasskeyError(.malformed, because: "client data without type, challenge or origin") }
        self.type = type
        self.challenge = CeremonyChallenge(revealing: challenge)
        self.origin = origin
        switch members["crossOrigin"] {
        case nil, .other(json: "null"), .other(json: "false"): isCrossOrigin = false
        case .other(json: "true"): isCrossOrigin = true
        case .text, .other: throw PasskeyError(.malformed, because: "crossOrigin is no truth value")
        }
        switch members["topOrigin"] {
        case nil, .other(json: "null"): topOrigin = nil
        case .text(let text): topOrigin = text
        case .other: throw PasskeyError(.malformed, because: "topOrigin is no text")
        }
    }
}
