internal import CountersignRequester

/// Says on standard error that a person is asked on their devices: standard output belongs to a protocol.
struct StandardErrorDisplay: SignInDisplay {
    func show(_ event: SignInEvent) {
        switch event {
        case .began(.push), .verificationNumber, .temporaryFailure:
            if let sentence = event.sentence { Terminal.prompt("countersign: \(sentence)\n") }
        case .discovering, .presenting, .notAccepted, .began, .opened, .nearby, .ended, .invitation, .invitationHidden,
            .codeAccepted, .waiting, .link, .confirming, .signedIn, .failed:
            break
        }
    }

    func tell(_ notice: NearbyNotice) {}
    func pause() {}
    func finish(_ outcome: Result<some SignInResult, SignInError>, savedIn directory: String) {}
}
