internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension WaitingRequest {
    /// The request of a screen nearby.
    init(
        _ look: ApproverLook<NearbyLook>,
        _ finding: NearbyFinding,
        at account: ApproverAccount.ID,
        _ digest: AnswerDigest
    ) {
        var facts = Facts(
            kind: .nearby(sameNetwork: .observed(look.details.sameNetwork)),
            address: look.details.address.map { .observed($0) })
        facts.take(look.details.approval, verifying: false)
        self.init(look, facts, at: account, as: .nearby(look, finding), digest)
    }

    /// The request of another app on this device.
    ///
    /// - Parameters:
    ///   - facts: The facts of this device and of the server about the app.
    ///   - isAssured: Whether only the registered app can get the answer.
    ///   - kept: The look for the decision.
    init(
        _ look: ApproverLook<some AppLook>,
        _ facts: AppFacts,
        isAssured: Bool,
        at account: ApproverAccount.ID,
        as kept: Look,
        _ digest: AnswerDigest
    ) {
        var shown = look
        if !isAssured {
            shown.client = .asserted(look.client.value)
            shown.clientName = .asserted(look.clientName.value)
        }
        var all = Facts(kind: .app(facts))
        all.deviceName = look.details.deviceName.map { .asserted($0) }
        self.init(shown, all, at: account, as: kept, digest)
    }

    /// A request in the inbox of a device.
    ///
    /// - Parameter verifiesUser: Whether an approval will state that the device verified the person.
    init(
        _ look: ApproverLook<InboxLook>,
        verifying verifiesUser: Bool,
        at account: ApproverAccount.ID,
        _ digest: AnswerDigest
    ) {
        let details = look.details
        let kind = Kind(details)
        var facts = Facts(kind: kind)
        if details.kind == .oneTimePassword {
            facts.step = .typeThere(details.pin ?? "")
        } else {
            if details.numberDigits != nil { facts.step = .matchNumber }
            facts.take(details.approval, verifying: verifiesUser)
        }
        facts.deviceName = details.deviceName.map { .asserted($0) }
        facts.software = details.software.map { .asserted($0) }
        facts.message = details.message.map { .asserted($0) }
        facts.address = details.address.map { kind.isNamedByClient ? .asserted($0) : .observed($0) }
        facts.placeName = details.place?.name
        self.init(look, facts, at: account, as: .inbox(look), digest)
    }

    /// The facts that not every request has.
    private struct Facts {
        var kind: Kind
        var step = Step.decide
        var deviceName: Fact<String>?
        var software: Fact<String>?
        var message: Fact<String>?
        var address: Fact<String>?
        var placeName: String?
        var sessionTerms: [SessionTerm] = []
        var sessionLimit: Date?
        var isRemembered = false

        init(kind: Kind, address: Fact<String>? = nil) {
            self.kind = kind
            self.address = address
        }

        /// Takes in the conditions for an approval of the device.
        mutating func take(_ conditions: ApprovalConditions?, verifying verifiesUser: Bool) {
            guard let conditions else { return }
            sessionTerms = conditions.sessionTerms
            sessionLimit = conditions.sessionLimit.map(Date.init(named:))
            isRemembered = conditions.isRemembered
            if let obstacle = conditions.obstacle, !(conditions.isVerificationEnough && verifiesUser) {
                step = .denyOnly(obstacle)
            }
        }
    }

    private init(
        _ shown: ApproverLook<some LookDetails>,
        _ facts: Facts,
        at account: ApproverAccount.ID,
        as look: Look,
        _ digest: AnswerDigest
    ) {
        id = shown.exchange
        kind = facts.kind
        step = facts.step
        self.account = account
        accountName = shown.accountName
        client = shown.client
        clientName = shown.clientName
        deviceName = facts.deviceName
        software = facts.software
        message = facts.message
        address = facts.address
        placeName = facts.placeName
        scope = .verified(shown.scope)
        let service = shown.service?.service
        self.service = service.map { .asserted($0) }
        sessionTerms = facts.sessionTerms
        sessionLimit = facts.sessionLimit
        isRemembered = facts.isRemembered
        asked = .observed(Date(named: shown.asked))
        deadline = Date(named: shown.expires)
        self.look = look
        self.digest = digest
        // The look at a request of this device has no conditions.
        if let service, sessionTerms.isEmpty {
            sessionTerms = SessionTerm.all(until: service.ends, at: Date(named: shown.serverTime))
        }
    }
}

extension WaitingRequest.Kind {
    /// The way of a request in the inbox. A server that does not say it has the two that name the person.
    fileprivate init(_ look: InboxLook) {
        if let site = look.environment {
            self = .site(site)
        } else {
            switch look.channel {
            case .deviceCode?: self = .code
            case .browserSession?: self = .browser
            case .passwordReset?: self = .passwordReset
            case .singleSignOn?: self = .knownDevice
            case .backchannel?, .customerSite?, nil: self = .backchannel
            }
        }
    }

    /// Whether the client named the person, and says itself from where they sign in.
    fileprivate var isNamedByClient: Bool {
        switch self {
        case .backchannel, .site: true
        case .nearby, .app, .code, .browser, .passwordReset, .knownDevice: false
        }
    }
}
