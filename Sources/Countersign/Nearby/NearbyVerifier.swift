internal import Crypto

/// 32 random bytes that only the requesting screen holds, until it sends them to a phone over an authenticated link.
///
/// The server received the ``challenge`` when the request began. A phone that presents the verifier therefore has it
/// from that screen, and a user code that was seen elsewhere is not enough to view a request.
public struct NearbyVerifier: Sendable, Equatable {
    /// The number of bytes.
    public static let length = 32

    private let bytes: [UInt8]

    /// Creates a new verifier.
    ///
    /// - Parameter random: The source of its 32 bytes.
    public init(drawingFrom random: RandomSource) { bytes = random.bytes(Self.length) }

    /// Creates a verifier that arrived over a link.
    ///
    /// - Parameter bytes: The bytes as they arrived; `nil` is returned unless there are exactly 32.
    public init?(revealing bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// Reads the form that a phone presents to the server.
    ///
    /// - Parameter text: 43 characters of base64url without padding; `nil` is returned for anything else.
    public init?(parsing text: String) {
        guard let bytes = NearbyText.bytes(of: text) else { return nil }
        self.bytes = bytes
    }

    /// The 32 bytes in the clear, to be sent over the link.
    public var revealedBytes: [UInt8] { bytes }

    /// The bytes as 43 characters of base64url, for the phone's request to the server.
    public var revealed: String { URLSafeText.encode(bytes) }

    /// The digest that the server receives when the request begins.
    public var challenge: NearbyChallenge {
        NearbyChallenge(digest: Array(SHA256.hash(data: Array("Countersign nearby 1 challenge\0".utf8) + bytes)))
    }

    /// Compares in constant time: every byte is compared whatever the first difference is.
    public static func == (left: NearbyVerifier, right: NearbyVerifier) -> Bool { left.challenge == right.challenge }
}

extension NearbyVerifier: Redacted {}

/// The SHA-256 digest of a ``NearbyVerifier``, which a request sends as `nearby_challenge` when it begins.
public struct NearbyChallenge: Sendable, Hashable, CustomStringConvertible {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// Reads the wire form.
    ///
    /// - Parameter text: 43 characters of base64url without padding; `nil` is returned for anything else.
    public init?(parsing text: String) {
        guard let bytes = NearbyText.bytes(of: text) else { return nil }
        self.bytes = bytes
    }

    fileprivate init(digest: [UInt8]) { bytes = digest }

    /// A challenge read back from a store.
    package init(restoring bytes: [UInt8]) { self.bytes = bytes }

    /// The bytes as base64url.
    public var description: String { URLSafeText.encode(bytes) }

    /// Compares in constant time: every byte is compared whatever the first difference is.
    public static func == (left: NearbyChallenge, right: NearbyChallenge) -> Bool {
        SecretDigest(restoring: left.bytes) == SecretDigest(restoring: right.bytes)
    }
}
