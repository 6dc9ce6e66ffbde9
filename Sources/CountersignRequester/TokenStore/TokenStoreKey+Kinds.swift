public import Countersign

extension TokenStoreKey.Kind {
    /// A sign-in: issuer, client identifier.
    public static let signIn = Self("sign-in")
    /// The sign-in of a program that acts for a person: issuer, client identifier, purpose.
    public static let service = Self("service")
    /// A request that was sent through a browser or another app and waits for its answer: provider, client identifier,
    /// a digest of its state.
    public static let pendingSignIn = Self("pending-sign-in")
    /// The identity of this device at an authorization provider: the provider's address.
    ///
    /// Standard: ETSI TS 103 407 §8.2.
    public static let crossPlatformIdentity = Self("cross-platform-identity")
    /// A token for a service: the provider's address, domain.
    ///
    /// Standard: ETSI TS 103 407 §8.4.
    public static let crossPlatformToken = Self("cross-platform-token")
}

extension TokenStoreKey {
    /// A text that no other key has, whatever characters the names have.
    var unambiguous: String {
        ([kind.rawValue] + names).map { "\($0.utf8.count):\($0)" }.joined()
    }

    /// A file name that no other key has.
    var fileName: String {
        URLSafeText.encode(SecretDigest(of: unambiguous).bytes.prefix(18))
    }
}
