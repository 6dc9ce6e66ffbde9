internal import Countersign
internal import CountersignApprover
internal import CountersignWire

/// Prints what happens at this terminal as an approver, in sentences for a person or as lines of JSON.
struct ApprovalOutput: Sendable {
    let printsJSON: Bool

    /// Prints an event.
    func say(_ event: String, _ members: OutputMembers = [:], or text: String?) {
        guard !printsJSON else { return Terminal.sayEvent(event, members) }
        if let text { Terminal.say(text.split(separator: "\n").map { String($0).shown }.joined(separator: "\n")) }
    }

    /// Prints a request that waits.
    func arrived(_ request: PrintedRequest) {
        say("arrived", ["id": request.id, "request": request.members], or: request.lines.joined(separator: "\n"))
    }

    /// Prints the person's answer at this terminal.
    func answered(_ request: SignInRequest.ID, _ answer: RequestAnswer) {
        say("answered", ["id": request.rawValue, "answer": answer.word], or: "It is \(answer.word).")
    }

    /// Prints any other event than the requests that wait.
    func tell(_ event: ApproverEvent) {
        let text = event.sentence
        switch event {
        case .waiting: break
        case .answered(let request, at: let place):
            say("answered", ["id": request.id.rawValue, "answered_by": place, "message": text], or: text)
        case .cancelled(let request): say("cancelled", ["id": request.id.rawValue, "message": text], or: text)
        case .withdrawn(let request): say("withdrawn", ["id": request.id.rawValue, "message": text], or: text)
        case .expired(let request): say("expired", ["id": request.id.rawValue, "message": text], or: text)
        case .undone(let decision): say("undone", ["id": decision.exchange.rawValue, "message": text], or: text)
        case .newDevice(let device):
            say("new_device", ["device": device.id.rawValue, "message": text], or: device.sentence)
        case .passwordChanged: say("password_changed", ["message": text], or: text)
        case .failed(let id, let error):
            say("failed", ["id": id.rawValue, "reason": error.code.word, "message": text], or: text)
        case .temporaryFailure(let error, retryingIn: _):
            say("temporary_failure", ["reason": error.code.word, "message": text], or: text)
        }
    }

    /// Prints that the inbox can't be read any more; in words the error of the command says it.
    func ended(_ error: ApprovalError) {
        say("ended", ["reason": error.code.word, "message": error.sentence], or: nil)
    }
}

extension DeviceListing {
    /// The device in a sentence, for a person who may not know it.
    var sentence: String {
        let event = ApproverEvent.newDevice(self).sentence ?? ""
        return "\(event) Type: countersign authenticator devices revoke \(id)".shown
    }
}

extension ApprovalError.Code {
    /// The name in lines of JSON; where a sign-in can fail so too, the same word.
    var word: String {
        self == .unreachable ? "not_reachable" : rawValue.snakeCased
    }
}
