internal import Countersign
internal import CountersignWire
internal import NIOConcurrencyHelpers

/// The keys of approving apps by their access tokens, so that a signature can be verified before anything is looked up.
///
/// The key of a sign-in never changes once it is bound, so a cached key stays right. A decision that a cached key has
/// verified still takes effect only in the change that records it, which looks up the app and compares its key.
final class ApproverKeyCache: Sendable {
    /// The largest number of keys; each takes a quarter of a kilobyte.
    private static let capacity = 40_000

    private let keys = NIOLockedValueBox(SecondChanceCache<SecretDigest, ApproverKey>(capacity: capacity))

    func find(_ token: AccessToken) -> ApproverKey? {
        keys.withLockedValue { $0.use(SecretDigest(of: token.revealed)) }
    }

    func keep(_ key: ApproverKey, of token: AccessToken) {
        keys.withLockedValue { _ = $0.put(key, for: SecretDigest(of: token.revealed)) }
    }
}
