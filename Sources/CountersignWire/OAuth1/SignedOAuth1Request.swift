/// The parameters of a signed request, for one of the three possible places.
///
/// The parameters are the same in each place, and so is the signature. They go to one place only.
///
/// Standard: RFC 5849 §3.5.
public struct SignedOAuth1Request: Sendable {
    /// The request that was signed.
    public let request: OAuth1Request
    /// The realm of the request; `nil` for no such parameter.
    let realm: String?
    /// The parameters of the protocol, with the signature.
    public let parameters: [OAuth1Parameter]
    package let baseString: SignatureBaseString

    /// The value of the `Authorization` header: the place to prefer.
    ///
    /// Standard: RFC 5849 §3.5.1.
    public var header: String { OAuth1Header(realm: realm, parameters).text }

    /// The body of the form with the parameters of the protocol behind its own, for a request whose body is a form.
    ///
    /// Standard: RFC 5849 §3.5.2.
    public var form: String { OAuth1Parameter.encoded(request.form + parameters) }

    /// The address with the parameters of the protocol behind its query. Logs of servers keep addresses.
    ///
    /// Standard: RFC 5849 §3.5.3.
    public var address: String { "\(request.baseURI)?\(OAuth1Parameter.encoded(request.query + parameters))" }
}
