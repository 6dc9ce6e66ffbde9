/// A secret that a server mints often, keeps in great number, and finds by its digest.
///
/// What a ``CodeMint`` makes of such a kind begins with the instant at which it was minted, and its ``Secret/digest``
/// begins with that instant too. So a store keeps neighbours in time side by side: new rows go to the end of an index
/// in place of a random page each. The instant is no secret: the holder of the secret was there when it was minted.
public protocol TimeOrderedSecret: Secret {}

extension TimeOrderedSecret {
    /// The instant at which it was minted, and 208 bits of the SHA-256 digest of the whole text. That of a JWT begins
    /// with the instant at which its identifier was minted. For a text that no mint made it is the SHA-256 digest.
    public var digest: SecretDigest { SecretDigest(ofTimeOrdered: revealed) }
}

/// An identifier that a server mints often and keeps in great number.
///
/// What a ``CodeMint`` makes of such a kind begins with the instant at which it was minted, so that a store keeps
/// neighbours in time side by side.
public protocol TimeOrderedIdentifier: Identifier {}
