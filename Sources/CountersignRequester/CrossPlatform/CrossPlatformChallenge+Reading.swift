public import CountersignWire
public import HTTPTypes

extension CrossPlatformChallenge {
    /// Reads where tokens for a service come from out of the service's answer; `nil` if unknown.
    ///
    /// The challenge comes with a refusal, and also with an answer that would contain more with a person's token.
    ///
    /// ```swift
    /// if let challenge = CrossPlatformChallenge(in: response.headerFields), challenge.modes.contains(.user) {
    ///     let provider = CrossPlatformProvider(at: try challenge.address(), as: software, keepingTokensIn: store)
    ///     play(with: try await provider.requestToken(for: domain, ofType: .user, presenting: screen))
    /// }
    /// ```
    ///
    /// - Parameter fields: The header fields of the answer; its `WWW-Authenticate` are read.
    ///
    /// Standard: ETSI TS 103 407 Annex A.2.
    public init?(in fields: HTTPFields) {
        self.init(headerValues: fields[values: .wwwAuthenticate])
    }

    /// Returns the address of the provider, for a ``CrossPlatformProvider``.
    ///
    /// A service decides by it whom this device registers with, so an app asks only services that it trusts.
    ///
    /// - Parameter allowingInsecureHTTP: Whether plain http to another machine will do; for tests in closed networks.
    /// - Returns: The provider's base address.
    /// - Throws: ``SignInError`` `insecure_endpoint` for plain http to another machine, `bad_answer` for an invalid
    ///   address.
    public func address(allowingInsecureHTTP: Bool = false) throws(SignInError) -> Issuer {
        do throws(Issuer.ParsingError) {
            return try Issuer(uri, allowingInsecureHTTP: allowingInsecureHTTP)
        } catch {
            let code: SignInError.Code = error == .insecure ? .insecureEndpoint : .badAnswer
            throw SignInError(code, because: "the service names no address of a provider")
        }
    }
}
