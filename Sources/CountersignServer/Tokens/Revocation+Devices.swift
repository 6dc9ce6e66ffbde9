internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension Revocation {
    /// Signs a screen out as its person asks. For a device this ends all sign-ins by that person, withdraws their
    /// approvals for it that were not redeemed yet, and takes back what it asks them.
    ///
    /// A device that is then signed in for no person is removed. Its app learns of it because its credentials are
    /// refused, and registers again.
    ///
    /// - Parameters:
    ///   - record: The sign-in that ends.
    ///   - address: The network address of the person; `nil`, the default, when it is not noted.
    ///   - actor: The party that the audit names; the person by default.
    ///   - mint: Names the messages about what the person is asked next.
    ///   - now: The current time.
    func signOut(
        _ record: SignInRecord,
        from address: String? = nil,
        as actor: AuditActor = .person,
        by mint: CodeMint,
        at now: Date
    ) throws {
        var records = [record]
        if record.request.domain != nil {
            let device = record.grant.client
            records = try repositories.signIns.all(of: device, limit: 1000).filter {
                $0.grant.subject == record.grant.subject
            }
            try Approvals(repositories).cancel(by: record.grant.subject, at: now) {
                $0.exchange.request.client.value == device
            }
            try takeBackQuestions(to: record.grant.subject, by: mint, at: now) {
                $0.exchange.request.client.value == device
            }
            try stopAutomaticSignOn(of: device, at: now)
        }
        for record in records {
            try SignIns(repositories).end(record, because: .asked(by: actor), from: address, at: now)
        }
        try forgetConsent(behind: record.grant, to: record.request, at: now)
        try forgetUnlessSignedIn(record, at: now)
    }

    /// Ends what a person allowed a client, with its sign-ins and the approvals that it has not redeemed; returns
    /// whether they had allowed it anything.
    func withdrawConsent(by subject: Subject, from client: ClientID, at now: Date) throws -> Bool {
        guard try Consents(repositories).remove(by: subject, to: client, at: now) else { return false }
        try Approvals(repositories).cancel(by: subject, at: now) { $0.exchange.request.client.value == client }
        try SignIns(repositories).endAll(because: .asked(by: .person), at: now) {
            try $0.all(of: subject, at: client)
        }
        return true
    }

    /// Ends that a person is remembered on a screen, and takes back what the screen asks them by it.
    ///
    /// - Returns: Whether they were remembered there.
    func forget(_ id: RememberedScreenID, of subject: Subject, by mint: CodeMint, at now: Date) throws -> Bool {
        guard try RememberedScreens(repositories).end(id, of: subject, at: now) else { return false }
        try takeBackQuestions(to: subject, by: mint, at: now) { $0.terms.screen == id }
        return true
    }

    /// Takes one approval of `subject` back, and what automatic sign-on gave because of it. If its grant was not
    /// redeemed, the screen gets nothing; otherwise its tokens are revoked. The device is not signed in again without
    /// asking.
    ///
    /// - Parameters:
    ///   - grant: The grant of the approval.
    ///   - subject: The person who approved.
    ///   - place: The place where they undo it.
    ///   - address: The network address of the person; `nil` when there is none.
    ///   - now: The current time.
    func undo(
        _ grant: Grant.ID,
        by subject: Subject,
        at place: ApproverPlace,
        from address: String?,
        at now: Date
    ) throws -> UndoOutcome {
        if let record = try repositories.signIns.find(grant), record.grant.subject == subject {
            guard record.revoked == nil else { return .nothing }
            switch try UndoWindow(of: record, in: repositories, at: now) {
            case .open: break
            case .delivered: return .delivered
            case .over: return .tooLate
            }
            try SignIns(repositories).end(
                record, because: .asked(by: .person, detail: ApprovalNote.undone(at: place)), from: address, at: now)
            try RememberedScreens(repositories).undo(record, at: now)
            try requireAsking(for: record.request, after: record.grant, at: now)
            try forgetUnlessSignedIn(record, at: now)
            return .undone
        }
        if let opened = try undoBrowser(approvedBy: grant, of: subject, at: place, at: now) { return opened }
        guard
            var stored = try repositories.exchanges.approved(
                by: subject, at: now, where: { $0.exchange.grant?.id == grant }
            ).first,
            let approved = stored.exchange.grant
        else { return .nothing }
        guard stored.undoWindow(of: approved, at: now) != .delivered else { return .delivered }
        switch stored.exchange.withdraw(by: subject, at: now) {
        case .withdrawn:
            try Approvals(repositories).write(
                withdrawn: stored, of: subject, by: .person, from: address, because: ApprovalNote.undone(at: place),
                at: now)
            try requireAsking(for: stored.exchange.request, after: approved, at: now)
            return .undone
        case .tooLate:
            return .tooLate
        case .revoke, .nothingToUndo:
            return .nothing
        }
    }

    /// Ends a sign-in whose client gives its tokens back.
    ///
    /// Within ``SignInExchange/undoLifetime`` of the sign-in, the person at the screen undoes it, as one who said that
    /// it was not them; automatic sign-on does not sign the device in again then.
    func giveBack(_ record: SignInRecord, from address: String?, at now: Date) throws {
        guard isJustSignedIn(record, at: now) else {
            return try SignIns(repositories).end(record, because: .revokedByClient, from: address, at: now)
        }
        try SignIns(repositories).end(record, because: .undoneAtScreen, from: address, at: now)
        if record.request.domain != nil { try stopAutomaticSignOn(of: record.grant.client, at: now) }
    }

    /// Whether the screen got its tokens less than ``SignInExchange/undoLifetime`` ago.
    func isJustSignedIn(_ record: SignInRecord, at now: Date) -> Bool {
        now < record.signedIn.addingTimeInterval(SignInExchange.undoLifetime)
    }

    /// Takes a request back as its client asks, wherever it stands: nobody is asked any more, an approval is withdrawn,
    /// and a sign-in ends whose tokens the client did not wait for.
    ///
    /// The audit notes it unless strangers alone knew of the request.
    func giveUp(_ asked: SignInExchangeRecord, by mint: CodeMint, at now: Date) throws {
        var stored = asked
        if let grant = stored.exchange.grant, let record = try repositories.signIns.find(grant.id),
            record.revoked == nil
        {
            return try SignIns(repositories).end(record, because: .revokedByClient, at: now)
        }
        let subject = stored.exchange.grant?.subject ?? stored.exchange.taker ?? stored.exchange.request.personAsked
        guard stored.exchange.cancel() else { return }
        stored.terms.cancelled = now
        if let subject {
            try Approvals(repositories).write(withdrawn: stored, of: subject, by: .client, at: now)
        } else {
            try repositories.exchanges.update(stored)
        }
        try Announcements(repositories).withdraw(of: stored, by: mint, at: now)
    }

    /// Removes what the person allowed an app that asks by a browser, and withdraws the codes that it has not redeemed,
    /// so that it is not signed in again without asking. That of a service was for it alone.
    private func forgetConsent(behind grant: Grant, to request: SignInRequest, at now: Date) throws {
        guard grant.evidence.proofs.contains(.redirected), request.service == nil else { return }
        _ = try Consents(repositories).remove(by: grant.subject, to: grant.client, at: now)
        try Approvals(repositories).cancel(by: grant.subject, at: now) { stored in
            guard case .authorizationCode = stored.method else { return false }
            return stored.exchange.request.client.value == grant.client
        }
    }

    // MARK: Automatic sign-on

    /// Makes sure that a device is signed in for the domain of `request` only after its person was asked again. If the
    /// person gave `undone` themselves, ends what automatic sign-on gave the device since then.
    private func requireAsking(for request: SignInRequest, after undone: Grant, at now: Date) throws {
        try forgetConsent(behind: undone, to: request, at: now)
        guard let domain = request.domain?.value else { return }
        let (device, subject) = (request.client.value, undone.subject)
        let wasAsked = !undone.isAutomatic(for: request)
        func followed(_ grant: Grant?, _ other: SignInRequest) -> Bool {
            guard wasAsked, let grant else { return false }
            return grant.subject == subject && grant.isAutomatic(for: other) && grant.approved >= undone.approved
        }
        try Approvals(repositories).cancel(by: subject, at: now) { stored in
            let other = stored.exchange
            return other.request.client.value == device
                && (other.request.domain?.value == domain || followed(other.grant, other.request))
        }
        for record in try repositories.signIns.all(of: device, limit: 1000) where followed(record.grant, record.request)
        {
            try SignIns(repositories).end(record, because: .asked(by: .person, detail: ApprovalNote.undone), at: now)
        }
        try stopAutomaticSignOn(of: device, at: now)
    }

    /// Denies the requests of a screen that asks because the person was signed in or remembered on it.
    private func takeBackQuestions(
        to subject: Subject,
        by mint: CodeMint,
        at now: Date,
        of include: (SignInExchangeRecord) -> Bool
    ) throws {
        // Only the newest of a client are listed, and behind those that are taken back the next ones.
        while true {
            var isDone = true
            for var stored in try repositories.exchanges.waiting(for: subject, at: now)
            where include(stored) && stored.exchange.takeBack(by: subject, at: now) {
                isDone = false
                try Approvals(repositories).write(withdrawn: stored, of: subject, by: .person, at: now)
                try Announcements(repositories).withdraw(of: stored, by: mint, at: now)
            }
            if isDone { return }
        }
    }

    /// Excludes earlier approvals for a device from automatic sign-on.
    private func stopAutomaticSignOn(of device: ClientID, at now: Date) throws {
        guard var client = try repositories.clients.find(device), case .device = client.registration else { return }
        client.undone = now
        try repositories.clients.update(client)
    }

    private func forgetUnlessSignedIn(_ ended: SignInRecord, at now: Date) throws {
        let id = ended.grant.client
        guard case .device = try repositories.clients.find(id)?.registration,
            try repositories.signIns.all(of: id, limit: 1).isEmpty
        else {
            return
        }
        _ = try repositories.clients.remove(id)
        // Removes its tokens that were issued without a person: at most one for each domain.
        _ = try repositories.accessTokens.removeAll(of: id, limit: 1000)
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now,
                .clientRemoved,
                by: .person,
                subject: ended.grant.subject,
                client: id,
                detail: "a device that is signed in for nobody"
            )
        )
    }
}

extension Grant {
    /// Whether automatic sign-on gave it: at once, and because of an earlier sign-in.
    fileprivate func isAutomatic(for request: SignInRequest) -> Bool {
        evidence.proofs.contains(.signedInBefore) && approved <= request.asked.value
    }
}
