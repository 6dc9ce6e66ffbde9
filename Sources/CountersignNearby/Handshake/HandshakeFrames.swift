/// How long the first three frames may be; any other length is refused before a key is touched.
package enum HandshakeFrames {
    /// An ephemeral key and eight hints.
    package static let firstMessageLength = LinkPublicKey.length + PairingHints.length
    /// Before that stand a mark of four bytes, a version, and one to eight versions with their number.
    package static let firstLengths = (6 + 1 + firstMessageLength)...(6 + 8 + firstMessageLength)
    /// A kind, an ephemeral key, a sealed key, and the sealed versions with their number.
    package static let secondLengths = (98 + 1)...(98 + 8)
    /// A sealed key and a sealed nothing.
    package static let thirdLength = LinkPublicKey.length + 2 * CipherState.tagLength
    /// A hello of another version may be followed by more than we know; it is refused politely up to this length.
    package static let longestFirst = 1_024
}

/// What an approver says in clear before it closes a connection that it does not take.
package struct ClearRefusal: Sendable, Equatable {
    /// Why the hello is not answered.
    package let reason: EndReason
    /// The versions that the approver speaks.
    package let versions: LinkVersions

    /// A refusal.
    package init(reason: EndReason, versions: LinkVersions) {
        self.reason = reason
        self.versions = versions
    }

    /// Reads a refusal; `nil` for bytes that are none.
    package init?(parsing frame: [UInt8]) {
        guard frame.count > 2, frame[0] == 0, let reason = EndReason(rawValue: frame[1]),
            let versions = LinkVersions(parsing: frame[2...])
        else { return nil }
        self.init(reason: reason, versions: versions)
    }

    /// Frame 2 of a connection that ends there.
    package var frame: [UInt8] { [0, reason.rawValue] + versions.bytes }
}

extension HandshakeFrames {
    /// What may come in answer to frame 1: a refusal in clear, or frame 2.
    package static let answerLengths = 4...secondLengths.upperBound
}
