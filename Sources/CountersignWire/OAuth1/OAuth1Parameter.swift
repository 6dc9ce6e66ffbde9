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
    /// - Throws: ``OAuth1Error`` `malformed` for a broken escape, text that is not UTF-8, a character that an encoded
    ///   form cannot have, or more than 512 parameters.
    ///
    /// Standard: RFC 5849 §3.4.1.3.1.
    public static func parse(_ bytes: some Collection<UInt8>) throws(OAuth1Error) -> [OAuth1Parameter] {
        try EncodedParameters(form: Array(bytes)[...]).decoded
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
}
