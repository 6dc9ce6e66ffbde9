internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension WaitingRequest {
    /// The name of the asking side: that of the site, or the client's, with the name that a screen gives itself in
    /// quotation marks; "A browser" at the sign-in page, with its software in the same marks.
    public var askerName: String {
        switch kind {
        case .site(let site): site.name
        case .code, .knownDevice, .app, .nearby: clientName.value + (deviceName.map { " (‘\($0.value)’)" } ?? "")
        case .browser, .passwordReset: "A browser" + (software.map { " (‘\($0.value)’)" } ?? "")
        case .backchannel: clientName.value
        }
    }

    /// The request in English, without the person's step: "Cinema (‘Kitchen TV’) wants to sign you in." Of a program that
    /// will act for the person it has the purpose and the end.
    package var question: String {
        if let service = service?.value {
            return "\(askerName)\(clientName.provenance == .asserted ? " (not verified)" : "") wants to act for "
                + "\(accountName) until \(service.ends.formatted(.iso8601)): ‘\(service.purpose)’."
        }
        return switch kind {
        case .code: "\(askerName) wants to sign you in."
        case .browser: "\(askerName) at the sign-in page wants to be signed in as \(accountName)."
        case .passwordReset: "\(askerName) wants to set a new password for \(accountName)."
        case .nearby, .app:
            "\(askerName)\(clientName.provenance == .asserted ? " (not verified)" : "") wants to be signed in as "
                + "\(accountName)."
        case .knownDevice, .backchannel, .site: "\(askerName) wants you to sign in as \(accountName)."
        }
    }

    /// The request and the person's step in English: "Cinema (‘Kitchen TV’) wants to sign you in. Type the number
    /// that it shows."
    public var sentence: String {
        switch (step, kind) {
        case (.decide, _): question
        case (.matchNumber, _): "\(question) To approve, type the \(VerificationNumber.words)."
        case (.denyOnly(let obstacle), _): "\(question) \(obstacle.sentence) Here you can only deny."
        case (.typeThere, _): "\(question) Type the code there."
        }
    }
}
