internal import HummingbirdCore

/// Limits for the request line and the header fields of a request; beyond them it is answered with 431, and the
/// connection is closed.
///
/// Standard: RFC 6585 §5.
enum RequestHeadLimits {
    /// The bytes of the target and of all names and values together.
    static let bytes = 32_768
    /// The number of header fields.
    static let fields = 100

    /// The same for the parser.
    static var decoder: HTTP1Channel.Configuration.DecoderConfiguration {
        .init(maxHeaderFieldSize: bytes, maxHeaderListSize: bytes, maxHeaderFieldCount: fields)
    }
}
