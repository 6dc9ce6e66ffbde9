internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension SignInStartService {
    /// A parsed request over the back channel.
    struct BackchannelStart: Sendable {
        let person: PersonReference
        let terms: BackchannelTerms
        /// The token for telling the client of the decision; `nil` for a client that polls.
        let notificationToken: ClientNotificationToken?
        /// The code that came with the request; `nil` for none.
        let code: BackchannelUserCode?
    }

    /// A started request over the back channel, as its client sees it.
    struct Started: Sendable {
        let request: AuthenticationRequestID
        /// The time to decide it, in seconds.
        let lifetime: TimeInterval
        /// The number that the person has to type; `nil` for a client that shows none.
        let number: String?
    }

    /// The outcome of starting a request over the back channel.
    enum BackchannelOutcome: StartOutcome {
        case started(Started)
        /// The client gets the error for an unknown person.
        case unknownPerson
        /// The client gets the error for a missing or a wrong code.
        case codeRefused(isMissing: Bool)
        /// Policy does not allow the client to ask.
        case refused(Policy.ViolationError)
    }

    /// Starts a request that only the named person may take.
    ///
    /// A request for an unknown person, or for one who muted the client, is stored like any other and addressed to a
    /// placeholder: the client cannot tell the difference, neither by the answer nor by its timing.
    ///
    /// - Throws: ``RateLimitError``; ``StoreUnavailableError``.
    func start(_ asked: SignInStartRequest, over channel: BackchannelStart) async throws -> BackchannelOutcome {
        let keys = try await keys.current()
        let code: AuthenticationRequestID = mint.secret()
        let id = mint.identifier(SignInRequest.ID.self)
        let nobody = mint.identifier(Subject.self)
        let sealed = try channel.notificationToken.map {
            try NotificationSecrets(code, $0).sealed(for: id, under: keys)
        }
        let number = asked.client.backchannel.showsNumber ? mint.digits(VerificationNumber.length) : nil
        var terms = channel.terms
        terms.number = number.map { NumberToMatch($0, of: id, under: keys) }
        return try await approvals.deciding { [terms] repositories, step in
            try admitting(asked, at: step.now, in: repositories) { start -> BackchannelOutcome in
                let person = try channel.person.find(in: repositories)
                guard person != nil || !asked.client.backchannel.revealsUnknownPeople else { return .unknownPerson }
                let verdict = try verdict(on: channel.code, for: person, of: asked.client, by: keys, in: repositories)
                switch verdict {
                case .missing, .wrong: return .codeRefused(isMissing: verdict == .missing)
                case .mayAsk, .asksNobody: break
                }
                let known = verdict == .mayAsk ? person?.subject : nil
                let new = try request(
                    start,
                    as: id,
                    by: .backchannel(terms),
                    under: code.digest,
                    to: .person(known ?? nobody, orNobody: nobody, isCounted: true, at: nil),
                    at: step.now,
                    in: repositories
                )
                try insert(new, in: repositories)
                let made = new.stored.exchange.request
                try Announcements(repositories).announce(new.stored, by: mint, at: step.now)
                if let sealed {
                    // Due when the time is over, unless the decision comes before.
                    try repositories.clientNotices.keep(
                        ClientNotice(
                            .requestEnded(id),
                            client: asked.client.id,
                            subject: made.addressee ?? nobody,
                            occurred: step.now,
                            due: made.deadline,
                            sealed: sealed
                        )
                    )
                }
                return .started(
                    Started(request: code, lifetime: made.deadline.timeIntervalSince(step.now), number: number)
                )
            }
        }
    }
}
