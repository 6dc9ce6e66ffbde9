internal import Countersign
public import CountersignWire

/// Something on the screen that may sign its person in at once, without another device: it is presented before a person
/// is asked.
///
/// ```swift
/// screen.proofs = [.ticket(ticket)]
/// screen.proofs = [.account { try await ProviderToken(reverseAuth.perform(choosing: choose)) }]
/// ```
public enum SignInProof: Sendable {
    /// The one-use ticket of a QR code, as for ``TicketSignIn``.
    case ticket(EnrollmentTicket)
    /// A token of another provider, as for ``TokenExchangeSignIn``.
    case token(ProviderToken)
    /// An account that the system holds, whose token is asked for when it is needed, as by ``ReverseAuth`` or
    /// ``SocialGraphSignIn``. An error means that there is no such account, or that the person does not want to use it.
    case account(@Sendable () async throws -> ProviderToken)

    /// The kind of proof, as events name it.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A ticket.
        case ticket
        /// A token of another provider.
        case token
        /// An account of the system.
        case account
    }

    /// The kind of this proof.
    public var kind: Kind {
        switch self {
        case .ticket: .ticket
        case .token: .token
        case .account: .account
        }
    }

    /// The token request that presents the proof.
    ///
    /// - Throws: ``SignInError`` `account_unusable` when the system gives no token; `cancelled`.
    func terms(for scope: Scope) async throws(SignInError) -> OneRequestSignIn.RequestTerms {
        switch self {
        case .ticket(let ticket): return .ticket(ticket)
        case .token(let token): return .exchange(token, for: scope)
        case .account(let token):
            let result = try await Interruptible.value { () async -> Result<ProviderToken, any Error> in
                do {
                    return .success(try await token())
                } catch {
                    return .failure(error)
                }
            }
            switch result {
            case .success(let token): return .exchange(token, for: scope)
            case .failure(let error):
                throw SignInError(.accountUnusable, because: String(describing: error))
            }
        }
    }
}

extension SignInError {
    /// Whether another way may succeed after a proof ended with this error.
    var leavesOtherWays: Bool {
        switch code {
        case .cancelled, .notMe, .anotherPerson, .notReachable, .notTrusted, .noServerFound, .issuerMismatch,
            .insecureEndpoint, .bindingNotOffered, .notStored, .storeUnusable, .keyUnfit, .keyringUnavailable,
            .busyElsewhere:
            false
        default: true
        }
    }
}
