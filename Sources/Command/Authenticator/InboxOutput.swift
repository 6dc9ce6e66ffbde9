internal import Countersign
internal import CountersignApprover

/// Prints what happens in an inbox, in lines for a person or as lines of JSON; asks nothing.
struct InboxOutput: Sendable {
    let printsJSON: Bool

    /// An event as a line of JSON.
    private struct Line: Encodable {
        let event: String
        var id: String?
        var request: PrintedRequest?
        var reason: String?
    }

    /// Prints events until the task is cancelled, or the inbox cannot be read any more.
    func tell(of authenticator: Authenticator) async throws {
        for await event in authenticator.requests() {
            switch event {
            case .arrived(let request): try await arrived(request, at: authenticator)
            case .withdrawn(let request): try withdrawn(request.id)
            case .expired(let request): try expired(request.id)
            case .temporaryFailure(let error, let pause): try temporaryFailure(error, retryingIn: pause)
            case .ended(let error):
                try say(Line(event: "ended", reason: error.code.word), or: nil)
                throw error
            }
        }
    }

    private func arrived(_ request: WaitingRequest, at authenticator: Authenticator) async throws {
        let shown: PrintedRequest
        do throws(ApprovalError) {
            shown = PrintedRequest(try await authenticator.look(at: request))
        } catch {
            if error.code != .nothingToDecide { Terminal.complain(error.sentence) }
            return
        }
        try say(Line(event: "arrived", id: shown.id, request: shown), or: shown.lines.joined(separator: "\n"))
    }

    func withdrawn(_ request: SignInRequest.ID) throws {
        try say(Line(event: "withdrawn", id: request.rawValue), or: "\(request) was answered or taken back.")
    }

    func expired(_ request: SignInRequest.ID) throws {
        try say(Line(event: "expired", id: request.rawValue), or: "The time of \(request) is over.")
    }

    func temporaryFailure(_ error: ApprovalError, retryingIn pause: Duration) throws {
        try say(
            Line(event: "temporary_failure", reason: error.code.word),
            or: "\(error.sentence) Again in \(pause.components.seconds) s."
        )
    }

    private func say(_ line: Line, or text: String?) throws {
        guard printsJSON else {
            if let text { Terminal.say(text.split(separator: "\n").map { String($0).shown }.joined(separator: "\n")) }
            return
        }
        try Terminal.sayJSON(line, inOneLine: true)
    }
}

extension ApprovalError.Code {
    /// What it is called in lines of JSON; where a sign-in can fail so too, by the same word.
    fileprivate var word: String {
        self == .unreachable ? "not_reachable" : rawValue.replacing(/[A-Z]/) { "_\($0.output.lowercased())" }
    }
}
