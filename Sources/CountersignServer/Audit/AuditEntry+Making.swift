internal import FoundationEssentialsCompat

extension AuditEntry.Facts {
    /// The entry about the end of a sign-in; `nil` where the audit has another entry.
    static func end(
        of record: SignInRecord, because cause: SignInEnd, from address: String?, at now: Date
    ) -> AuditEntry.Facts? {
        func facts(_ act: AuditAct, by actor: AuditActor, _ detail: String? = nil) -> AuditEntry.Facts {
            AuditEntry.Facts(
                at: now, act, by: actor, subject: record.grant.subject, client: record.grant.client,
                request: record.request.id, address: address, detail: detail)
        }
        switch cause {
        case .asked(by: let actor, detail: let detail): return facts(.signedOut, by: actor, detail)
        case .revokedByClient: return facts(.signedOut, by: .client)
        case .undoneAtScreen: return facts(.signedOut, by: .client, ApprovalNote.undoneAtScreen)
        case .reused(let act): return facts(act, by: .client, "its sign-in was ended")
        case .recordedOtherwise: return nil
        }
    }
}

extension Policy.ViolationError {
    /// The reason, as the audit names it.
    var audited: String {
        switch self {
        case .client: "the client is locked or absent"
        case .subject: "the person is locked or absent"
        case .notAuthenticated: "not authenticated"
        case .codeNotNamed: "not connected with the screen"
        case .notNearby: "not nearby"
        case .notByPassword: "not by a password or passkey of this server"
        case .noSecondFactor: "no second factor"
        case .notRecent: "no recent sign-in"
        case .notUserVerified: "no user verification"
        case .noNumber: "no number was matched"
        case .notSignedByDevice: "not signed by a device"
        case .noWay: "no way of the request meets its demands"
        case .notInGroup: ApprovalNote.notInGroup
        case .classNotReached: "the class of authentication was not reached"
        }
    }
}

extension Evidence {
    /// The way in which a person found the request; `nil` when neither a code nor a link led there.
    var auditedArrival: String? {
        if proofs.contains(.codeTyped) { return Self.name(of: .codeTyped) }
        return proofs.contains(.linkOpened) ? Self.name(of: .linkOpened) : nil
    }

    /// The names of the proofs, in order.
    var audited: String { proofs.map(Self.name(of:)).joined(separator: " ") }

    /// The name of a proof, with its details.
    static func name(of proof: Proof) -> String {
        switch proof {
        case .accountPassword: "account_password"
        case .secondFactor(let factor, at: _): factor.rawValue
        case .passkey: "passkey"
        case .userVerified: "user_verified"
        case .enrolledDevice: "enrolled_device"
        case .verifiedByDevice: "verified_by_device"
        case .federated(let issuer, let how, at: _): "federated_\(how.rawValue) (\(issuer))"
        case .codeTyped: "code_typed"
        case .personCodeTyped: "person_code_typed"
        case .linkOpened: "link_opened"
        case .ticketPresented: "ticket_presented"
        case .knownBrowser: "known_browser"
        case .signedInBefore: "signed_in_before"
        case .namedByClient: "named_by_client"
        case .redirected: "redirected"
        case .decisionSigned: "decision_signed"
        case .numberMatched: "number_matched"
        case .network(.yes): "same_network"
        case .network(.no): "other_network"
        case .network(.unknown): "unknown_network"
        case .possession(let what, at: _): what.rawValue
        case .crossDevice: "cross_device"
        case .reached(let wanted): "reached \(wanted.rawValue)"
        case .nearby(how: .code, sameNetwork: let same): "nearby_code (same network: \(same))"
        case .nearby(how: .paired(at: let instant), sameNetwork: let same):
            "nearby_paired (\(instant.formatted(.iso8601)), same network: \(same))"
        }
    }
}
