/// One person's remaining recovery codes, as digests.
///
/// ```swift
/// let (codes, kept) = RecoveryCodeSet.mint(for: subject, drawingFrom: .system)     // show codes once, store kept
/// ```
public struct RecoveryCodeSet: Sendable, Equatable {
    /// The number of codes that a person gets at once.
    public static let size = 10

    /// The answer to a code.
    public enum Redemption: Sendable, Hashable {
        /// It was one of the remaining codes, and is now removed.
        case accepted(left: Int)
        /// It is none of the remaining codes.
        case wrong
    }

    /// The person whose codes these are.
    public let subject: Subject
    /// The digests of the remaining codes.
    package private(set) var digests: [SecretDigest]

    /// A set that is read back from a store.
    package init(subject: Subject, restoring digests: [SecretDigest]) {
        self.subject = subject
        self.digests = digests
    }

    /// Makes a new set of codes.
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - random: The source of the codes.
    /// - Returns: The codes in the clear, to be shown once, and the set to be stored.
    public static func mint(
        for subject: Subject,
        drawingFrom random: RandomSource
    ) -> (codes: [RecoveryCode], kept: RecoveryCodeSet) {
        let codes = (0..<size).map { _ in RecoveryCode(drawingFrom: random) }
        return (codes, RecoveryCodeSet(subject: subject, restoring: codes.map { $0.digest(for: subject) }))
    }

    /// The number of remaining codes.
    public var count: Int { digests.count }

    /// Takes a code, which is accepted this one time.
    ///
    /// - Parameter code: The text that the person typed.
    public mutating func redeem(_ code: RecoveryCode) -> Redemption {
        let presented = code.digest(for: subject)
        var place: Int?
        // All are compared, each in constant time.
        for (candidate, digest) in digests.enumerated() where digest == presented { place = candidate }
        guard let place else { return .wrong }
        digests.remove(at: place)
        return .accepted(left: digests.count)
    }
}
