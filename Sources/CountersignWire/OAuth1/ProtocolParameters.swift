/// The parameters of the protocol in a request: all in one place, each once.
///
/// Standard: RFC 5849 §3.5.
struct ProtocolParameters {
    /// The place of the parameters; `nil` when there are none.
    private(set) var placement: UnverifiedOAuth1Request.Placement?
    /// The parameters among which they stand.
    private var parameters = EncodedParameters.none
    private var client: EncodedParameters.Span?
    private var token: EncodedParameters.Span?
    private var method: EncodedParameters.Span?
    private var signature: EncodedParameters.Span?
    private var timestamp: EncodedParameters.Span?
    private var nonce: EncodedParameters.Span?
    private var version: EncodedParameters.Span?
    private var callback: EncodedParameters.Span?
    private var verifier: EncodedParameters.Span?

    /// Finds those among the parameters of one place.
    ///
    /// - Throws: ``OAuth1Refusal`` `malformed` when they stand in two places, or one of them twice.
    mutating func find(
        in parameters: EncodedParameters,
        of placement: UnverifiedOAuth1Request.Placement
    ) throws(OAuth1Refusal) {
        for place in parameters.places {
            let found = parameters.bytes.withUnsafeBufferPointer { bytes in
                ProtocolParameter(encoded: UnsafeBufferPointer(rebasing: bytes[place.start..<place.middle]))
            }
            guard let found else { continue }
            guard self.placement ?? placement == placement else {
                throw OAuth1Refusal(.malformed, because: "the parameters stand in two places")
            }
            if self.placement == nil {
                self.placement = placement
                self.parameters = parameters
            }
            guard set(found, place) else {
                throw OAuth1Refusal(.malformed, because: "a parameter of the protocol is repeated")
            }
        }
    }

    /// The value of a parameter, decoded; `nil` when it is left out.
    subscript(parameter: ProtocolParameter) -> String? {
        place(of: parameter).map { parameters.value(at: $0) }
    }

    /// The same as bytes.
    func bytes(of parameter: ProtocolParameter) -> [UInt8]? {
        place(of: parameter).map { parameters.valueBytes(at: $0) }
    }

    private func place(of parameter: ProtocolParameter) -> EncodedParameters.Span? {
        switch parameter {
        case .client: client
        case .token: token
        case .method: method
        case .signature: signature
        case .timestamp: timestamp
        case .nonce: nonce
        case .version: version
        case .callback: callback
        case .verifier: verifier
        }
    }

    private mutating func set(_ parameter: ProtocolParameter, _ place: EncodedParameters.Span) -> Bool {
        switch parameter {
        case .client: Self.set(&client, place)
        case .token: Self.set(&token, place)
        case .method: Self.set(&method, place)
        case .signature: Self.set(&signature, place)
        case .timestamp: Self.set(&timestamp, place)
        case .nonce: Self.set(&nonce, place)
        case .version: Self.set(&version, place)
        case .callback: Self.set(&callback, place)
        case .verifier: Self.set(&verifier, place)
        }
    }

    /// Sets what is not set yet; `false` when it is.
    private static func set(_ value: inout EncodedParameters.Span?, _ new: EncodedParameters.Span) -> Bool {
        guard value == nil else { return false }
        value = new
        return true
    }
}
