internal import CountersignWire

/// The list of certificates that apps of this server's own dialect accept, as the operator signed it elsewhere.
///
/// The server has no key for it and serves it as it is: apps verify it, by the key that is built into them.
public struct SignedCertificatePins: Sendable, Equatable {
    /// The list as a compact JWS.
    let text: String

    /// The text is no such list.
    public struct ParsingError: Error, Sendable {}

    /// Takes over a list; its signature, its version and its end are left to the apps.
    ///
    /// - Parameter text: The text that `PinnedCertificates` wrote, with white space around it at most.
    /// - Throws: ``ParsingError``.
    public init(_ text: String) throws(ParsingError) {
        let text = text.filter { !$0.isWhitespace }
        guard text.utf8.count <= 16_384, let parts = CompactJWS(text),
            CompactJWS.Header(reading: parts.headerBytes)?.type == PinnedCertificates.type
        else { throw ParsingError() }
        self.text = text
    }
}
