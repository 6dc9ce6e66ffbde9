/// Names one link between two screens: the hash of its handshake, which both ends know and no other link has.
///
/// It is public and never a secret. The phone names the link in what it signs, the screen that asked names it when it
/// polls, each over its own connection to the server: so an approval that came over another link is of no use.
public struct NearbyLinkID: Sendable, Hashable, CustomStringConvertible {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// The name of a link; `nil` for another number of bytes than 32.
    public init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == NearbyText.length else { return nil }
        self.bytes = bytes
    }

    /// A name whose bytes are a hash that was just computed.
    package init(restoring bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads base64url without padding; `nil` for anything but 32 bytes.
    public init?(parsing text: some StringProtocol) {
        guard let bytes = NearbyText.bytes(of: text) else { return nil }
        self.bytes = bytes
    }

    /// The bytes as base64url.
    public var description: String { URLSafeText.encode(bytes) }
}

/// The written form of 32 bytes.
enum NearbyText {
    static let length = 32

    static func bytes(of text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count == 43, let bytes = URLSafeText.decode(text), bytes.count == length else { return nil }
        return bytes
    }
}
