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
        case .reused(let act): return facts(act, by: .client, "its sign-in was ended")
        case .recordedOtherwise: return nil
        }
    }
}

extension Evidence {
    /// The names of the proofs, in order.
    var audited: String {
        proofs.map { proof in
            switch proof {
            case .accountPassword: "account_password"
            case .secondFactor(let factor, at: _): factor.rawValue
            case .passkey: "passkey"
            case .userVerified: "user_verified"
            case .enrolledDevice: "enrolled_device"
            case .verifiedByDevice: "verified_by_device"
            case .federated(let issuer, let how, at: _): "federated_\(how.rawValue) (\(issuer))"
            case .codeTyped: "code_typed"
            case .linkOpened: "link_opened"
            case .knownBrowser: "known_browser"
            case .signedInBefore: "signed_in_before"
            case .namedByClient: "named_by_client"
            case .redirected: "redirected"
            case .decisionSigned: "decision_signed"
            case .numberMatched: "number_matched"
            case .possession(let what, at: _): what.rawValue
            case .reached(let wanted): "reached \(wanted.rawValue)"
            case .nearby(how: .code, sameNetwork: let same): "nearby_code (same network: \(same))"
            case .nearby(how: .paired(at: let instant), sameNetwork: let same):
                "nearby_paired (\(instant.formatted(.iso8601)), same network: \(same))"
            }
        }.joined(separator: " ")
    }
}
