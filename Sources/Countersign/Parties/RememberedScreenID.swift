/// Names a screen on which a person chose to be remembered, in the ID tokens that the screen's client gets for them.
///
/// It is unguessable, but no credential: a client that presents it authenticates as itself, and the person is asked.
public struct RememberedScreenID: Identifier {
    /// The value of the claim `countersign_screen`.
    public let rawValue: String
    /// Creates an identifier from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
}
