internal import Crypto

/// The SHA-256 digest of the body of an answer, byte for byte as it arrived.
public struct AnswerDigest: Sendable, Hashable, CustomStringConvertible {
    /// The 32 bytes of the digest.
    public let bytes: [UInt8]

    /// Computes the digest of an answer.
    ///
    /// - Parameter answer: The body as it arrived.
    public init(of answer: [UInt8]) { bytes = Array(SHA256.hash(data: answer)) }

    /// Reads the wire form.
    ///
    /// - Parameter text: Base64url without padding; `nil` is returned unless it decodes to 32 bytes.
    public init?(parsing text: String) {
        guard let bytes = URLSafeText.decode(text), bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }

    /// A digest read back from a store.
    package init(restoring bytes: [UInt8]) { self.bytes = bytes }

    /// The 43 characters of base64url.
    public var description: String { URLSafeText.encode(bytes) }
}
