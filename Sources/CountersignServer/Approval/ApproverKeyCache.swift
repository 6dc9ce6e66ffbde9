internal import Countersign
internal import CountersignWire
internal import NIOConcurrencyHelpers

/// The keys of approving apps by their access tokens, so that a signature can be verified before anything is looked up.
///
/// A sign-in keeps the key that was bound to it first, so a key that is kept here is not wrong later. What it signed
/// counts for nothing until the change that records it has looked up the app, and compared its key.
final class ApproverKeyCache: Sendable {
    /// How many keys are kept at most, a quarter of a kilobyte each.
    private static let capacity = 40_000

    private let keys = NIOLockedValueBox(SecondChanceCache<SecretDigest, ApproverKey>(capacity: capacity))

    func find(_ token: AccessToken) -> ApproverKey? {
        keys.withLockedValue { $0.use(SecretDigest(of: token.revealed)) }
    }

    func keep(_ key: ApproverKey, of token: AccessToken) {
        keys.withLockedValue { _ = $0.put(key, for: SecretDigest(of: token.revealed)) }
    }
}
