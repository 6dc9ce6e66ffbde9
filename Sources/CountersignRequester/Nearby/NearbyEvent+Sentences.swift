internal import CountersignNearby

extension NearbyEvent {
    /// The event in a sentence for the person at the screen: what to do next; `nil` where there is nothing to say.
    public var sentence: String? {
        switch self {
        case .found(let approvers):
            switch approvers.count {
            case 0: "No phone is found nearby. Open its app, or use another way."
            case 1: "Found ‘\(approvers[0].shown)’ nearby."
            default: "Found \(approvers.count) phones nearby. Choose yours."
            }
        case .code(let code, let approver): "Type \(code.shown) in the app on ‘\(approver.shown)’."
        case .codeIsOver: nil
        case .progress(let progress, let approver): Self.sentence(for: progress, of: "‘\(approver.shown)’")
        case .ended(.granted(let granted)):
            "\(granted.approver.shown) has approved.\(granted.isPaired ? " The two are paired now." : "")"
        case .ended(.declined(let name)): "\(name?.shown ?? "The phone") said no. If that was a mistake, try again."
        case .ended(.missesUsedUp): "Too many codes went wrong nearby. Use another way, or start again."
        case .ended(.failed(let failure)): Self.sentence(for: failure, of: "The phone")
        case .ended(.timedOut): "No phone nearby has answered. Use another way, or start again."
        case .ended(.stopped): nil
        }
    }

    private static func sentence(for progress: NearbyProgress, of name: String) -> String? {
        switch progress {
        case .asking: "Look at \(name)."
        case .busy: "\(name) is busy and will be asked again. You can use another way meanwhile."
        case .waiting(let place):
            "Another screen is first at \(name); this one is number \(place + 1). Wait, or use another way."
        case .missed(let left):
            left > 0 ? "That did not work. Type the next code." : "That did not work. Use another way."
        case .askedForDecision: "Approve on \(name)."
        case .ended(.left): nil
        case .ended(let failure): sentence(for: failure, of: name)
        }
    }

    private static func sentence(for failure: NearbyFailure, of name: String) -> String {
        switch failure {
        case .gone(said: let reason?), .refused(let reason), .turnedAway(let reason): sentence(for: reason, of: name)
        case .gone(said: nil), .left: "\(name) has gone. Use another way, or open its app again."
        case .unreachable: "\(name) can't be reached. Check that both are in the same network, or use another way."
        case .anotherCodeIsShown: "\(name) wants a code too. Choose it to use it instead."
        case .timedOut: "\(name) has not answered. Open its app, or use another way."
        case .notAuthentic: "\(name) could not prove its identity. Use another way."
        case .brokeProtocol: "\(name) does not understand this screen. Use another way."
        }
    }

    /// The sentence for a reason that an approver gave: it is not authenticated, so it claims no more than a hint.
    private static func sentence(for reason: EndReason, of name: String) -> String {
        switch reason {
        case .windowClosed: "\(name) accepts only paired screens now. Change that there, or use another way."
        case .notNow: "\(name) says: not now. Try again later, or use another way."
        case .busy: "\(name) has too many requests. Use another way."
        case .version: "\(name) needs another version of this app. Use another way."
        case .timedOut: "\(name) has not answered. Open its app, or use another way."
        case .missesUsedUp: "\(name) takes no more codes now. Use another way."
        case .issuerUnknown: "\(name) is not signed in at this server. Sign in there, or use another way."
        case .serverRefused, .grantTooLarge: "\(name) can't approve this. Use another way."
        case .declined, .answeredElsewhere: "\(name) has gone. Use another way, or open its app again."
        case .brokeProtocol: "\(name) does not understand this screen. Use another way."
        }
    }
}
