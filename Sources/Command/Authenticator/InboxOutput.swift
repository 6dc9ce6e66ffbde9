internal import Countersign
internal import CountersignApprover
internal import CountersignWire

/// Prints what happens in an inbox, in lines for a person or as lines of JSON; asks nothing.
struct InboxOutput: Sendable {
    let printsJSON: Bool

    /// The end of a request that was not answered by this process, as named in JSON output.
    private enum Ending: String {
        case withdrawn, expired
    }

    /// Prints events until the task is cancelled, or the inbox cannot be read any more.
    func tell(of approver: Approver) async throws {
        var known: Set<SignInRequest.ID> = []
        do {
            for try await event in approver {
                if case .waiting(let requests) = event {
                    for request in requests where known.insert(request.id).inserted { arrived(PrintedRequest(request)) }
                    // A request that comes again is told again.
                    known.formIntersection(requests.map(\.id))
                } else {
                    tell(event)
                }
            }
        } catch let error as ApprovalError {
            say("ended", ["reason": error.code.word], or: nil)
            throw error
        }
    }

    private func arrived(_ request: PrintedRequest) {
        say("arrived", ["id": request.id, "request": request], or: request.lines.joined(separator: "\n"))
    }

    /// Prints any other event than the requests that wait.
    func tell(_ event: ApproverEvent) {
        switch event {
        case .waiting: break
        case .answered(let request, at: let place): ended(request.id, .withdrawn, at: place)
        case .cancelled(let request): ended(request.id, .withdrawn, at: nil)
        case .expired(let request): ended(request.id, .expired, at: nil)
        case .undone(let decision):
            say(
                "undone", ["id": decision.exchange.rawValue], or: "\(decision.clientName): your approval was undone.")
        case .newDevice(let device): say("new_device", ["device": device.id.rawValue], or: device.sentence)
        case .failed(_, let error): Terminal.complain(error.sentence)
        case .temporaryFailure(let error, retryingIn: let pause): temporaryFailure(error, retryingIn: pause)
        }
    }

    /// Prints the end of a request, and the place where the person answered it; `nil` if they did not.
    private func ended(_ request: SignInRequest.ID, _ ending: Ending, at place: AnswerPlace?) {
        let words =
            switch ending {
            case .withdrawn: place.map { "\(request): \($0.sentence)" } ?? "\(request) was withdrawn."
            case .expired: "\(request) has expired."
            }
        say(ending.rawValue, ["id": request.rawValue, "answered_by": place], or: words)
    }

    private func temporaryFailure(_ error: ApprovalError, retryingIn pause: Duration) {
        say(
            "temporary_failure", ["reason": error.code.word],
            or: "\(error.sentence) Again in \(pause.components.seconds) s.")
    }

    private func say(_ event: String, _ members: OutputMembers, or text: String?) {
        guard !printsJSON else { return Terminal.sayEvent(event, members) }
        if let text { Terminal.say(text.split(separator: "\n").map { String($0).shown }.joined(separator: "\n")) }
    }
}

extension DeviceListing {
    /// The device in a sentence, for a person who may not know it.
    var sentence: String {
        let name = [name ?? model, platform].compactMap(\.self).joined(separator: ", ")
        let remedy = "If it is not yours, type: countersign authenticator devices revoke \(id)"
        return "A new device answers for you: \(name.isEmpty ? id.rawValue : name). \(remedy)".shown
    }
}

extension ApprovalError.Code {
    /// The name in lines of JSON; where a sign-in can fail so too, the same word.
    var word: String {
        self == .unreachable ? "not_reachable" : rawValue.snakeCased
    }
}
