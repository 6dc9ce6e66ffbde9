/// A signed token split into its parts, before any of it is trusted.
///
/// Standard: RFC 7515 §3.1 (compact serialization).
package struct CompactJWS: Sendable {
    /// The members of the protected header that are used here.
    ///
    /// Standard: RFC 7515 §4.1.
    package struct Header: Sendable, Equatable, Codable {
        /// The signature algorithm, such as `ES256` (`alg`).
        package var algorithm: String
        /// The key that made the signature (`kid`).
        package var keyID: JSONWebKey.ID?
        /// The type of the token, such as `at+jwt` (`typ`).
        package var type: String?
        /// Extensions that a reader must understand (`crit`). None is supported, so a token that has any is refused.
        package var critical: [String]?

        /// Creates a header to write.
        package init(algorithm: String, keyID: JSONWebKey.ID? = nil, type: String? = nil) {
            self.algorithm = algorithm
            self.keyID = keyID
            self.type = type
        }

        enum CodingKeys: String, CodingKey {
            case algorithm = "alg"
            case keyID = "kid"
            case type = "typ"
            case critical = "crit"
        }

        /// Reads a header; `nil` when it is no such object, or has a member twice.
        package init?(reading bytes: [UInt8]) {
            do throws(JSONMembers.UnexpectedMemberError) {
                guard let members = JSONMembers(bytes), let named = try members.text(CodingKeys.algorithm.rawValue)
                else { return nil }
                algorithm = named
                keyID = try members.text(CodingKeys.keyID.rawValue).map(JSONWebKey.ID.init(rawValue:))
                type = try members.text(CodingKeys.type.rawValue)
                critical = try members.texts(CodingKeys.critical.rawValue, orOne: false)
            } catch {
                return nil
            }
        }
    }

    /// The bytes under the signature: the encoded header, a dot, the encoded payload.
    package let signedBytes: [UInt8]
    package let headerBytes: [UInt8]
    /// The payload; JSON in a JWT.
    package let payload: [UInt8]
    package let signature: [UInt8]

    /// Splits a token. Nothing is verified.
    ///
    /// - Parameter text: The compact form; `nil` is returned unless it has three parts of base64url.
    package init?(_ text: String) {
        var text = text
        let parts = text.withUTF8 { text -> CompactJWS? in
            guard let first = Self.dot(in: text, from: 0), let second = Self.dot(in: text, from: first + 1),
                let header = URLSafeText.decode(UnsafeBufferPointer(rebasing: text[..<first])),
                let payload = URLSafeText.decode(UnsafeBufferPointer(rebasing: text[(first + 1)..<second])),
                let signature = URLSafeText.decode(UnsafeBufferPointer(rebasing: text[(second + 1)...]))
            else { return nil }
            let signed = Array(UnsafeBufferPointer(rebasing: text[..<second]))
            return CompactJWS(signedBytes: signed, headerBytes: header, payload: payload, signature: signature)
        }
        guard let parts else { return nil }
        self = parts
    }

    /// The first dot from `start` on; eight bytes at a time, because tokens are long.
    private static func dot(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        let (dots, ones, highs): (UInt64, UInt64, UInt64) = (
            0x2E2E_2E2E_2E2E_2E2E, 0x0101_0101_0101_0101, 0x8080_8080_8080_8080
        )
        let raw = UnsafeRawBufferPointer(text)
        var place = start
        while place + 8 <= text.count {
            let isZeroAtDots = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self) ^ dots
            guard (isZeroAtDots &- ones) & ~isZeroAtDots & highs == 0 else { break }
            place += 8
        }
        while place < text.count {
            if text[place] == UInt8(ascii: ".") { return place }
            place += 1
        }
        return nil
    }

    private init(signedBytes: [UInt8], headerBytes: [UInt8], payload: [UInt8], signature: [UInt8]) {
        self.signedBytes = signedBytes
        self.headerBytes = headerBytes
        self.payload = payload
        self.signature = signature
    }

    /// Writes a token.
    package static func text(
        header: [UInt8],
        payload: [UInt8],
        signedBy sign: ([UInt8]) throws -> [UInt8]
    ) rethrows -> String {
        let signed = "\(URLSafeText.encode(header)).\(URLSafeText.encode(payload))"
        let signature = try sign(Array(signed.utf8))
        return "\(signed).\(URLSafeText.encode(signature))"
    }
}

/// Prints as redacted, since the parts together are the token.
extension CompactJWS: Redacted {}
