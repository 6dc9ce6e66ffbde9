package import Countersign

/// A sealed link, and with whom: the result of a handshake at either end.
package struct EstablishedLink: Sendable {
    /// Seals and opens messages.
    package var session: NoiseSession
    /// The pairing by which both ends know each other; without one, neither knows yet who the other is.
    package let pairing: Pairing?
    /// The key that this end has shown; it goes into the pairing, when the person wants one.
    package let own: LinkKeyPair

    /// Names the link: the hash of the whole handshake, which both ends have and no other link has.
    package var hash: NearbyLinkID { session.hash }
}
