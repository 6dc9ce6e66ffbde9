/// A service's statement where tokens for it come from, as the value of a `WWW-Authenticate` header.
///
///     CPA version="1.0" name="Our AP" uri="https://login.example.org/ap" modes="client,user"
///
/// Standard: ETSI TS 103 407 Annex A.2.
public struct CrossPlatformChallenge: Sendable, Equatable {
    /// The kinds of token that a service accepts.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// An app on a device, without a person.
        case client
        /// A person.
        case user
    }

    /// The authorization provider's display name.
    public let name: String
    /// The provider's base address; clients append `/register`, `/associate` and `/token` to it.
    public let uri: String
    /// The kinds of token that give access to more than the request got; at least one.
    public let modes: [Mode]

    /// Creates a challenge.
    public init(name: String, uri: String, modes: [Mode]) {
        self.name = name
        self.uri = uri
        self.modes = modes
    }

    /// The value of the header: four parameters with single spaces between them, as clients of the standard parse it.
    ///
    /// A quote or backslash in the name is omitted, because few clients can read an escaped one.
    public var headerValue: String {
        let plain = AuthenticationChallenge.quotable(name)
        let words = modes.map(\.rawValue).joined(separator: ",")
        return "CPA version=\"1.0\" name=\"\(plain)\" uri=\"\(uri)\" modes=\"\(words)\""
    }

    /// Finds the challenge in the values of all `WWW-Authenticate` headers of an answer.
    ///
    /// Parameters may come in any order, separated by spaces or commas, among challenges of other schemes.
    ///
    /// - Parameter headerValues: One text per header; `nil` is returned when none has a `CPA` challenge with an address
    ///   and a known mode.
    public init?(headerValues: [String]) {
        for value in headerValues {
            guard let parameters = AuthenticationChallenge.parameters(of: "cpa", in: value),
                let uri = parameters["uri"], !uri.isEmpty
            else { continue }
            let words = (parameters["modes"] ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
            let modes = words.compactMap { Mode(rawValue: String($0)) }
            guard !modes.isEmpty else { continue }
            self.init(name: parameters["name"] ?? "", uri: uri, modes: modes)
            return
        }
        return nil
    }
}
