/// The permissions that a client asks for: a list of words that the server defines, without repetition.
///
/// ```swift
/// let scope = Scope([.openid, .profile])
/// let sent = scope.description                        // "openid profile"
/// let read = Scope(parsing: "openid openid email")    // two words
/// ```
///
/// Standard: RFC 6749 §3.3.
public struct Scope: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The words, in the order of the request.
    public let words: [ScopeWord]

    /// No permission at all.
    public static let none = Scope([])

    /// Creates a scope.
    public init(_ words: [ScopeWord]) {
        var seen: Set<ScopeWord> = []
        self.words = words.filter { seen.insert($0).inserted }
    }

    /// Reads the wire form: words separated by spaces.
    ///
    /// Empty text gives the empty scope. Beyond the standard, spaces around the words and several in a row are
    /// accepted.
    ///
    /// - Parameter text: Words of printable ASCII without `"` and `\`; `nil` is returned for any other character.
    public init?(parsing text: String) {
        var words: [ScopeWord] = []
        for part in text.split(separator: " ", omittingEmptySubsequences: true) {
            guard let word = ScopeWord(parsing: String(part)) else { return nil }
            words.append(word)
        }
        self.init(words)
    }

    /// Whether the scope has no words.
    public var isEmpty: Bool { words.isEmpty }

    /// Whether `word` is one of the words.
    ///
    /// - Parameter word: One word; case counts.
    public func contains(_ word: ScopeWord) -> Bool { words.contains(word) }

    /// Whether every word of this scope is also one of `other`.
    ///
    /// - Parameter other: The scope that may be wider.
    public func isSubset(of other: Scope) -> Bool { Set(words).isSubset(of: other.words) }

    /// The wire form: the words with single spaces between them.
    public var description: String { words.map(\.rawValue).joined(separator: " ") }
}

/// One scope value.
///
/// Standard: RFC 6749 §3.3 (`scope-token`).
public struct ScopeWord: Identifier {
    /// The wire value in requests and tokens.
    public let rawValue: String
    /// Creates a word from text that is known to have the right form; nothing is checked.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Asks for an ID token, and so for the person's identity. Standard: OpenID Connect Core 1.0 §3.1.2.1.
    public static let openid = ScopeWord("openid")
    /// Asks for the person's name. Standard: OpenID Connect Core 1.0 §5.4.
    public static let profile = ScopeWord("profile")
    /// Asks for the person's e-mail address. Standard: OpenID Connect Core 1.0 §5.4.
    public static let email = ScopeWord("email")
    /// Asks for the person's groups. An addition of Countersign; OpenID Connect has no word for it.
    public static let groups = ScopeWord("groups")
    /// Asks for a refresh token. Standard: OpenID Connect Core 1.0 §11.
    public static let offlineAccess = ScopeWord("offline_access")
    /// Asks for the right to approve sign-ins of nearby screens in the person's name, by signed decisions of an app on
    /// their phone. An addition of Countersign.
    public static let nearbyApprove = ScopeWord("nearby_approve")

    /// Reads one word.
    ///
    /// - Parameter text: One or more characters of printable ASCII without space, `"` and `\`; `nil` is returned for
    ///   anything else.
    public init?(parsing text: String) {
        let allowed = text.utf8.allSatisfy { byte in
            byte == 0x21 || (0x23...0x5B).contains(byte) || (0x5D...0x7E).contains(byte)
        }
        guard allowed, !text.isEmpty else { return nil }
        self.init(rawValue: text)
    }
}
