internal import Countersign
internal import CountersignWire

extension SignInError {
    /// An error that the server named, at any of its endpoints.
    init(refusal code: OAuthError.Code, invalidGrantMeans invalidGrant: Code = .refused, because reason: String) {
        let meaning: Code =
            switch code {
            case .accessDenied: .denied
            case .expiredToken: .expired
            case .invalidClient, .unauthorizedClient: .clientRefused
            case .unsupportedGrantType: .flowNotOffered
            case .invalidScope: .scopeRefused
            case .invalidGrant: invalidGrant
            default: .refused
            }
        self.init(meaning, because: reason)
    }

    /// A code of no use.
    init(_ refused: Polling.CodesRefused) {
        switch refused {
        case .noLifetime: self.init(.badAnswer, because: "the code is over on arrival")
        case .intervalTooLong: self.init(.badAnswer, because: "the code is over before the first request is allowed")
        }
    }

    /// The end of waiting without tokens.
    init(_ ending: Polling.Ending) {
        switch ending {
        case .denied: self.init(.denied, because: "the person denied the request")
        case .expired: self.init(.expired, because: "the code expired")
        case .refused(let code, let reason): self.init(refusal: code, because: reason)
        case .unreadable(let reason): self.init(.badAnswer, because: reason)
        }
    }

    /// Trouble that did not go away.
    init(lasting trouble: Trouble, because reason: String) {
        switch trouble {
        case .notReachable, .interrupted: self.init(.notReachable, because: reason)
        case .notTrusted: self.init(.notTrusted, because: reason)
        case .busy, .serverFault: self.init(.serverTrouble, because: reason)
        }
    }

    /// What a store threw when tokens were to be read.
    init(loading error: any Error) {
        self.init(keptTokens: error) { _ in .notLoaded }
    }

    /// What a store threw when tokens were to be written down or removed.
    init(storing error: any Error) {
        self.init(keptTokens: error) { code in
            switch code {
            case .notRead, .notWritten, .notRemoved: .notStored
            case .damaged, .wrongKey, .keyMissing, .keyUnfit, .keyringUnavailable: .storeUnusable
            case .busy: .busyElsewhere
            }
        }
    }

    private init(keptTokens error: any Error, code: (TokenStoreError.Code) -> Code) {
        switch error {
        case let known as SignInError: self = known
        case is CancellationError: self.init(.cancelled, because: "the task was cancelled")
        case let known as TokenStoreError: self.init(code(known.code), because: known.description)
        default: self.init(.notStored, because: String(describing: error))
        }
    }

    /// Whatever a step threw, as an error of a sign-in.
    init(catching error: any Error) {
        switch error {
        case let known as SignInError: self = known
        case is CancellationError: self.init(.cancelled, because: "the task was cancelled")
        default: self.init(.badAnswer, because: String(describing: error))
        }
    }
}
