internal import CoreMetrics
internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Takes and decides requests for sign-in, for every entry point.
///
/// Each entry point (endpoint or page) parses the request, authenticates the sender, and calls ``deciding(_:)``. In the
/// closure it looks up the request and calls ``Step/take(_:by:proving:from:checking:)`` or ``Step/decide(_:)``, which
/// are the only places that take a request, check the delay of a page, ask policy at the decision, make a grant, and
/// record the answer with its audit entry. ``bar(_:at:in:)`` undoes an approval whose person may not sign in when the
/// grant is redeemed.
struct ApprovalService: Sendable {
    let store: any Store
    let keys: KeyRing
    let mint: CodeMint
    let policy: Policy
    let clock: TimeSource
    let metrics: ServerMetrics
    /// Compares the address of a person with that of the screen.
    let addresses: ClientAddressResolver
    /// Learns of texts that were answered.
    let budget: MessageBudget
    /// Called for every request that a person reports, with the client that asked.
    var reported: @Sendable (ClientID) -> Void = { _ in }

    /// Runs `body` as one change of the store, and counts what was decided in it once it is durable.
    ///
    /// - Throws: what `body` throws, and then nothing was changed; ``StoreUnavailable``.
    func deciding<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories, Step) throws -> Value
    ) async throws -> Value {
        let now = clock.now()
        let keys = try await keys.current()
        let (value, decided, reports) = try await store.change { [mint, policy, addresses, budget] repositories in
            let step = Step(
                repositories: repositories,
                keys: keys,
                mint: mint,
                policy: policy,
                addresses: addresses,
                budget: budget,
                now: now
            )
            return (try body(repositories, step), step.decided, step.reports)
        }
        for answer in decided {
            switch answer {
            case .approve: metrics.approved.increment()
            case .deny: metrics.denied.increment()
            }
        }
        for client in reports {
            metrics.reported.increment()
            reported(client)
        }
        return value
    }
}

extension ApprovalService {
    /// Takes and decides requests inside one change of the store.
    final class Step {
        /// The time of the change.
        let now: Date
        private let repositories: any Repositories
        private let keys: Keys
        private let mint: CodeMint
        private let policy: Policy
        private let addresses: ClientAddressResolver
        private let budget: MessageBudget
        /// The answers that were recorded so far.
        fileprivate private(set) var decided: [ProposedDecision.Answer] = []
        /// The clients whose requests were reported.
        fileprivate private(set) var reports: [ClientID] = []

        fileprivate init(
            repositories: any Repositories,
            keys: Keys,
            mint: CodeMint,
            policy: Policy,
            addresses: ClientAddressResolver,
            budget: MessageBudget,
            now: Date
        ) {
            self.budget = budget
            self.addresses = addresses
            self.repositories = repositories
            self.keys = keys
            self.mint = mint
            self.policy = policy
            self.now = now
        }

        // MARK: Taking

        /// Binds a request to the person at a browser who is going to decide it.
        ///
        /// A person who came by a link from another network than the screen's has to type the number that the screen
        /// shows from now on; where it can show none, the request is not taken.
        ///
        /// - Parameters:
        ///   - evidence: The proofs that the person gave by finding the request.
        ///   - address: The network address of the person who takes the request.
        ///   - check: Runs when the request can be taken, before that is written; its errors are rethrown.
        /// - Throws: ``SessionEnded`` when the browser session of the person does not hold any more.
        func take(
            _ stored: SignInExchangeRecord,
            by visitor: SignedInVisitor,
            proving evidence: Evidence,
            from address: String?,
            checking check: () throws -> Void
        ) throws -> TakingOutcome {
            try repositories.liveSession(visitor.session, at: now)
            let approver = visitor.session.approver
            var stored = stored
            let isHeld = stored.exchange.taking(at: now)?.approver == approver
            do throws(TakingRefused) {
                try stored.exchange.take(by: approver, proving: evidence, at: now)
            } catch {
                return .refused(error)
            }
            let proved = stored.exchange.taking(at: now)?.evidence ?? evidence
            let demand = try linkDemand(of: stored, proving: proved, from: address)
            switch demand {
            case .nothing: stored.terms.number = stored.terms.number?.hidden()
            case .number where isHeld && stored.terms.number?.shown != nil: break
            case .number:
                // A new taker gets a new number, so a number cannot be sent along with a link.
                stored.terms.number = NumberToMatch(
                    showing: VerificationNumber(mint.digits(SignInStartService.numberLength)),
                    of: stored.id,
                    under: keys,
                    after: stored.terms.number
                )
            case .code: return .codeWanted
            }
            try check()
            try repositories.noteVisit(of: approver.subject, from: address, at: now)
            try repositories.exchanges.update(stored)
            let detail = [origin(of: stored.exchange.request), stored.terms.audited, demand.audited]
            try audit(
                .taken,
                of: stored,
                by: .person,
                subject: approver.subject,
                from: address,
                detail: detail.compactMap(\.self).joined(separator: ", ")
            )
            return .taken
        }

        /// The extra proof required of a person who came by a link.
        ///
        /// One shared address is no proximity. A browser where the person signed in before is theirs, whoever else has
        /// its address.
        private func linkDemand(
            of stored: SignInExchangeRecord,
            proving evidence: Evidence,
            from address: String?
        ) throws -> LinkDemand {
            let screen = stored.exchange.request.address?.value
            let network =
                evidence.proofs.contains(.knownBrowser)
                ? addresses.sameNetwork(screen, address)
                : try addresses.samePlace(screen, address, in: repositories, at: now)
            return stored.linkDemand(of: evidence, in: network)
        }

        /// The time, the network address and the service of a request, as a phrase.
        private func origin(of request: SignInRequest) -> String {
            let asked = "asked \(request.asked.value.formatted(.iso8601))"
            let from = request.address.map { " from \($0.value)" } ?? ""
            return asked + from + (request.domain.map { ", for \($0.value)" } ?? "")
        }

        // MARK: Deciding

        /// Decides a request: takes it where that is still to be done, checks the delay of a page, asks policy, makes
        /// the grant, and records the answer with its audit entry. Nothing is decided unless the outcome is
        /// ``DecisionOutcome/decided``, or the request is denied as ``DecisionOutcome/unmet`` or with the last of its
        /// wrong digits.
        ///
        /// - Throws: ``SessionEnded`` when the person signed out of the browser since the answer was sent, or their session
        ///   expired.
        func decide(_ proposal: ProposedDecision) throws -> DecisionOutcome {
            var proposed = proposal
            var stored = proposed.stored
            let refusal = try proposed.party.session.flatMap { try lapse(of: $0) }
            guard mayKnow(of: stored.exchange, proposed) else { return .notTaken }
            if let refusal { return .refused(refusal) }
            guard !stored.method.hasFailed else { return .expired }
            guard try isTiedToScreen(proposed) else { return .notTaken }
            guard !isTooEarly(proposed) else { return .tooEarly }
            var isLastMiss = false
            switch digits(of: proposed, in: &stored) {
            case .notAsked: break
            case .matched(let proof): proposed.evidence.add(proof)
            case .missed:
                if proposed.typed != nil { try repositories.exchanges.update(stored) }
                return .wrongDigits(isLast: false)
            case .spent:
                isLastMiss = true
                proposed.answer = .deny
                proposed.note = "the digits were wrong too often"
            }
            if try isBeyondReach(proposed) {
                stored.terms.isUnmet = true
                proposed.answer = .deny
                proposed.note = "the person has no way to authenticate as the client asked for it"
            }
            let evidence: Evidence
            do {
                evidence = try decide(&stored.exchange, proposed)
            } catch TakingRefused.alreadyDecided, DecisionRefused.alreadyDecided {
                return standing(stored.exchange, against: proposed)
            } catch TakingRefused.addressedToAnother {
                return .addressedToAnother
            } catch TakingRefused.expired, DecisionRefused.expired {
                return .expired
            } catch DecisionRefused.notTaken {
                return .notTaken
            } catch let refusal as Policy.Refusal {
                return .refused(refusal)
            }
            switch proposed.requestState {
            case .taken, .open: try repositories.exchanges.update(stored)
            case .new: try repositories.exchanges.insert(stored)
            }
            try tellAskingSide(of: stored)
            let isApproving = proposed.answer == .approve
            let objection = isApproving ? nil : proposed.objection
            let reason = isApproving ? evidence.audited : objection?.reason.map { "reason: \($0)" }
            // The demands are audited when the request is taken, or here if it is taken together with the answer.
            let demanded: String? =
                switch proposed.requestState {
                case .taken: nil
                case .open, .new: stored.terms.demands?.audited
                }
            let details = [reason, proposed.note, demanded].compactMap(\.self)
            try audit(
                isApproving ? .approved : objection?.muteCause == .reported ? .reported : .denied,
                of: stored,
                by: proposed.party.actor,
                subject: proposed.party.approver.subject,
                from: proposed.address,
                detail: details.isEmpty ? nil : details.joined(separator: ", ")
            )
            try repositories.noteVisit(of: proposed.party.approver.subject, from: proposed.address, at: now)
            decided.append(proposed.answer)
            // The next request is announced afterwards, which is none of a client that was muted.
            if let objection { try mute(stored.exchange.request, because: objection.muteCause) }
            try repositories.withdrawAnnouncements(of: stored, by: mint, at: now)
            if !isLastMiss { try budget.noteAnswered(stored, in: repositories) }
            if stored.terms.isUnmet { return .unmet }
            return isLastMiss ? .wrongDigits(isLast: true) : .decided
        }

        /// The reason why a person may not answer by their browser session; `nil` when they may.
        ///
        /// - Throws: ``SessionEnded`` when the session itself has ended.
        private func lapse(of session: BrowserSession) throws -> Policy.Refusal? {
            do {
                try repositories.liveSession(session, at: now)
                return nil
            } catch let ended as SessionEnded {
                guard let person = ended.person else { throw ended }
                return .subject(person)
            }
        }

        /// Compares the digits of an approval, and counts a miss in `stored`. Nothing is compared for a request that
        /// the party cannot decide.
        private func digits(
            of proposed: ProposedDecision,
            in stored: inout SignInExchangeRecord
        ) -> SignInExchangeRecord.Match {
            let request = stored.exchange.request
            guard proposed.answer == .approve, proposed.party.typesDigits, stored.exchange.decider == nil,
                now < request.deadline, request.isOpen(to: proposed.party.approver.subject)
            else { return .notAsked }
            let taking = stored.exchange.taking(at: now)
            return stored.match(proposed.typed, isTaker: taking?.approver == proposed.party.approver, at: now)
        }

        /// Whether a person approves on a page whose client named them, and asked for a class of authentication that
        /// they do not reach and have no means to reach.
        private func isBeyondReach(_ proposed: ProposedDecision) throws -> Bool {
            let stored = proposed.stored
            guard proposed.answer == .approve, case .backchannel = stored.method, proposed.party.isVisitor,
                let demands = stored.terms.demands, !demands.isClassReached(by: proposed.evidence)
            else { return false }
            return try !repositories.canReachClass(
                in: demands, proposed.party.approver.subject, under: policy, at: now)
        }

        /// Whether a person who came by a link proved more than that, where it is needed, or is asked for a number now.
        /// It was decided when they took the request, and fails only when they came to another network since.
        private func isTiedToScreen(_ proposed: ProposedDecision) throws -> Bool {
            guard proposed.answer == .approve, let taking = proposed.stored.exchange.taking(at: now),
                taking.approver == proposed.party.approver
            else { return true }
            let stored = proposed.stored
            switch try linkDemand(of: stored, proving: taking.evidence, from: proposed.address) {
            case .nothing: return true
            case .number: return stored.terms.number?.shown != nil
            case .code: return false
            }
        }

        /// Whether an approval comes from a page that was not shown for as long as the request demands. An answer to a
        /// request that is decided already never comes too early.
        private func isTooEarly(_ proposed: ProposedDecision) -> Bool {
            let stored = proposed.stored
            guard proposed.answer == .approve, stored.exchange.decider == nil, let page = proposed.party.page,
                let delay = ApprovalDelay(
                    stored.demands(under: policy), on: page.question, shownTo: page.viewer, under: keys)
            else { return false }
            return !delay.isOver(page.mark, at: now)
        }

        /// Has an asking side that is called told at once that its request is decided.
        private func tellAskingSide(of stored: SignInExchangeRecord) throws {
            switch stored.method {
            case .backchannel(let terms) where terms.deliveryMode.isNotified:
                try repositories.clientNotices.hasten(.requestEnded(stored.id), at: now)
            case .customerSite: try repositories.hastenWebhooks(about: stored.id, at: now)
            case .deviceCode, .singleSignOn, .authorizationCode, .backchannel, .immediateGrant: break
            }
        }

        /// Mutes the client of a request that named its person.
        private func mute(_ request: SignInRequest, because cause: Mute.Cause) throws {
            guard let subject = request.addressee else { return }
            let client = request.client.value
            try repositories.mute(Mute(subject: subject, client: client, cause: cause, since: now))
            if cause == .reported { reports.append(client) }
        }

        /// Whether the party may learn the state of the request. A person who has not taken it learns nothing, not even
        /// whether it exists.
        private func mayKnow(of exchange: SignInExchange, _ proposed: ProposedDecision) -> Bool {
            guard case .taken = proposed.requestState else { return true }
            let subject = proposed.party.approver.subject
            return exchange.taker == subject || exchange.decider == subject
        }

        /// Decides `exchange`, and returns all evidence up to the decision.
        ///
        /// - Throws: ``TakingRefused``, ``DecisionRefused``, ``Policy/Refusal``.
        private func decide(_ exchange: inout SignInExchange, _ proposed: ProposedDecision) throws -> Evidence {
            let approver = proposed.party.approver
            switch proposed.requestState {
            case .taken: break
            case .open, .new: try exchange.take(by: approver, at: now)
            }
            var evidence = exchange.taking(at: now)?.evidence ?? Evidence()
            for proof in proposed.evidence.proofs { evidence.add(proof) }
            switch proposed.answer {
            case .deny:
                try exchange.record(.deny, by: approver, at: now)
            case .approve:
                let request = exchange.request
                let demands = proposed.stored.terms.demands
                if let demands { evidence = demands.naming(evidence) }
                let grant = Grant(
                    id: mint.identifier(),
                    subject: approver.subject,
                    client: request.client.value,
                    scope: request.scope.value,
                    evidence: evidence,
                    approved: now
                )
                // The exchange says first whether there is anything to decide, then policy whether it may be approved.
                try exchange.record(.approve(grant), by: approver, over: proposed.link, at: now)
                try authorize(grant, for: request, demanding: demands)
            }
            return evidence
        }

        /// Asks policy whether a grant may be given. A denial gives nothing, so policy is not asked about it.
        ///
        /// - Throws: ``Policy/Refusal``, also when the domain that the request is for no longer exists.
        private func authorize(_ grant: Grant, for request: SignInRequest, demanding demands: ScopeDemands?) throws {
            if request.domain != nil, try repositories.domain(of: request) == nil {
                throw Policy.Refusal.client(.absent)
            }
            try policy.authorize(
                .decision,
                client: grant.client,
                subject: grant.subject,
                evidence: grant.evidence,
                scope: grant.scope,
                demands: demands,
                at: now,
                in: repositories
            )
        }

        /// The outcome of an answer that arrives after the decision.
        private func standing(_ exchange: SignInExchange, against proposed: ProposedDecision) -> DecisionOutcome {
            let wasApproved = exchange.grant != nil
            guard exchange.decider == proposed.party.approver.subject,
                wasApproved == (proposed.answer == .approve)
            else { return .alreadyDecided(wasApproved: wasApproved) }
            return .repeated
        }

        // MARK: Audit

        private func audit(
            _ act: AuditAct,
            of stored: SignInExchangeRecord,
            by actor: AuditActor,
            subject: Subject,
            from address: String?,
            detail: String?
        ) throws {
            try repositories.record(
                AuditEntry.Facts(
                    at: now,
                    act,
                    by: actor,
                    subject: subject,
                    client: stored.exchange.request.client.value,
                    request: stored.id,
                    address: address,
                    detail: detail
                )
            )
        }
    }
}
