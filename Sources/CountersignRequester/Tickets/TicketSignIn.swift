public import Countersign
public import CountersignWire

/// Signs an app in by the one-use ticket of a QR code that its person made where they are signed in already.
///
/// ```swift
/// guard case .ticket(issuer: let text, let ticket)? = CustomerSiteInvitation(scanned) else { return }
/// let signIn = TicketSignIn(at: try Issuer(text), as: ClientID("bank-app"), keepingTokensIn: store)
/// let signedIn = try await signIn.redeem(ticket)
/// ```
///
/// The sign-in is stored for ``TokenRefresher``. Its rights are those of the ticket.
///
/// Standard: OpenID for Verifiable Credential Issuance 1.0 §6.1 (the grant type alone).
public struct TicketSignIn: Sendable {
    private let core: OneRequestSignIn

    /// Prepares a sign-in; nothing is sent before ``redeem(_:)``.
    ///
    /// - Parameters:
    ///   - issuer: The server's address, which the QR code names. The app decides whether it knows this server.
    ///   - client: The app's client id at the server.
    ///   - secret: The client secret; `nil`, the default, for an app that cannot keep one.
    ///   - store: The store that stores the tokens before ``redeem(_:)`` returns.
    ///   - options: Limits, attempts, and whether the tokens are bound to a key; the standard ones suit an ordinary
    ///     network.
    ///   - context: The network, the clock and the source of keys.
    public init(
        at issuer: Issuer,
        as client: ClientID,
        secret: ClientSecret? = nil,
        keepingTokensIn store: any TokenStore,
        options: SignInOptions = SignInOptions(),
        in context: RequesterContext = .system
    ) {
        core = OneRequestSignIn(
            client: RequesterClient(at: issuer, as: client, secret: secret, options: options, in: context),
            store: store
        )
    }

    /// Redeems the ticket, once, and stores the tokens.
    ///
    /// A server ends what a ticket gave when the ticket comes twice. So the request is repeated only where it certainly
    /// did not arrive.
    ///
    /// - Parameter ticket: The ticket, as it was scanned.
    /// - Returns: The tokens, already stored; the signed-in person if the server identifies them.
    /// - Throws: ``SignInError``: `expired` for a ticket that is not good any more, `answer_lost` when the answer was
    ///   lost on the way, so that another ticket is needed; others by network, server and store. Received tokens that
    ///   could not be stored are revoked.
    public func redeem(_ ticket: EnrollmentTicket) async throws(SignInError) -> CompletedSignIn {
        try await core.signIn(by: .ticket(ticket))
    }
}

extension OneRequestSignIn.RequestTerms {
    /// The request that redeems a ticket.
    static func ticket(_ ticket: EnrollmentTicket) -> Self {
        Self(request: .preAuthorizedCode(ticket), invalidGrant: .expired)
    }
}
