internal import Crypto

/// What only the screen that asked holds, until it hands it to a phone over an authenticated link: 32 random bytes.
///
/// The server was told its ``challenge`` when the request began. So whoever shows the verifier has it from that
/// screen, and a user code that was seen elsewhere is not enough to look at a request.
public struct NearbyVerifier: Sendable, Equatable {
    /// How many bytes it has.
    public static let length = 32

    private let bytes: [UInt8]

    /// A new one.
    public init(drawingFrom random: RandomSource) {
        bytes = random.bytes(Self.length)
    }

    /// One that came over a link; `nil` for another number of bytes.
    public init?(revealing bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// Reads base64url without padding; `nil` for anything but 32 bytes.
    public init?(parsing text: String) {
        guard let bytes = NearbyText.bytes(of: text) else { return nil }
        self.bytes = bytes
    }

    /// The bytes themselves, for the link that carries them.
    public var revealedBytes: [UInt8] { bytes }

    /// The bytes as base64url, for the request that shows them to the server.
    public var revealed: String { URLSafeText.encode(bytes) }

    /// What the server may know from the beginning.
    public var challenge: NearbyChallenge {
        NearbyChallenge(digest: Array(SHA256.hash(data: Array("Countersign nearby 1 challenge\0".utf8) + bytes)))
    }

    /// Compares every byte whatever the first difference is.
    public static func == (left: NearbyVerifier, right: NearbyVerifier) -> Bool {
        left.challenge == right.challenge
    }
}

extension NearbyVerifier: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "NearbyVerifier(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// The digest of a ``NearbyVerifier``, which a request begins with: `nearby_challenge`.
public struct NearbyChallenge: Sendable, Hashable, CustomStringConvertible {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// Reads base64url without padding; `nil` for anything but 32 bytes.
    public init?(parsing text: String) {
        guard let bytes = NearbyText.bytes(of: text) else { return nil }
        self.bytes = bytes
    }

    fileprivate init(digest: [UInt8]) {
        bytes = digest
    }

    /// A challenge read back from a store.
    package init(restoring bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The bytes as base64url.
    public var description: String { URLSafeText.encode(bytes) }

    /// Compares every byte whatever the first difference is, so that timing tells nothing.
    public static func == (left: NearbyChallenge, right: NearbyChallenge) -> Bool {
        SecretDigest(restoring: left.bytes) == SecretDigest(restoring: right.bytes)
    }
}
