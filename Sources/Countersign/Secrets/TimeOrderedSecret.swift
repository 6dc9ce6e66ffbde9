/// A secret that a server mints often, keeps in great number, and finds by its digest.
///
/// A ``CodeMint`` makes it begin with the instant of its minting, and its ``Secret/digest`` begins with that instant
/// too. So a store keeps neighbours in time side by side: new rows go to the end of an index in place of a random page
/// each. The instant is no secret.
public protocol TimeOrderedSecret: Secret {}

extension TimeOrderedSecret {
    /// The instant of its minting, and 208 bits of the SHA-256 digest of the whole text. That of a JWT begins with the
    /// instant of the minting of its identifier. It is the SHA-256 digest for a text that no mint made.
    public var digest: SecretDigest { SecretDigest(ofTimeOrdered: revealed) }
}

/// An identifier that a server mints often and keeps in great number.
///
/// A ``CodeMint`` makes it begin with the instant of its minting, so that a store keeps neighbours in time side by
/// side.
public protocol TimeOrderedIdentifier: Identifier {}
