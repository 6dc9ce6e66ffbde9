internal import CountersignNearby

/// The notices of a screen to its person while it looks for phones nearby.
enum NearbyNotice: Sendable {
    /// The available approvers, and whether the person is asked to choose one.
    case found(NearbyList, asks: Bool)
    case progress(NearbyProgress, NearbyApprover)
    /// The digits to type at a phone.
    case code(LinkCode, NearbyApprover)
    case codeIsOver
    case ended(NearbyResult)

    /// The notice in words; `nil` if there is nothing to say.
    var words: String? {
        switch self {
        case .found(let list, let asks): list.words(asking: asks)
        case .progress(let progress, let approver): Self.words(for: progress, of: approver.shown)
        case .code(let code, let approver): "Type \(code.shown) in the app on ‘\(approver.shown)’."
        case .codeIsOver: nil
        case .ended(.declined(let name)): "\(name?.shown ?? "The phone") said no."
        case .ended(.missesUsedUp): "Too many codes went wrong nearby. The code above still works."
        case .ended(.granted(let granted)):
            "\(granted.approver.shown) has approved.\(granted.isRemembered ? " It is remembered." : "")"
        case .ended: nil
        }
    }

    /// The name in lines of JSON.
    var state: String {
        switch self {
        case .found: "found"
        case .progress(.asking, _): "asking"
        case .progress(.busy, _): "busy"
        case .progress(.waiting, _): "in_line"
        case .progress(.missed, _): "missed"
        case .progress(.askedForDecision, _): "deciding"
        case .progress(.ended, _): "ended"
        case .code: "code"
        case .codeIsOver: "code_over"
        case .ended(.granted): "approved"
        case .ended(.declined): "declined"
        case .ended: "over"
        }
    }

    /// The reason that it ended, in lines of JSON; `nil` if nothing has ended.
    var reason: String? {
        switch self {
        case .progress(.ended(let failure), _), .ended(.failed(let failure)): failure.word
        case .ended(.missesUsedUp): "misses_used_up"
        case .ended(.timedOut): "timed_out"
        case .ended(.stopped): "stopped"
        case .found, .progress, .code, .codeIsOver, .ended: nil
        }
    }

    /// The number of approvers there; ``approvers`` names the first ones of them. `nil` for other notices.
    var count: Int? {
        if case .found(let list, _) = self { list.all.count } else { nil }
    }

    /// The names of the approvers that it is about.
    var approvers: [String] {
        switch self {
        case .found(let list, _): list.all.prefix(64).map(\.name)
        case .progress(_, let approver), .code(_, let approver): [approver.name]
        case .ended(.granted(let granted)): [granted.approver.shown]
        case .codeIsOver, .ended: []
        }
    }

    private static func words(for progress: NearbyProgress, of name: String) -> String? {
        switch progress {
        case .asking: "Look at ‘\(name)’."
        case .busy: "‘\(name)’ is busy and will be asked again. The code above still works."
        case .waiting(let place): "Another screen is first at ‘\(name)’; this one is number \(place + 1)."
        case .missed(let left):
            switch (left > 0, Terminal.givesInput) {
            case (true, true): "That did not work. Press Enter for another code."
            case (true, false): "That did not work. Another code follows."
            case (false, _): "That did not work."
            }
        case .askedForDecision: "Approve on ‘\(name)’."
        case .ended(.left): nil
        case .ended(let failure): "\(words(for: failure, of: "‘\(name)’")) The code above still works."
        }
    }

    private static func words(for failure: NearbyFailure, of name: String) -> String {
        switch failure {
        case .gone(said: let reason?), .refused(let reason), .turnedAway(let reason): words(for: reason, of: name)
        case .gone(said: nil), .left: "\(name) has gone."
        case .unreachable: "\(name) can't be reached."
        case .anotherCodeIsShown: "\(name) wants its digits too; type its number to use it instead."
        case .timedOut: "\(name) has not answered."
        case .notAuthentic: "\(name) could not prove its identity."
        case .brokeProtocol: "\(name) violates the protocol."
        }
    }

    /// The words for a reason that an approver gave: it is not authenticated, so they claim no more than a hint.
    private static func words(for reason: EndReason, of name: String) -> String {
        switch reason {
        case .windowClosed: "\(name) accepts only remembered screens now; its owner can change that there."
        case .notNow: "\(name) says: not now."
        case .busy: "\(name) has too many requests."
        case .version: "\(name) needs another version of this."
        case .timedOut: "\(name) has not answered."
        case .missesUsedUp: "\(name) takes no more digits now."
        case .issuerUnknown: "\(name) is not signed in at this server."
        case .serverRefused, .grantTooLarge: "\(name) can't approve this."
        case .declined, .answeredElsewhere: "\(name) has gone."
        case .brokeProtocol: "\(name) does not understand this screen."
        }
    }
}

extension NearbyFailure {
    /// The name in lines of JSON.
    fileprivate var word: String {
        switch self {
        case .gone(said: let reason?), .refused(let reason), .turnedAway(let reason): reason.word
        case .gone(said: nil): "gone"
        case .unreachable: "unreachable"
        case .anotherCodeIsShown: "another_code_is_shown"
        case .left: "left"
        case .timedOut: "timed_out"
        case .notAuthentic: "not_authentic"
        case .brokeProtocol: "protocol_error"
        }
    }
}

extension EndReason {
    /// The name in lines of JSON.
    fileprivate var word: String {
        switch self {
        case .declined: "declined"
        case .notNow: "not_now"
        case .busy: "busy"
        case .missesUsedUp: "misses_used_up"
        case .version: "version"
        case .timedOut: "timed_out"
        case .answeredElsewhere: "answered_elsewhere"
        case .issuerUnknown: "issuer_unknown"
        case .grantTooLarge: "grant_too_large"
        case .brokeProtocol: "protocol_error"
        case .windowClosed: "window_closed"
        case .serverRefused: "server_refused"
        }
    }
}
