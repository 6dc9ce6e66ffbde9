package import Countersign

/// The four values by which two ends come to trust each other over one code.
///
/// The requester commits to its nonce before the approver gives its own, and reveals it only after the approver has
/// committed to what was typed. So neither end, and no attacker between them, can choose the code; see
/// `Documentation/NearbyProtocol.md`.
package struct CodeExchange: Sendable {
    /// The handshake hash.
    private let hash: [UInt8]
    /// The digest of the whole `ask` message.
    private let question: [UInt8]
    /// The codes that there are.
    private let space: CodeSpace

    /// - Parameter ask: The whole message by which the requester asked.
    package init(on link: NearbyLinkID, ask: [UInt8], space: CodeSpace) {
        hash = link.bytes
        question = LinkDigest(of: ask).bytes
        self.space = space
    }

    /// C: the requester's, to its own nonce.
    package func commitment(_ run: LinkRun, requester: LinkNonce) -> LinkDigest {
        LinkDigest(.commit, hash, question, [run.number], requester.revealed)
    }

    /// What the requester shows, and the approver compares with what was typed.
    ///
    /// - Parameters:
    ///   - run: Which attempt at a code it is.
    ///   - requester: The nonce of the requester.
    ///   - approver: The nonce of the approver.
    package func code(_ run: LinkRun, requester: LinkNonce, approver: LinkNonce) -> LinkCode {
        let digest = LinkDigest(.code, hash, question, [run.number], requester.revealed, approver.revealed)
        return space.code(digest.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// K: the approver's commitment to the digits that were typed.
    ///
    /// - Parameters:
    ///   - run: Which attempt at a code it is.
    ///   - code: The digits.
    ///   - approver: The nonce of the approver.
    ///   - blind: What hides the digits.
    package func commitment(
        _ run: LinkRun,
        typed code: LinkCode,
        approver: LinkNonce,
        blind: LinkNonce
    ) -> LinkDigest {
        LinkDigest(
            .typed, hash, question, [run.number], approver.revealed, blind.revealed, Array(code.revealed.utf8))
    }
}

/// Which attempt at a code a message belongs to: the first, second or third of a connection.
package struct LinkRun: Sendable, Hashable {
    /// 1, 2 or 3.
    package let number: UInt8

    /// The first run.
    package static let first = LinkRun(unchecked: 1)

    /// A run of a number that is known to be good.
    private init(unchecked number: UInt8) {
        self.number = number
    }

    /// A run; `nil` for any other number than 1 to 3.
    package init?(_ number: UInt8) {
        guard (1...3).contains(number) else { return nil }
        self.number = number
    }

    /// The next one; `nil` after the third.
    package var next: LinkRun? { LinkRun(number + 1) }
}
