/// Identifies one link between two devices: the hash of its handshake, which is different for every link.
///
/// A browser on the screen's own device that comes back to it is a link, too; then the server draws the identifier.
///
/// It is public and no secret. The phone names the link in the decision that it signs, and the requesting screen names
/// it in its token requests, each over its own connection to the server. An approval given over another link is
/// therefore useless.
public struct NearbyLinkID: Sendable, Hashable, CustomStringConvertible {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// Creates an identifier from a handshake hash.
    public init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == NearbyText.length else { return nil }
        self.bytes = bytes
    }

    /// A name whose bytes are a hash that was just computed.
    package init(restoring bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the written form.
    ///
    /// - Parameter text: 43 characters of base64url without padding; `nil` is returned for anything else.
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

    /// The 32 bytes that 43 characters of base64url stand for; `nil` for any other text.
    static func bytes(of text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count == 43, let bytes = URLSafeText.decode(text), bytes.count == length else { return nil }
        return bytes
    }
}
