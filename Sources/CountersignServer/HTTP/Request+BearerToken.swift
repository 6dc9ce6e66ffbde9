internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

extension Request {
    /// The access token in the header; `nil` where there is none, or more than one header.
    ///
    /// Standard: RFC 6750 §2.1.
    var bearerToken: AccessToken? {
        let values = headers[values: .authorization]
        guard values.count == 1 else { return nil }
        return BearerHeader.token(in: values[0])
    }
}
