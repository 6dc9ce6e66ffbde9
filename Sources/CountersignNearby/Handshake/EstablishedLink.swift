/// The result of a handshake at either end: an encrypted link, and its peer.
package struct EstablishedLink: Sendable {
    /// Seals and opens messages.
    package var session: NoiseSession
    /// The pairing of both ends; `nil` when neither end is authenticated yet.
    package let pairing: Pairing?
    /// The key that this end has presented; it is stored in the pairing if the person wants one.
    package let own: LinkKeyPair

    /// Identifies the link: the hash of the whole handshake, which both ends know and no other link has.
    package var hash: NearbyLinkID { session.hash }
}
