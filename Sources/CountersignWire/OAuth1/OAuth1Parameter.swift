/// One parameter of a request that is signed: a name and a value, decoded.
///
/// A name may occur more than once, and a value may be empty.
/// Standard: RFC 5849 §3.4.1.3.
public struct OAuth1Parameter: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value; empty when there is none.
    public let value: String

    /// A parameter.
    ///
    /// - Parameters:
    ///   - name: The name, not encoded.
    ///   - value: The value, not encoded.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension OAuth1Parameter {
    /// The largest number of parameters of a request; more are refused.
    static let most = 512

    /// Reads the parameters of a query or a form, in their order, with all that are repeated or empty.
    ///
    /// - Parameter bytes: A query without its question mark, or the body of a form.
    /// - Returns: The parameters, decoded; `+` is a space.
    /// - Throws: ``OAuth1Refusal`` `malformed` for a broken escape, text that is not UTF-8, a character that an encoded form
    ///   cannot have, or more than 512 parameters.
    ///
    /// Standard: RFC 5849 §3.4.1.3.1.
    public static func parse(_ bytes: some Collection<UInt8>) throws(OAuth1Refusal) -> [OAuth1Parameter] {
        try parse(Array(bytes))
    }

    private static func parse(_ bytes: [UInt8]) throws(OAuth1Refusal) -> [OAuth1Parameter] {
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw OAuth1Refusal(.malformed, because: "a query or form has characters that are not encoded")
        }
        var parameters: [OAuth1Parameter] = []
        for pair in bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
            guard parameters.count < most else {
                throw OAuth1Refusal(.malformed, because: "over \(most) parameters")
            }
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            do throws(OAuthError) {
                let name = try Form.decode(pair[..<(equals ?? pair.endIndex)])
                let value = try equals.map { place throws(OAuthError) in try Form.decode(pair[(place + 1)...]) }
                parameters.append(OAuth1Parameter(name, value ?? ""))
            } catch {
                throw OAuth1Refusal(.malformed, because: error.reason)
            }
        }
        return parameters
    }

    /// The parameters as the body of a form or as a query, every escape as OAuth 1 writes it.
    ///
    /// - Parameter parameters: The parameters, in their order.
    /// - Returns: Text in ASCII, without a question mark in front; empty for no parameters.
    ///
    /// Standard: RFC 5849 §3.5.2, §3.5.3.
    public static func encoded(_ parameters: [OAuth1Parameter]) -> String {
        parameters.map { "\(OAuth1Encoding.encode($0.name))=\(OAuth1Encoding.encode($0.value))" }
            .joined(separator: "&")
    }

    /// The parameters of all lists in the form that is signed: encoded, sorted by encoded name and then by encoded value.
    ///
    /// Standard: RFC 5849 §3.4.1.3.2.
    static func normalized(_ lists: [[OAuth1Parameter]], without excluded: String? = nil) -> [UInt8] {
        let count = lists.reduce(0) { $0 + $1.count }
        // All names and values encoded, one behind the other, and where they lie.
        var encoded: [UInt8] = []
        encoded.reserveCapacity(count * 40)
        var pairs: [EncodedPair] = []
        pairs.reserveCapacity(count)
        for list in lists {
            for parameter in list where parameter.name != excluded {
                let start = encoded.count
                OAuth1Encoding.append(parameter.name, to: &encoded)
                let middle = encoded.count
                OAuth1Encoding.append(parameter.value, to: &encoded)
                pairs.append(EncodedPair(name: start..<middle, value: middle..<encoded.count))
            }
        }
        return encoded.withUnsafeBufferPointer { encoded in
            pairs.sort { left, right in
                let (name, other) = (encoded[left.name], encoded[right.name])
                if name.elementsEqual(other) {
                    return encoded[left.value].lexicographicallyPrecedes(encoded[right.value])
                }
                return name.lexicographicallyPrecedes(other)
            }
            var normalized: [UInt8] = []
            normalized.reserveCapacity(encoded.count + 2 * pairs.count)
            for (place, pair) in pairs.enumerated() {
                if place > 0 { normalized.append(UInt8(ascii: "&")) }
                normalized += encoded[pair.name]
                normalized.append(UInt8(ascii: "="))
                normalized += encoded[pair.value]
            }
            return normalized
        }
    }

    /// Where the encoded name and value of a parameter lie.
    private struct EncodedPair {
        let name: Range<Int>
        let value: Range<Int>
    }
}
