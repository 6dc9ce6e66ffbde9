/// The lengths of the first three frames; any other length is refused before a key is touched.
package enum HandshakeFrames {
    /// The Noise message in frame 1: an ephemeral key and eight hints.
    package static let firstMessageLength = LinkPublicKey.length + PairingHints.length
    /// Frame 1: a mark of four bytes, a version, the number of versions, one to eight versions, and the Noise message.
    package static let firstLengths = (6 + 1 + firstMessageLength)...(6 + 8 + firstMessageLength)
    /// Frame 2: a kind, an ephemeral key, the encrypted static key, and the encrypted versions with their number.
    package static let secondLengths = (98 + 1)...(98 + 8)
    /// Frame 3: encrypted static key and an empty encrypted payload.
    package static let thirdLength = LinkPublicKey.length + 2 * CipherState.tagLength
    /// The longest frame 1 of another version, which may have more fields; it is answered with a refusal.
    package static let longestFirst = 1_024
}

/// The unencrypted refusal that an approver sends before it closes a connection that it does not accept.
package struct PlaintextRefusal: Sendable, Equatable {
    /// The reason that the hello is not answered.
    package let reason: EndReason
    /// The versions that the approver speaks.
    package let versions: LinkVersions

    package init(reason: EndReason, versions: LinkVersions) {
        self.reason = reason
        self.versions = versions
    }

    /// Reads a refusal; `nil` when the bytes are not a refusal.
    package init?(parsing frame: [UInt8]) {
        guard frame.count > 2, frame[0] == 0, let reason = EndReason(rawValue: frame[1]),
            let versions = LinkVersions(parsing: frame[2...])
        else { return nil }
        self.init(reason: reason, versions: versions)
    }

    /// Frame 2 of a connection that is refused.
    package var frame: [UInt8] { [0, reason.rawValue] + versions.bytes }
}

extension HandshakeFrames {
    /// The lengths of an answer to frame 1: an unencrypted refusal, or frame 2.
    package static let answerLengths = 4...secondLengths.upperBound
}
