internal import Countersign
internal import CountersignWire
internal import Foundation

extension SignInStartService {
    /// A request over the back channel, as its endpoint has read it.
    struct BackchannelStart: Sendable {
        let person: NamedPerson
        let terms: BackchannelTerms
        /// By which the client is told of the decision; `nil` for a client that polls.
        let notificationToken: ClientNotificationToken?
    }

    /// What became of a request over the back channel.
    enum BackchannelOutcome: Sendable {
        case started(AuthenticationRequestID, lifetime: TimeInterval)
        /// The client learns that nobody is known by the name.
        case unknownPerson
        /// Policy does not allow the client to ask.
        case refused(Policy.Refusal)
    }

    /// Starts a request that only the person may take whom the client names.
    ///
    /// A request for a person who is not known, or who was named more often than they are to be asked, is stored like any
    /// other and addressed to nobody: the client cannot tell the difference, by the answer or by the time that it takes.
    ///
    /// - Throws: ``LimitReached``; ``StoreUnavailable``.
    func start(_ asked: SignInStartRequest, over channel: BackchannelStart) async throws -> BackchannelOutcome {
        let keys = try await keys.current()
        let code: AuthenticationRequestID = mint.secret()
        let id = mint.identifier(SignInRequest.ID.self)
        let nobody = mint.identifier(Subject.self)
        let sealed = try channel.notificationToken.map {
            try NotificationSecrets(code, $0).sealed(for: id, under: keys)
        }
        return try await approvals.deciding { repositories, step in
            if let refusal = try refusal(of: asked.client.id, in: repositories) { return .refused(refusal) }
            let known = try channel.person.find(in: repositories)
            guard known != nil || !asked.client.backchannel.revealsUnknownPeople else { return .unknownPerson }
            try limits.admitAndCount(Self.rateKeys(asked.client.id, from: asked.address), in: repositories)
            let isAsked = try admits(known ?? nobody, in: repositories)
            let request = asked.request(
                id: id,
                addressedTo: isAsked ? known ?? nobody : nobody,
                at: step.now
            )
            try repositories.exchanges.insert(
                SignInExchangeRecord(
                    exchange: SignInExchange(request: request),
                    deviceCode: code.digest,
                    userCode: unusedCode(),
                    interval: Self.interval,
                    backchannel: channel.terms
                )
            )
            if let sealed {
                // Due when the time is over, unless the decision comes before.
                try repositories.clientNotices.keep(
                    ClientNotice(
                        .requestEnded(id),
                        client: asked.client.id,
                        subject: request.addressee ?? nobody,
                        occurred: step.now,
                        due: request.deadline,
                        sealed: sealed
                    )
                )
            }
            return .started(code, lifetime: request.deadline.timeIntervalSince(step.now))
        }
    }

    /// Counts a request for a person, and returns whether they are to be asked: nobody may flood them with questions.
    private func admits(_ subject: Subject, in repositories: any Repositories) throws -> Bool {
        do {
            try limits.admitAndCount([.subject(.backchannelPerAccount, subject)], in: repositories)
            return true
        } catch is LimitReached {
            return false
        }
    }
}
