public import CountersignWire
public import HTTPTypes

extension CrossPlatformChallenge {
    /// Finds out from a service's answer where tokens for it come from; `nil` when it does not say.
    ///
    /// It comes with a refusal, and also with an answer that would be better with a person's token.
    /// Standard: ETSI TS 103 407 Annex A.2.
    public init?(in fields: HTTPFields) {
        self.init(headerValues: fields[values: .wwwAuthenticate])
    }

    /// The address of the provider, for a ``CrossPlatformProvider``.
    ///
    /// A service decides by it whom this device registers with, so an app asks only services that it trusts.
    /// - Throws: ``SignInError`` `insecure_endpoint` for plain http to another machine, `bad_answer` for what is no
    ///   address.
    public func address(allowingInsecureHTTP: Bool = false) throws(SignInError) -> Issuer {
        do throws(Issuer.Refusal) {
            return try Issuer(uri, allowingInsecureHTTP: allowingInsecureHTTP)
        } catch {
            let code: SignInError.Code = error == .insecure ? .insecureEndpoint : .badAnswer
            throw SignInError(code, because: "the service names no address of a provider")
        }
    }
}
