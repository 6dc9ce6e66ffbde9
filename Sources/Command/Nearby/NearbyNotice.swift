internal import CountersignNearby
internal import CountersignRequester

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
        case .progress(.missed(let left), _) where left > 0:
            Terminal.givesInput
                ? "That did not work. Press Enter for another code." : "That did not work. Another code follows."
        case .progress(let progress, let approver): NearbyEvent.progress(progress, approver).sentence
        case .code(let code, let approver): NearbyEvent.code(code, approver).sentence
        case .codeIsOver: nil
        // A search that found nothing is no news beside the other ways.
        case .ended(.failed), .ended(.timedOut), .ended(.stopped): nil
        case .ended(let result): NearbyEvent.ended(result).sentence
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
