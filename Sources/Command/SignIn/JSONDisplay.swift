internal import CountersignNearby
internal import CountersignRequester
internal import Foundation

/// Lines of JSON, one for each event.
struct JSONDisplay: SignInDisplay {
    let showsTokens: Bool

    func show(_ event: SignInEvent) {
        switch event {
        case .discovering: Terminal.sayEvent("discovering")
        case .invitation(let invitation):
            Terminal.sayEvent(
                "invitation",
                [
                    "user_code": invitation.userCode?.rawValue,
                    "verification_uri": invitation.verificationURI.absoluteString,
                    "verification_uri_complete": invitation.verificationURIComplete?.absoluteString,
                    "expires": invitation.deadline,
                ])
        case .invitationHidden: Terminal.sayEvent("invitation_hidden")
        case .codeAccepted: Terminal.sayEvent("code_accepted")
        case .waiting(until: let deadline): Terminal.sayEvent("waiting", ["expires": deadline])
        case .temporaryFailure(let failure, retryingAt: let next):
            Terminal.sayEvent("temporary_failure", ["error": failure.code.rawValue, "retry_at": next])
        case .link(let link): Terminal.sayEvent("link", ["verification_uri_complete": link.absoluteString])
        case .verificationNumber(let number): Terminal.sayEvent("verification_number", ["number": number?.rawValue])
        case .confirming(let question): Terminal.sayEvent("confirming", question.identity.members)
        case .presenting(let kind): Terminal.sayEvent("presenting", ["proof": kind.rawValue])
        case .notAccepted(let kind, let error):
            Terminal.sayEvent(
                "not_accepted", ["proof": kind.rawValue, "error": error.code.rawValue, "message": error.sentence])
        // The terminal's own questions show these.
        case .nearby: break
        case .began(let way): Terminal.sayEvent("began", ["way": way.rawValue])
        case .ended(let way, let error):
            Terminal.sayEvent(
                "ended", ["way": way.rawValue, "error": error.code.rawValue, "message": error.sentence])
        case .opened(let address, in: _): Terminal.sayEvent("browser", ["address": address.absoluteString])
        // These are printed with all their members when the run ends.
        case .signedIn, .failed: break
        }
    }

    func tell(_ notice: NearbyNotice) {
        var code: String?
        if case .event(.code(let shown, _)) = notice { code = shown.revealed }
        Terminal.sayEvent(
            "nearby",
            [
                "state": notice.state, "approvers": notice.approvers, "count": notice.count, "reason": notice.reason,
                "code": code,
            ])
    }

    func pause() {}

    func finish(_ outcome: Result<some SignInResult, SignInError>, savedIn directory: String) {
        switch outcome {
        case .success(let result):
            let members = result.members.merging(["saved_in": directory, "expires": result.expires])
            Terminal.sayEvent("signed_in", showsTokens ? members.merging(result.tokens) : members)
        case .failure(let error):
            Terminal.sayEvent(
                "failed",
                [
                    "error": error.code.rawValue, "message": error.sentence, "provider_error": error.providerCode,
                    "provider_message": error.providerDescription,
                ])
        }
    }
}

extension TemporaryFailure {
    /// The name in lines of JSON: that of the error when it does not pass.
    fileprivate var code: SignInError.Code {
        switch self {
        case .notReachable: .notReachable
        case .notTrusted: .notTrusted
        case .interrupted: SignInError.Code("interrupted")
        case .busy: SignInError.Code("busy")
        case .serverFault: .serverFailure
        }
    }
}
