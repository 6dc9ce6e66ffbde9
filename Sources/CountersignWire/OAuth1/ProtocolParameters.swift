/// The parameters of the protocol in a request: all in one place, each once.
///
/// Standard: RFC 5849 §3.5.
struct ProtocolParameters {
    /// The place of the parameters; `nil` when there are none.
    private(set) var placement: UnverifiedOAuth1Request.Placement?
    /// The parameters that contain them.
    private var parameters = EncodedParameters.none
    /// The position of each parameter; `nil` for one that is omitted.
    private var places = [EncodedParameters.Span?](repeating: nil, count: ProtocolParameter.allCases.count)

    /// Finds those among the parameters of one place.
    ///
    /// - Throws: ``OAuth1Error`` `malformed` when they are in two places, or one of them is repeated.
    mutating func find(
        in parameters: EncodedParameters,
        of placement: UnverifiedOAuth1Request.Placement
    ) throws(OAuth1Error) {
        for place in parameters.places {
            let found = parameters.bytes.withUnsafeBufferPointer { bytes in
                ProtocolParameter(encoded: UnsafeBufferPointer(rebasing: bytes[place.start..<place.middle]))
            }
            guard let found else { continue }
            guard self.placement ?? placement == placement else {
                throw OAuth1Error(.malformed, because: "the parameters stand in two places")
            }
            if self.placement == nil {
                self.placement = placement
                self.parameters = parameters
            }
            guard places[found.rawValue] == nil else {
                throw OAuth1Error(.malformed, because: "a parameter of the protocol is repeated")
            }
            places[found.rawValue] = place
        }
    }

    /// The value of a parameter, decoded; `nil` when it is omitted.
    subscript(parameter: ProtocolParameter) -> String? { places[parameter.rawValue].map { parameters.value(at: $0) } }

    func bytes(of parameter: ProtocolParameter) -> [UInt8]? {
        places[parameter.rawValue].map { parameters.valueBytes(at: $0) }
    }
}
