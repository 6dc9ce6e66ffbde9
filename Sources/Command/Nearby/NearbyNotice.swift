internal import CountersignNearby
internal import CountersignRequester

/// The notices of a screen to its person while it looks for phones nearby.
enum NearbyNotice: Sendable {
    /// The available approvers, and whether the person is asked to choose one.
    case found(NearbyList, asks: Bool)
    /// Any other event.
    case event(NearbyEvent)

    /// The notice in words; `nil` if there is nothing to say.
    var words: String? {
        switch self {
        case .found(let list, let asks): list.words(asking: asks)
        case .event(.progress(.missed(let left), _)) where left > 0 && Terminal.givesInput:
            eventSentence.map { "\($0) Press Enter to see it." }
        // A search that found nothing is no news beside the other ways.
        case .event(.ended(.failed)), .event(.ended(.timedOut)): nil
        case .event: eventSentence
        }
    }

    private var eventSentence: String? {
        if case .event(let event) = self { event.sentence } else { nil }
    }

    /// The name in lines of JSON.
    var state: String {
        switch self {
        case .found, .event(.found): "found"
        case .event(.progress(.asking, _)): "asking"
        case .event(.progress(.busy, _)): "busy"
        case .event(.progress(.waiting, _)): "in_line"
        case .event(.progress(.missed, _)): "missed"
        case .event(.progress(.askedForDecision, _)): "deciding"
        case .event(.progress(.ended, _)): "ended"
        case .event(.code): "code"
        case .event(.codeIsOver): "code_over"
        case .event(.ended(.granted)): "approved"
        case .event(.ended(.declined)): "declined"
        case .event(.ended): "over"
        }
    }

    /// The reason that it ended, in lines of JSON; `nil` if nothing has ended.
    var reason: String? {
        switch self {
        case .event(.progress(.ended(let failure), _)), .event(.ended(.failed(let failure))): failure.word
        case .event(.ended(.missesUsedUp)): "misses_used_up"
        case .event(.ended(.timedOut)): "timed_out"
        case .event(.ended(.stopped)): "stopped"
        case .found, .event: nil
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
        case .event(.progress(_, let approver)), .event(.code(_, let approver)): [approver.name]
        case .event(.ended(.granted(let granted))): [granted.approver.shown]
        case .event: []
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
