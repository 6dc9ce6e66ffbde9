/// Claims about a person that no standard of this server defines: their groups, and what an operator declared.
///
/// Standard: OpenID Connect Core 1.0 §5.1.2.
public struct AdditionalClaims: Sendable, Equatable, Codable {
    /// The value of one claim.
    public enum Value: Sendable, Equatable {
        /// One text.
        case text(String)
        /// A list of texts.
        case texts([String])
        /// Claims inside it.
        indirect case claims(AdditionalClaims)
    }

    private var values: [String: Value] = [:]

    /// No claims.
    public init() {}

    /// Whether there are none.
    public var isEmpty: Bool { values.isEmpty }

    /// The names, sorted.
    public var names: [ClaimName] { values.keys.sorted().map { ClaimName(rawValue: $0) } }

    /// The value of a claim; `nil` for none.
    ///
    /// - Parameter name: The name of the claim.
    public subscript(_ name: ClaimName) -> Value? {
        get { values[name.rawValue] }
        set { values[name.rawValue] = newValue }
    }

    /// The texts of a claim that is a list or one text; empty for any other.
    ///
    /// - Parameter name: The name of the claim.
    public func texts(_ name: ClaimName) -> [String] {
        switch self[name] {
        case .text(let text): [text]
        case .texts(let texts): texts
        case .claims, nil: []
        }
    }

    /// A member's name.
    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Reads the members of an object that are texts, lists of texts or objects of such.
    ///
    /// - Throws: `DecodingError` for what is no object.
    public init(from decoder: any Decoder) throws { try self.init(from: decoder, besides: []) }

    /// Reads the members whose names are not among `known`; of another kind than these values, they are skipped.
    init(from decoder: any Decoder, besides known: Set<String>) throws {
        let members = try decoder.container(keyedBy: Key.self)
        for key in members.allKeys where !known.contains(key.stringValue) {
            if let text = try? members.decode(String.self, forKey: key) {
                values[key.stringValue] = .text(text)
            } else if let texts = try? members.decode([String].self, forKey: key) {
                values[key.stringValue] = .texts(texts)
            } else if let claims = try? members.decode(AdditionalClaims.self, forKey: key) {
                values[key.stringValue] = .claims(claims)
            }
        }
    }

    /// Writes each claim as a member.
    ///
    /// - Throws: `EncodingError`.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        for (name, value) in values {
            let key = Key(stringValue: name)
            switch value {
            case .text(let text): try members.encode(text, forKey: key)
            case .texts(let texts): try members.encode(texts, forKey: key)
            case .claims(let claims): try members.encode(claims, forKey: key)
            }
        }
    }
}

extension AdditionalClaims: CompactlyWritten {
    package func write(to json: inout CompactJSON) {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            let key = Key(stringValue: name)
            switch value {
            case .text(let text): json.add(key, text)
            case .texts(let texts): json.add(key, texts)
            case .claims(let claims): json.add(key, claims)
            }
        }
    }
}

extension AdditionalClaims {
    /// The size of the longest claims in a token, in bytes of JSON: some proxies refuse headers and cookies of 8 KiB.
    package static let longestInToken = 4_096

    /// The same claims as a token has them: while they are too long together, the longest is left out.
    ///
    /// - Parameter endpoint: The address of `/userinfo`, which tells them to whom the access token is shown, and which
    ///   the token names in their place; `nil` for a token that does not open it.
    ///
    /// Standard: OpenID Connect Core 1.0 §5.6.2 (distributed claims).
    package func inToken(orAt endpoint: String?) -> AdditionalClaims {
        var (claims, places) = (self, AdditionalClaims())
        while CompactJSON.bytes(of: claims).count > Self.longestInToken,
            let longest = claims.names.max(by: { claims.size($0) < claims.size($1) })
        {
            claims[longest] = nil
            places[longest] = .text("userinfo")
        }
        guard !places.isEmpty, let endpoint else { return claims }
        var (sources, source) = (AdditionalClaims(), AdditionalClaims())
        source[ClaimName("endpoint")] = .text(endpoint)
        sources[ClaimName("userinfo")] = .claims(source)
        claims[ClaimName("_claim_names")] = .claims(places)
        claims[ClaimName("_claim_sources")] = .claims(sources)
        return claims
    }

    /// The size of one claim, in bytes of JSON.
    private func size(_ name: ClaimName) -> Int {
        var claim = AdditionalClaims()
        claim[name] = self[name]
        return CompactJSON.bytes(of: claim).count
    }
}
