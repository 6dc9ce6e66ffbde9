public import Countersign
public import CountersignWire
internal import Crypto
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A key that signs what the person decides. It may be one that cannot leave the device's own hardware.
public protocol ApproverSigner: Sendable {
    /// The public half, which the server remembers at first use.
    var publicKey: ApproverKey { get }

    /// The signature over `bytes` by ES256: 64 bytes.
    ///
    /// Standard: RFC 7518 §3.4.
    func signature(over bytes: [UInt8]) throws -> [UInt8]
}

/// Where an app keeps its keys: one for each account, on this device only.
public protocol ApproverKeyStore: Sendable {
    /// The key of `account`, made when there is none yet.
    ///
    /// The server takes one key for each sign-in of the app. So it must be stored before it is used, and go when the
    /// app is signed out.
    func signer(for account: ApproverAccount.ID) async throws -> any ApproverSigner
}

/// A key whose private half is in memory: 32 bytes, to be kept like a password.
public struct ApproverPrivateKey: ApproverSigner {
    private let key: P256.Signing.PrivateKey
    public let publicKey: ApproverKey

    /// A new key.
    public init(drawingFrom random: RandomSource) {
        while true {
            // Fewer than one in four billion draws is no key.
            if let made = ApproverPrivateKey(revealing: random.bytes(32)) {
                self = made
                return
            }
        }
    }

    /// A key that was kept; `nil` for bytes that are none.
    public init?(revealing bytes: [UInt8]) {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes),
            let publicKey = ApproverKey(rawRepresentation: key.publicKey.rawRepresentation)
        else { return nil }
        self.key = key
        self.publicKey = publicKey
    }

    /// The private half, for the one place that keeps it.
    public var revealedBytes: [UInt8] { Array(key.rawRepresentation) }

    public func signature(over bytes: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: Data(bytes)).rawRepresentation)
    }
}

extension ApproverPrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "ApproverPrivateKey(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
