package import FoundationEssentialsCompat

/// The browser session that an approval allows.
public struct ApprovedSession: Sendable, Equatable, Codable {
    /// The time of the session.
    public let term: SessionTerm
    /// The software of the approving browser, as it names itself; `nil` for none.
    public let approver: String?
    /// The instant when the session ends at the latest, because the session of the approver does; `nil` for none.
    package let latest: Date?

    /// Creates the choice of an approver.
    package init(_ term: SessionTerm, approver: String? = nil, latest: Date? = nil) {
        self.term = term
        self.approver = approver
        self.latest = latest
    }
}

/// The approval that opened a browser session.
public struct SessionOpening: Sendable, Equatable, Codable {
    /// The approval; no client has it.
    public let grant: Grant
    /// The choices of the approver.
    public let session: ApprovedSession
    /// The software of the browser, as it names itself; `nil` for none.
    public let software: String?
    /// The network address of the browser when it asked; `nil` when the server saw none.
    public let address: String?

    /// Creates the record of an approval.
    package init(_ grant: Grant, _ session: ApprovedSession, in request: SignInRequest) {
        self.grant = grant
        self.session = session
        software = request.software?.value
        address = request.address?.value
    }

    /// Whether the session ends at a time that the approver chose.
    public var isLimited: Bool { session.term != .own || session.latest != nil }
}
