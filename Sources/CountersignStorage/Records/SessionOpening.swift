/// The approval that opened a browser session.
public struct SessionOpening: Sendable, Equatable, Codable {
    /// The approval; no client has it.
    public let grant: Grant
    /// The approved request; `nil` if unknown.
    public let request: SignInRequest.ID?
    /// The place where the person approved; `nil` if unknown.
    public let answer: AnswerRecord?
    /// The software of the browser, as it names itself; `nil` for none.
    public let software: String?
    /// The network address of the browser when it asked; `nil` when the server saw none.
    public let address: String?

    /// Creates the record of an approval of a request.
    package init(_ grant: Grant, of request: SignInRequest, answered answer: AnswerRecord?) {
        self.grant = grant
        self.request = request.id
        self.answer = answer
        software = request.software?.value
        address = request.address?.value
    }

    /// Whether the session ends at a time that the approver chose.
    public var isLimited: Bool { grant.ends != nil }
}
