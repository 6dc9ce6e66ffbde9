internal import CountersignNearby
internal import Foundation

/// What a screen that looks for phones nearby tells its person.
enum NearbyNotice: Sendable {
    /// Those that are there, and whether the person is asked which one is meant.
    case found([NearbyApprover], asks: Bool)
    case news(NearbyNews, NearbyApprover)
    /// The digits to type at a phone.
    case code(LinkCode, NearbyApprover)
    case codeIsOver
    case ended(NearbyResult)

    /// The notice in words; `nil` where there is nothing to say.
    var words: String? {
        switch self {
        case .found(let approvers, _) where approvers.isEmpty: nil
        case .found(let approvers, asks: false):
            "Nearby: \(approvers.map { $0.shown }.joined(separator: ", "))."
        case .found(let approvers, asks: true):
            "Type the number of the one to ask: \(Self.numbered(approvers))."
        case .news(let news, let approver): Self.words(for: news, of: approver.shown)
        case .code(let code, let approver): "Type \(code.shown) in the app on ‘\(approver.shown)’."
        case .codeIsOver: nil
        case .ended(.declined(let name)): "\(name?.shown ?? "The phone") said no."
        case .ended(.missesUsedUp): "Too many codes went wrong nearby. The code above still works."
        case .ended(.granted(let granted)):
            "\(granted.approver.shown) has approved.\(granted.isRemembered ? " It is remembered." : "")"
        case .ended: nil
        }
    }

    /// What it is called in lines of JSON.
    var state: String {
        switch self {
        case .found: "found"
        case .news(.asking, _): "asking"
        case .news(.waiting, _): "in_line"
        case .news(.missed, _): "missed"
        case .news(.askedForDecision, _): "deciding"
        case .news(.ended, _): "ended"
        case .code: "code"
        case .codeIsOver: "code_over"
        case .ended(.granted): "approved"
        case .ended(.declined): "declined"
        case .ended: "over"
        }
    }

    /// Whom it is about.
    var approvers: [String] {
        switch self {
        case .found(let approvers, _): approvers.map(\.name)
        case .news(_, let approver), .code(_, let approver): [approver.name]
        case .ended(.granted(let granted)): [granted.approver.shown]
        case .codeIsOver, .ended: []
        }
    }

    private static func numbered(_ approvers: [NearbyApprover]) -> String {
        approvers.enumerated().map { "\($0.offset + 1) \($0.element.shown)" }.joined(separator: ", ")
    }

    private static func words(for news: NearbyNews, of name: String) -> String? {
        switch news {
        case .asking: "Look at ‘\(name)’."
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
        case .turnedAway(.windowClosed), .gone(said: .windowClosed), .refused(.windowClosed):
            "\(name) hears only screens that it remembers now; its owner can change that there."
        case .turnedAway(.notNow), .gone(said: .notNow), .refused(.notNow): "\(name) says: not now."
        case .turnedAway(.busy), .gone(said: .busy), .refused(.busy): "\(name) was asked too much."
        case .turnedAway(.version), .gone(said: .version), .refused(.version): "\(name) needs another version of this."
        case .refused(.answeredElsewhere), .gone, .left: "\(name) has gone."
        case .turnedAway: "\(name) takes nobody now."
        case .refused: "\(name) can't approve this."
        case .unreachable: "\(name) can't be reached."
        case .timedOut: "\(name) has not answered."
        case .notAuthentic: "What answers as \(name) is not what it says it is."
        case .brokeProtocol: "\(name) does not speak as it should."
        }
    }
}
