internal import Countersign
internal import CountersignApprover
internal import NIOConcurrencyHelpers

/// Prints what happens in an inbox, in lines for a person or as lines of JSON; asks nothing.
struct InboxOutput: Sendable {
    let printsJSON: Bool

    /// The end of a request that was not answered by this process, as named in JSON output.
    enum Ending: String {
        case withdrawn, expired
    }

    /// An event as a line of JSON.
    private struct Line: Encodable {
        let event: String
        var id: String?
        var request: PrintedRequest?
        var reason: String?
    }

    /// Prints events until the task is cancelled, or the inbox cannot be read any more.
    func tell(of authenticator: Authenticator) async throws {
        let over = NIOLockedValueBox<Set<SignInRequest.ID>>([])
        func end(_ request: SignInRequest.ID, _ ending: Ending) throws {
            try over.withLockedValue { over in
                over.insert(request)
                try ended(request, ending)
            }
        }
        try await withThrowingDiscardingTaskGroup { looks in
            for await event in authenticator.requests() {
                switch event {
                // Concurrently: a request that cannot be loaded now must not delay the others.
                case .arrived(let request):
                    looks.addTask { try await arrived(request, at: authenticator, unlessIn: over) }
                case .withdrawn(let request): try end(request.id, .withdrawn)
                case .expired(let request): try end(request.id, .expired)
                case .temporaryFailure(let error, let pause): try temporaryFailure(error, retryingIn: pause)
                case .ended(let error):
                    try say(Line(event: "ended", reason: error.code.word), or: nil)
                    throw error
                }
            }
            looks.cancelAll()
        }
    }

    /// Looks at a request and prints it, unless its end was printed meanwhile.
    private func arrived(
        _ request: WaitingRequest,
        at authenticator: Authenticator,
        unlessIn over: NIOLockedValueBox<Set<SignInRequest.ID>>
    ) async throws {
        let shown: PrintedRequest
        do throws(ApprovalError) {
            shown = PrintedRequest(try await authenticator.look(at: request))
        } catch {
            if !error.endsRequest, error.code != .cancelled { Terminal.complain(error.sentence) }
            return
        }
        try over.withLockedValue { over in
            guard !over.contains(request.id) else { return }
            try say(Line(event: "arrived", id: shown.id, request: shown), or: shown.lines.joined(separator: "\n"))
        }
    }

    func ended(_ request: SignInRequest.ID, _ ending: Ending) throws {
        let words =
            switch ending {
            case .withdrawn: "\(request) was answered or taken back."
            case .expired: "The time of \(request) is over."
            }
        try say(Line(event: ending.rawValue, id: request.rawValue), or: words)
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
    /// The name in lines of JSON; where a sign-in can fail so too, the same word.
    var word: String {
        self == .unreachable ? "not_reachable" : rawValue.replacing(/[A-Z]/) { "_\($0.output.lowercased())" }
    }
}
