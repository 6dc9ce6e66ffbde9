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

    /// Prints events until the task is cancelled, or the inbox cannot be read any more.
    func tell(of authenticator: Authenticator) async throws {
        let over = NIOLockedValueBox<Set<SignInRequest.ID>>([])
        func end(_ request: SignInRequest.ID, _ ending: Ending) {
            over.withLockedValue { over in
                over.insert(request)
                ended(request, ending)
            }
        }
        try await withThrowingDiscardingTaskGroup { looks in
            for await event in authenticator.requests() {
                switch event {
                // Concurrently: a request that cannot be loaded now must not delay the others.
                case .arrived(let request):
                    looks.addTask { await arrived(request, at: authenticator, unlessIn: over) }
                case .withdrawn(let request): end(request.id, .withdrawn)
                case .expired(let request): end(request.id, .expired)
                case .temporaryFailure(let error, let pause): temporaryFailure(error, retryingIn: pause)
                case .ended(let error):
                    say("ended", ["reason": error.code.word], or: nil)
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
    ) async {
        let shown: PrintedRequest
        do throws(ApprovalError) {
            shown = PrintedRequest(try await authenticator.look(at: request))
        } catch {
            if !error.endsRequest, error.code != .cancelled { Terminal.complain(error.sentence) }
            return
        }
        over.withLockedValue { over in
            guard !over.contains(request.id) else { return }
            say("arrived", ["id": shown.id, "request": shown], or: shown.lines.joined(separator: "\n"))
        }
    }

    func ended(_ request: SignInRequest.ID, _ ending: Ending) {
        let words =
            switch ending {
            case .withdrawn: "\(request) was answered or withdrawn."
            case .expired: "\(request) has expired."
            }
        say(ending.rawValue, ["id": request.rawValue], or: words)
    }

    func temporaryFailure(_ error: ApprovalError, retryingIn pause: Duration) {
        say(
            "temporary_failure", ["reason": error.code.word],
            or: "\(error.sentence) Again in \(pause.components.seconds) s.")
    }

    private func say(_ event: String, _ members: OutputMembers, or text: String?) {
        guard !printsJSON else { return Terminal.sayEvent(event, members) }
        if let text { Terminal.say(text.split(separator: "\n").map { String($0).shown }.joined(separator: "\n")) }
    }
}

extension ApprovalError.Code {
    /// The name in lines of JSON; where a sign-in can fail so too, the same word.
    var word: String {
        self == .unreachable ? "not_reachable" : rawValue.snakeCased
    }
}
