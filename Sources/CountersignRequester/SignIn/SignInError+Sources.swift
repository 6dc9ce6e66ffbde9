internal import Countersign
internal import CountersignWire

extension SignInError {
    /// Maps an error that the server named, at any of its endpoints.
    ///
    /// - Parameters:
    ///   - refusal: The server's answer.
    ///   - invalidGrant: The meaning of `invalid_grant` at this endpoint.
    ///   - accessDenied: The meaning of `access_denied`.
    init(
        _ refusal: OAuthErrorResponse,
        invalidGrantMeans invalidGrant: Code = .refused,
        accessDeniedMeans accessDenied: Code = .denied
    ) {
        let meaning: Code =
            switch refusal.error {
            case .accessDenied: accessDenied
            case .expiredToken: .expired
            case .invalidClient, .unauthorizedClient: .clientRefused
            case .unsupportedGrantType: .grantTypeRefused
            case .invalidScope: .scopeRefused
            case .unmetAuthenticationRequirements: .strongerWayNeeded
            case .invalidGrant: invalidGrant
            // At an endpoint they are repeated before; at a redirect URI nothing can be.
            case .serverError, .temporarilyUnavailable: .serverFailure
            default: .refused
            }
        self.init(meaning, providerCode: refusal.error.rawValue, providerDescription: refusal.description)
    }

    /// Maps a failure that did not go away.
    init(lasting temporaryFailure: TemporaryFailure, because reason: String) {
        switch temporaryFailure {
        case .notReachable, .interrupted: self.init(.notReachable, because: reason)
        case .notTrusted: self.init(.notTrusted, because: reason)
        case .busy, .serverFault: self.init(.serverFailure, because: reason)
        }
    }

    /// Maps an error of the store when tokens were read.
    init(loading error: any Error) {
        self.init(keptTokens: error) { _ in .notLoaded }
    }

    /// Maps an error of the store when tokens were written or removed.
    init(storing error: any Error) {
        self.init(keptTokens: error) { code in
            switch code {
            case .notRead, .notWritten, .notRemoved: .notStored
            case .damaged, .wrongKey, .keyMissing: .storeUnusable
            case .keyUnfit: .keyUnfit
            case .keyringUnavailable: .keyringUnavailable
            case .busy: .busyElsewhere
            }
        }
    }

    /// Runs work with the store, and maps its errors.
    nonisolated(nonsending) static func storing<Value>(
        _ work: nonisolated(nonsending) () async throws -> Value
    ) async throws(SignInError) -> Value {
        do {
            return try await work()
        } catch {
            throw SignInError(storing: error)
        }
    }

    private init(keptTokens error: any Error, code: (TokenStoreError.Code) -> Code) {
        switch error {
        case let known as SignInError: self = known
        case is CancellationError: self = .taskCancelled
        case let known as TokenStoreError: self.init(code(known.code), because: known.reason)
        default: self.init(.notStored, because: String(describing: error))
        }
    }

    /// Maps an error of the store when an item could not be read or replaced.
    init(_ error: TokenStoreError) {
        switch error.code {
        case .notRead: self.init(loading: error)
        default: self.init(storing: error)
        }
    }

    /// Maps any error of a step to an error of a sign-in.
    init(catching error: any Error) {
        switch error {
        case let known as SignInError: self = known
        case let error as TokenStoreError: self.init(error)
        case is CancellationError: self = .taskCancelled
        default: self.init(.badAnswer, because: String(describing: error))
        }
    }
}
