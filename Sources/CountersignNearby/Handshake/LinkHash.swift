internal import Countersign

/// What both ends of a link call it: the hash of its handshake, unlike that of any other link.
///
/// It binds both ends' keys, their roles, the version and the app. It is public: knowing it proves nothing.
public struct LinkHash: Sendable, Hashable, CustomStringConvertible {
    /// The 32 bytes.
    public let bytes: [UInt8]

    package init(restoring bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The hash as it stands in messages to a server: 43 characters of base64url.
    public var text: String { URLSafeText.encode(bytes) }

    public var description: String { text }
}
