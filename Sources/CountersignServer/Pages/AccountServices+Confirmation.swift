/// The confirmation of approvals by a passkey, on every page.
extension AccountServices {
    /// The data of a page for the confirmation by a passkey; `nil` where none is needed.
    ///
    /// - Parameters:
    ///   - demands: The demands on the approval of the request.
    ///   - elsewhere: The address of the page where passkeys work; `nil` for this page.
    func confirmation(
        of purpose: CeremonyPurpose,
        demanding demands: ScopeDemands,
        by visitor: SignedInVisitor,
        in cookie: BrowserCookie,
        orElsewhere elsewhere: String?
    ) async throws -> PasskeyConfirmationView? {
        guard demands.contains(.userVerified) else { return nil }
        if let elsewhere { return PasskeyConfirmationView(elsewhere: elsewhere) }
        let own = try await core.store.read { try $0.passkeys.all(of: visitor.person.subject) }
        guard !own.isEmpty else { return PasskeyConfirmationView(passkeyOptions: nil) }
        let options = try await passkeys.request(for: purpose, in: cookie, allowing: own)
        return PasskeyConfirmationView(passkeyOptions: try options?.pageJSON)
    }

    /// The proof of a confirmation by a passkey of the signed-in person; `nil` for an invalid one.
    ///
    /// The assertion is consumed, regardless of the approval.
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
            try await core.store.change { [passkeys] in try passkeys.accept(proven, in: $0) }
            return .userVerified(at: core.clock.now())
        } catch is PasskeyService.CeremonyError {
            return nil
        }
    }
}
