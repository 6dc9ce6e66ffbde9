internal import CoreMetrics
internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

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
    /// - Throws: what `body` throws, and then nothing was changed; ``StoreUnavailableError``.
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
        let repositories: any Repositories
        let keys: Keys
        let mint: CodeMint
        let policy: Policy
        let addresses: ClientAddressResolver
        let budget: MessageBudget
        /// The answers that were recorded so far.
        var decided: [ProposedDecision.Answer] = []
        /// The clients whose requests were reported.
        var reports: [ClientID] = []

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
        /// - Throws: ``SessionEndedError`` when the browser session of the person does not hold any more.
        func take(
            _ stored: SignInExchangeRecord,
            by visitor: SignedInVisitor,
            proving evidence: Evidence,
            from address: String?,
            checking check: () throws -> Void
        ) throws -> TakingOutcome {
            try Sessions(repositories).live(visitor.session, at: now)
            let approver = visitor.session.approver
            var stored = stored
            let isHeld = stored.exchange.taking(at: now)?.approver == approver
            do throws(TakingError) {
                try stored.exchange.take(by: approver, proving: evidence, at: now)
            } catch {
                return .refused(error)
            }
            let proved = stored.exchange.taking(at: now)?.evidence ?? evidence
            let demand = try linkDemand(of: stored, proving: proved, from: address)
            // A person who found the request by its code or link, or in the browser of the screen's device, compares no
            // number. A screen that remembers a person goes on to show it, because they may be asked meanwhile.
            let isFound = evidence.namesTheCode || evidence.proofs.contains(.redirected)
            stored.terms.isTakerSpared =
                demand == .nothing && isFound && stored.exchange.request.rememberedPerson != nil
            switch demand {
            case .nothing where isFound && !stored.terms.isTakerSpared:
                stored.terms.number = stored.terms.number?.hidden()
            case .nothing: break
            case .number where isHeld && stored.terms.number?.shown != nil: break
            case .number:
                // A new taker gets a new number, so a number cannot be sent along with a link.
                stored.terms.number = NumberToMatch(
                    drawnBy: mint, of: stored.id, under: keys, after: stored.terms.number)
            case .code: return .codeWanted
            }
            try check()
            try VisitHistory(repositories).note(
                of: approver.subject, from: address, isLimited: visitor.session.limit != nil, at: now)
            try repositories.exchanges.update(stored)
            let detail = [
                origin(of: stored.exchange.request), stored.terms.audited, demand.audited, evidence.auditedArrival,
            ]
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

        /// Binds a new request to the party that showed its person the code that was typed on the requesting screen,
        /// and audits it. The screen shows a number from now on if the request demands it. The caller stores the request.
        ///
        /// - Throws: ``TakingError``, which does not happen for a request that is made in the same change.
        func take(_ new: SignInExchangeRecord, byCodeOf holder: ApproverIdentity) throws -> SignInExchangeRecord {
            var stored = new
            try stored.exchange.take(by: holder, proving: Evidence([stored.proofOfAddressee]), at: now)
            let demand = stored.terms.wantsNumber ? LinkDemand.number : .nothing
            if demand == .number {
                stored.terms.number = NumberToMatch(drawnBy: mint, of: stored.id, under: keys)
            }
            let detail = [
                origin(of: stored.exchange.request), stored.terms.audited, demand.audited, "by a code of the person",
            ]
            try audit(
                .taken, of: stored, by: .person, subject: holder.subject, from: nil,
                detail: detail.compactMap(\.self).joined(separator: ", "))
            return stored
        }

        /// The extra proof required of a person who came by a link.
        ///
        /// A shared address is no proximity, except for a browser where the person signed in before.
        func linkDemand(
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

        // MARK: Audit

        func audit(
            _ act: AuditAct,
            of stored: SignInExchangeRecord,
            by actor: AuditActor,
            subject: Subject,
            from address: String?,
            detail: String?
        ) throws {
            try Audit(repositories).record(
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
