internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension SignInStartService {
    /// A parsed request of a site.
    struct CustomerSiteStart: Sendable {
        let environment: AuthenticatedCustomerSite
        let kind: AuthenticationRequest.Kind
        /// The telephone number of the person who is asked.
        let number: PhoneNumber
        let opening: AuthenticationRequestOpening
        /// The network address of the site's server.
        let address: String?
        /// Whether devices of the older dialect are answered at all.
        let takesLegacyDevices: Bool
        /// The server, whose pages texts name.
        let issuer: Issuer
        /// The language of texts to people whose devices name none.
        let language: PageLanguage
    }

    /// The outcome of starting a request of a site.
    enum CustomerSiteOutcome: StartOutcome {
        case started(SignInExchangeRecord, CustomerSiteStartDetails)
        /// Policy does not allow the site to ask.
        case refused(Policy.ViolationError)
    }

    /// The details of a started request that the site is told once.
    struct CustomerSiteStartDetails: Sendable {
        /// The number to show; `nil` for one-time passwords.
        let number: String?
        /// Whether the person can add their device by a QR code.
        let isInviting: Bool
    }

    /// The number of digits of a one-time password.
    static let passwordLength = 5
    /// The minimum time to add a device by the QR code of a request, in seconds.
    private static let invitationLifetime: TimeInterval = 300

    /// Starts a request that only the owner of a telephone number may take.
    ///
    /// An unregistered number is handled like a person who does not respond: the request is addressed to a placeholder
    /// subject derived from the number. So is a request to a person who must not be asked.
    ///
    /// - Throws: ``RateLimitError``; ``StoreUnavailableError``.
    func start(_ asked: CustomerSiteStart) async throws -> CustomerSiteOutcome {
        let keys = try await keys.current()
        let id = mint.identifier(SignInRequest.ID.self)
        let drawn = RequestCodes(
            code: mint.secret(DeviceCode.self).digest,
            digits: mint.digits(asked.kind == .instant ? VerificationNumber.length : Self.passwordLength),
            secret: mint.secret()
        )
        return try await approvals.deciding { repositories, step in
            try start(asked, as: id, drawn, under: keys, in: repositories, by: step)
        }
    }

    /// The codes that are drawn for a request before the change that stores it.
    private struct RequestCodes: Sendable {
        let code: SecretDigest
        /// The number of a request to approve, or the one-time password.
        let digits: String
        /// The secret that a device of the older dialect is to share with the site.
        let secret: CustomerSiteSecret
    }

    private func start(
        _ asked: CustomerSiteStart,
        as id: SignInRequest.ID,
        _ drawn: RequestCodes,
        under keys: Keys,
        in repositories: any Repositories,
        by step: ApprovalService.Step
    ) throws -> CustomerSiteOutcome {
        let environment = asked.environment.environment
        let nobody = keys.nobody(with: asked.number)
        return try admitting(asked.request, at: step.now, in: repositories) { start -> CustomerSiteOutcome in
            let known = try People(repositories).owner(of: asked.number)
            let subject = known ?? nobody
            // One question at a time for a site, a number and a visitor's network: a person who is asked twice would
            // answer the wrong one. Other questions wait for their turn; refusing one to another number of the person
            // would reveal that both numbers are theirs.
            let isBusy =
                try asked.kind == .instant
                && [subject, nobody].contains {
                    try hasOpenQuestion(
                        of: environment.id, to: nobody, as: $0, for: asked.opening.address, at: step.now,
                        in: repositories)
                }
            let budget = MessageBudget(limits: limits)
            let deliveries = RequestDeliveries(
                repositories: repositories, budget: budget, mint: mint, keys: keys, issuer: asked.issuer,
                language: asked.language, now: step.now)
            // Unregistered numbers are limited too, so a refusal does not reveal whether a number is registered.
            let isTextRefused =
                try asked.opening.messageType == .sms && !isBusy
                && !budget.maySend(
                    to: asked.number, of: subject, for: asked.opening.address, by: environment, in: repositories)
            let hasFailed = isBusy || isTextRefused
            let reach = try reach(of: subject, for: asked, at: step.now, in: repositories)
            var terms = try terms(asked, of: id, drawn.digits, under: keys)
            var new = try request(
                start,
                as: id,
                by: .customerSite(terms),
                under: drawn.code,
                to: .person(subject, orNobody: nobody, isCounted: !hasFailed, at: asked.opening.address),
                at: step.now,
                in: repositories
            )
            let isAsked = known != nil && !new.isMuted
            if isAsked, asked.opening.messageType == .automatic {
                terms.phoneNumber = asked.number
                new.stored.method = .customerSite(terms)
            }
            if hasFailed { _ = new.stored.noteUndeliverable() }
            try insert(new, in: repositories)
            let stored = new.stored
            try deliveries.announce(stored, to: environment)
            if stored.status(at: step.now) == .open, isAsked {
                try deliveries.tell(
                    of: stored,
                    by: environment,
                    at: asked.number,
                    password: asked.kind == .oneTimePassword ? drawn.digits : nil,
                    takesLegacyDevices: asked.takesLegacyDevices
                )
            }
            if !reach.isEnrolled { try invite(subject, by: stored, reach, drawn.secret, under: keys, in: repositories) }
            return .started(
                stored,
                CustomerSiteStartDetails(
                    number: asked.kind == .instant ? drawn.digits : nil, isInviting: !reach.isEnrolled))
        }
    }

    private func terms(
        _ asked: CustomerSiteStart,
        of id: SignInRequest.ID,
        _ digits: String,
        under keys: Keys
    ) throws -> CustomerSiteTerms {
        var terms = CustomerSiteTerms(
            try asked.kind == .instant
                ? .number(NumberToMatch(digits, of: id, under: keys))
                : .password(RequestPassword(digits, of: id, under: keys)),
            environment: asked.environment.environment.id,
            secret: asked.environment.secret,
            messageType: asked.opening.messageType,
            askedNumber: keys.nobody(with: asked.number)
        )
        terms.message = asked.opening.text
        terms.address = asked.opening.address
        terms.place = asked.opening.place
        return terms
    }

    /// The ways to reach a person for a site.
    private struct Reach {
        /// Whether a device of theirs is enrolled at the site, and all devices with a key of their own are: a lost
        /// device must not keep the others out.
        let isEnrolled: Bool
        /// Whether all their devices are of the older dialect.
        let isLegacyOnly: Bool
    }

    private func reach(
        of subject: Subject,
        for asked: CustomerSiteStart,
        at now: Date,
        in repositories: any Repositories
    ) throws -> Reach {
        let id = asked.environment.environment.id
        let takesLegacy = asked.takesLegacyDevices && asked.environment.environment.allowsLegacyDevices
        let devices = try repositories.devices.all(of: subject).filter { device in
            switch device.dialect {
            case .signed: try EnrolledDevices(repositories).hasLiveSignIn(device, at: now)
            case .shared: takesLegacy && device.status == .verified
            }
        }
        // A device with another number does not count: it would reveal that both numbers belong to one person.
        let reached = devices.filter { $0.phoneNumber == nil || $0.phoneNumber == asked.number }
        let missing = try reached.filter { try repositories.devices.enrollment(of: $0.id, in: id) == nil }
        return Reach(
            isEnrolled: missing.count < reached.count && missing.allSatisfy { $0.dialect == .shared },
            isLegacyOnly: !devices.isEmpty && devices.allSatisfy { $0.dialect == .shared }
        )
    }

    /// Makes the ticket in the QR code of a request, for a device of the person that is signed in, or that proved their
    /// number. It proves nothing, and so signs nobody in.
    private func invite(
        _ subject: Subject,
        by stored: SignInExchangeRecord,
        _ reach: Reach,
        _ secret: CustomerSiteSecret,
        under keys: Keys,
        in repositories: any Repositories
    ) throws {
        guard let environment = stored.method.environment else { return }
        let request = stored.exchange.request
        let sealed =
            reach.isLegacyOnly
            ? try keys.seal.sealed(
                Array(secret.revealed.utf8), for: .secret(offeredTo: subject, by: environment)) : nil
        try repositories.enrollmentTickets.insert(
            EnrollmentTicketRecord(
                digest: keys.ticket(of: request.id).digest,
                subject: subject,
                environment: environment,
                sealedSecret: sealed,
                made: request.asked.value,
                expires: max(request.deadline, request.asked.value + Self.invitationLifetime)
            )
        )
    }

    /// Whether a site waits for an approval by the owner of a number right now.
    ///
    /// - Parameters:
    ///   - number: The subject that stands for the number.
    ///   - subject: The addressee of the request: the owner, or the subject that stands for the number.
    ///   - address: The address of its visitor, as the site says it; `nil` when it does not say.
    private func hasOpenQuestion(
        of environment: CustomerSiteID,
        to number: Subject,
        as subject: Subject,
        for address: String?,
        at now: Date,
        in repositories: any Repositories
    ) throws -> Bool {
        try repositories.exchanges.waiting(for: subject, at: now).contains { stored in
            guard case .customerSite(let terms) = stored.method else { return false }
            return terms.environment == environment && terms.askedNumber == number
                && terms.kind == .instant && stored.status(at: now) == .open
                && CountedAddress.text(of: terms.address) == CountedAddress.text(of: address)
        }
    }
}

extension SignInStartService.CustomerSiteStart {
    /// The sign-in request, in the form that all ways share.
    fileprivate var request: SignInStartRequest {
        var request = SignInStartRequest(
            client: environment.client,
            provenance: .verified,
            scope: environment.client.scope,
            address: address,
            software: nil
        )
        request.screen = .named(opening.address)
        request.lifetime = TimeInterval(opening.expiry)
        return request
    }
}

extension Keys {
    /// The placeholder subject of a number: it belongs to no person, and is always the same for the number.
    func nobody(with number: PhoneNumber) -> Subject {
        Subject("nobody-\(authenticationCode(for: number.text, use: "number of nobody"))")
    }

    /// The ticket that the QR code of a request shows. It follows from the request's identifier, so that opening the
    /// page stores nothing.
    func ticket(of request: SignInRequest.ID) -> EnrollmentTicket {
        EnrollmentTicket(revealing: authenticationCode(for: request.rawValue, use: "ticket of a request"))
    }
}
