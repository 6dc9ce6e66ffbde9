/// Computes the four values that two ends exchange to authenticate each other by a code.
///
/// The requester commits to its nonce before the approver gives its own, and reveals it only after the approver has
/// committed to the typed code. So neither end, and no attacker between them, can choose the code; see
/// `Documentation/NearbyProtocol.md`.
package struct CodeExchange: Sendable {
    private let hash: [UInt8]
    /// The digest of the whole `ask` message.
    private let question: [UInt8]
    private let space: CodeSpace

    package init(on link: NearbyLinkID, ask: [UInt8], space: CodeSpace) {
        hash = link.bytes
        question = LinkDigest(of: ask).bytes
        self.space = space
    }

    /// C: the requester's commitment to its nonce.
    package func commitment(_ run: CodeAttempt, requester: LinkNonce) -> LinkDigest {
        LinkDigest(.commit, hash, question, [run.number], requester.revealed)
    }

    /// The code that the requester shows, and that the approver compares with the typed digits.
    package func code(_ run: CodeAttempt, requester: LinkNonce, approver: LinkNonce) -> LinkCode {
        let digest = LinkDigest(.code, hash, question, [run.number], requester.revealed, approver.revealed)
        return space.code(digest.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// K: the approver's commitment to the digits that were typed.
    package func commitment(
        _ run: CodeAttempt,
        typed code: LinkCode,
        approver: LinkNonce,
        blind: LinkNonce
    ) -> LinkDigest {
        LinkDigest(
            .typed, hash, question, [run.number], approver.revealed, blind.revealed, Array(code.revealed.utf8))
    }
}

/// The number of a code attempt: the first, second or third of a connection.
package struct CodeAttempt: Sendable, Hashable {
    /// 1, 2 or 3.
    package let number: UInt8

    package static let first = CodeAttempt(unchecked: 1)

    /// An attempt whose number is known to be valid.
    private init(unchecked number: UInt8) { self.number = number }

    /// An attempt; `nil` for any other number than 1 to 3.
    package init?(_ number: UInt8) {
        guard (1...3).contains(number) else { return nil }
        self.number = number
    }

    /// The next one; `nil` after the third.
    package var next: CodeAttempt? { CodeAttempt(number + 1) }
}
