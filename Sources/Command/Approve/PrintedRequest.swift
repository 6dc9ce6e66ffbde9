internal import Countersign
internal import CountersignApprover
internal import CountersignWire
internal import Foundation

/// A request for output, with the same members whichever way it came.
struct PrintedRequest {
    private let request: WaitingRequest
    /// The name that a screen nearby claims for itself over the link; `nil` for the one that the server tells.
    private let screenName: String?
    /// The time of the sign-in that the person chose with the command; `nil` for none.
    private let session: SessionTerm?
    /// The server of the request.
    private let issuer: Issuer

    init(
        _ request: WaitingRequest,
        at issuer: Issuer,
        callingItself screenName: String? = nil,
        choosing session: SessionTerm?
    ) {
        self.request = request
        self.issuer = issuer
        self.screenName = screenName
        self.session = session
    }

    /// The identifier, by which the request is answered.
    var id: String { request.id.rawValue }

    private var screen: String? { screenName ?? request.deviceName?.value }

    /// The request in JSON.
    var members: OutputMembers {
        [
            "id": id, "kind": request.kind.word, "step": request.step.word, "account": request.accountName,
            "client": request.client.value.rawValue, "name": request.clientName.value,
            "verified": request.clientName.provenance == .verified, "site": site, "screen": screen,
            "message": request.message?.value, "address": request.address?.value, "place": request.placeName,
            "scope": request.scope.value.description, "acts_for": request.service?.value.purpose,
            "acts_until": request.service?.value.ends, "asked": request.asked.value, "expires": request.deadline,
            "digits": request.takesNumber ? VerificationNumber.length : nil, "code": request.passcode,
            "software": request.software?.value, "obstacle": request.obstacle?.rawValue,
            "session": request.sessionTerm(choosing: session)?.rawValue,
            "session_terms": request.sessionTerms.isEmpty ? nil : request.sessionTerms.map(\.rawValue),
            "remembered": request.isRemembered ? true : nil,
        ]
    }

    private var site: String? {
        if case .site(let site) = request.kind { site.name } else { nil }
    }

    /// The request in lines for a person: who asks for what, from where, and the number to type.
    var lines: [String] {
        var lines = [request.question, "  id:     \(id)"]
        if let message = request.message { lines.append("  about:  \(message.value)") }
        if let screen { lines.append("  screen: \(screen) (as it calls itself)") }
        if let service = request.service?.value {
            lines.append("  acts:   for \(service.purpose), until \(service.ends.formatted(.iso8601)) (as it says)")
        }
        if isBrowser, let software = request.software {
            lines.append("  with:   \(software.value) (as it calls itself)")
        }
        lines.append("  for:    \(purpose)")
        let origin = [request.address?.value, request.placeName].compactMap(\.self).joined(separator: ", ")
        if !origin.isEmpty { lines.append("  from:   \(origin)") }
        lines.append("  asked:  \(request.asked.value.formatted(.iso8601))")
        lines.append("  until:  \(request.deadline.formatted(.iso8601))")
        if let code = request.passcode { lines.append("  code:   \(code) (type it at the other screen)") }
        if request.step == .matchNumber {
            lines.append("  number: to approve, type the \(VerificationNumber.words)")
        } else if request.takesNumber {
            lines.append("  number: not needed, because the screen is nearby; one that you type is checked")
        }
        if let obstacle = request.obstacle {
            lines.append("  note:   \(obstacle.sentence) Here you can only deny.")
            if let remedy = obstacle.remedy(at: issuer) { lines.append("  next:   \(remedy)") }
        } else if let stay {
            lines.append("  stay:   \(stay)")
        }
        return lines.map(\.shown)
    }

    /// Whether a browser at a page of the server asks.
    private var isBrowser: Bool { request.kind == .browser || request.kind == .passwordReset }

    /// The requested scope; in words for a browser, which asks for something else.
    private var purpose: String {
        switch request.kind {
        case .browser: "using this server as you: your account, approvals, and sign-ins to apps"
        case .passwordReset: "a new password; your browsers are then signed out"
        case .nearby, .app, .code, .knownDevice, .backchannel, .site: "\(request.scope.value)"
        }
    }

    /// The time of the sign-in, and the choice; `nil` for a request without one.
    private var stay: String? {
        guard let sentence = request.sessionSentence(choosing: session) else { return nil }
        guard !request.sessionTerms.isEmpty else { return sentence }
        return "\(sentence) (--session: \(request.sessionTerms.map(\.rawValue).joined(separator: ", ")))"
    }
}

extension WaitingRequest {
    /// The one-time password that the person types at the other screen; `nil` for a request to approve.
    var passcode: String? {
        if case .typeThere(let passcode) = step { passcode } else { nil }
    }

    /// The demand because of which the person can only deny here; `nil` where they can approve.
    var obstacle: ApprovalObstacle? {
        if case .denyOnly(let obstacle) = step { obstacle } else { nil }
    }
}

extension WaitingRequest.Kind {
    /// The name in lines of JSON.
    fileprivate var word: String {
        switch self {
        case .nearby: "nearby"
        case .app: "app"
        case .code: "code"
        case .browser: "browser"
        case .passwordReset: "password_reset"
        case .knownDevice: "known_device"
        case .backchannel: "backchannel"
        case .site: "site"
        }
    }
}

extension WaitingRequest.Step {
    /// The name in lines of JSON.
    fileprivate var word: String {
        switch self {
        case .decide: "decide"
        case .matchNumber: "match_number"
        case .denyOnly: "deny_only"
        case .typeThere: "type_there"
        }
    }
}
