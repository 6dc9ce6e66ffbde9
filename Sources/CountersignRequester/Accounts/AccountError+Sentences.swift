internal import Countersign
internal import CountersignTransport
internal import CountersignWire

extension AccountError {
    /// The next step to try.
    public var nextStep: NextStep {
        switch code {
        case .noAccount, .accessNotGranted, .newSignInNeeded: .openSettings
        case .choiceCancelled, .networkFailure, .cancelled, .tokenRefused: .tryAgain
        case .serviceFailure: isTemporary ? .tryLater : .useAnotherWay
        case .accountSuspended, .accountLocked: .askProvider
        case .wrongTime: .setClock
        case .unconfigured, .alreadyPerformed: .changeApp
        case .storeFailure, .unsupportedProvider: .useAnotherWay
        }
    }

    /// The failure and its remedy, as one or two sentences for the person at the screen.
    public var sentence: String {
        switch code {
        case .noAccount: "This system holds no such account. Add one in its settings, or sign in another way."
        case .accessNotGranted: "This app may not use the accounts of the system. Allow it in the settings."
        case .choiceCancelled: "No account was chosen. Try again, or sign in another way."
        case .newSignInNeeded: "The account is signed out. Sign in to it again in the settings of the system."
        case .accountSuspended: "The provider has suspended this account. Sign in on its own page to see why."
        case .accountLocked: "The provider has locked this account for now. Sign in on its own page to unlock it."
        case .wrongTime: "The date and time of this device are wrong. Set them, and try again."
        case .tokenRefused: "The provider does not accept this sign-in any more. Sign in again."
        case .unconfigured: "This app is not set up for accounts of this provider. Ask who made it."
        case .networkFailure where transport == .notTrusted:
            "The provider's certificate could not be verified. Check this device's date and time."
        case .networkFailure: "The provider cannot be reached. Check the network connection and try again."
        case .serviceFailure where nextStep == .tryLater: "The provider cannot answer now. Try again in a few minutes."
        case .serviceFailure: "The provider did not accept it. Sign in another way, or ask who made this app."
        case .storeFailure: "The accounts of this system cannot be used. Sign in another way."
        case .unsupportedProvider: "This system has no accounts of this provider. Sign in another way."
        case .alreadyPerformed: "This attempt was used before. The app has to begin a new one."
        case .cancelled: "Signing in was stopped. Try again if that was a mistake."
        }
    }
}

extension AccountError {
    /// The problem of a provider whose accounts no system holds.
    ///
    /// - Parameter name: The requested identifier, sanitized for a log.
    public static func unsupported(_ name: String) -> AccountError {
        AccountError(.unsupportedProvider, because: "no accounts of \(shown(name)) are held")
    }

    /// Maps an error of the system's store.
    init(_ error: SystemAccountStoreError) {
        let code: Code =
            switch error.code {
            case .accountNotFound: .noAccount
            case .permissionDenied: .accessNotGranted
            case .unsupported: .unsupportedProvider
            case .newSignInNeeded: .newSignInNeeded
            case .failed: .storeFailure
            }
        self.init(code, because: error.reason)
    }

    /// Maps an answer that did not come.
    init(_ error: TransportError, at step: Step) {
        switch error.code {
        case .cancelled: self.init(.cancelled, at: step, because: error.description)
        case .tooLarge: self.init(.serviceFailure, at: step, because: error.description)
        case .notReached, .notTrusted, .interrupted, .timedOut:
            self.init(.networkFailure, at: step, because: error.description, transport: error.code)
        }
    }

    /// A provider's message, as a short line that is safe in a log.
    static func shown(_ text: String) -> String {
        DeviceAuthorizationRequest.presentable(text, upTo: 200) ?? "no words"
    }
}
