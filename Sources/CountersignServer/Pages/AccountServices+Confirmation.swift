internal import Countersign
internal import CountersignWire

/// Approvals that a passkey has to confirm, on whichever page they are given.
extension AccountServices {
    /// The data that a page needs for confirming an approval with a passkey; `nil` where the approval alone is enough.
    ///
    /// - Parameters:
    ///   - demands: The demands of the decision on the very request.
    ///   - elsewhere: The address of the page where passkeys work; `nil` where they work on the page itself.
    func confirmation(
        of purpose: CeremonyPurpose,
        demanding demands: ScopeDemands,
        by visitor: SignedInVisitor,
        in cookie: BrowserCookie,
        orElsewhere elsewhere: String?
    ) async throws -> PasskeyConfirmationView? {
        guard demands.contains(.userVerified) else { return nil }
        if let elsewhere { return PasskeyConfirmationView(elsewhere: elsewhere) }
        let own = try await server.store.read { try $0.passkeys.all(of: visitor.person.subject) }
        guard !own.isEmpty else { return PasskeyConfirmationView(passkeyOptions: nil) }
        let options = try await passkeys.request(for: purpose, in: cookie, allowing: own)
        return PasskeyConfirmationView(passkeyOptions: try options?.pageJSON)
    }

    /// The proof that a passkey of the person who is signed in confirmed a request; `nil` when it did not.
    ///
    /// The assertion is used up, whatever becomes of the approval.
    func confirmed(
        _ credential: String,
        _ purpose: CeremonyPurpose,
        by visitor: SignedInVisitor,
        in cookie: BrowserCookie,
        from address: String?
    ) async throws -> Evidence.Proof? {
        do {
            let proven = try await passkeys.verify(credential, for: purpose, in: cookie, from: address)
            guard proven.known.subject == visitor.person.subject else { return nil }
            try await server.store.change { [passkeys] in try passkeys.accept(proven, in: $0) }
            return .userVerified(at: server.clock.now())
        } catch is PasskeyService.CeremonyError {
            return nil
        }
    }
}
