package import Countersign

/// The claims of a server about a person, as of now, for a program that decides by them.
///
/// Texts and lists of texts are read, as they were sent; other claims are left out.
///
/// Standard: OpenID Connect Core 1.0 §5.3.2.
package struct UserInfoClaims: Sendable, Equatable, Decodable {
    /// The value of a claim.
    private enum Value: Sendable, Equatable, Decodable {
        case text(String)
        case list([String])
        case other

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                self = .text(text)
            } else {
                self = (try? value.decode([String].self)).map(Value.list) ?? .other
            }
        }
    }

    private let claims: [String: Value]

    /// Reads the claims.
    ///
    /// - Throws: `DecodingError` for anything but an object.
    package init(from decoder: any Decoder) throws {
        claims = try [String: Value](from: decoder)
    }

    /// Claims that are texts or lists, for tests.
    package init(texts: [String: String], lists: [String: [String]] = [:]) {
        claims = texts.mapValues(Value.text).merging(lists.mapValues(Value.list)) { text, _ in text }
    }

    /// The claim of this name if it is a text; `nil` otherwise.
    package func text(_ name: String) -> String? {
        if case .text(let text)? = claims[name] { text } else { nil }
    }

    /// The claim of this name if it is a list of texts; empty otherwise.
    package func list(_ name: String) -> [String] {
        if case .list(let list)? = claims[name] { list } else { [] }
    }

    /// The person; `nil` where the server names none.
    package var subject: Subject? { text("sub").map(Subject.init(rawValue:)) }
}
