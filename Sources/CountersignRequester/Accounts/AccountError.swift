public import Countersign
public import CountersignTransport

/// The reason that an app got no credentials from an account of the system.
///
/// ``sentence`` advises the person at the screen, ``nextStep`` is the same for a program, ``reason`` is for the log.
/// Two problems are equal when their codes are.
///
/// ```swift
/// do throws(AccountError) {
///     app.start(with: try await attempt.perform(choosing: ask))
/// } catch {
///     screen.show(error.sentence)
///     if error.nextStep == .openSettings { screen.show(accounts.settings.instruction) }
/// }
/// ```
public struct AccountError: CodedError, CustomStringConvertible {
    /// The kind of failure, as far as a program can act on it.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The system holds no account of the provider.
        case noAccount
        /// The person does not let the app use the accounts.
        case accessNotGranted
        /// The person chose no account, or did not confirm it.
        case choiceCancelled
        /// The system's account is signed out at the provider: the person has to sign in to it again.
        case newSignInNeeded
        /// The provider has suspended the account.
        case accountSuspended
        /// The provider has locked the account until the person unlocks it there.
        case accountLocked
        /// The provider rejects this device's clock.
        case wrongTime
        /// The provider does not accept the app's token any more.
        case tokenRefused
        /// The app has no credentials at the provider.
        case unconfigured
        /// The provider was not reached, or its answer was lost.
        case networkFailure
        /// The provider refused, or its answer makes no sense.
        case serviceFailure
        /// The system's store failed.
        case storeFailure
        /// The system has no accounts of this provider.
        case unsupportedProvider
        /// The object was used before; each attempt needs a new one.
        case alreadyPerformed
        /// The app stopped it.
        case cancelled
    }

    /// The next step to try.
    public enum NextStep: String, Sendable, Hashable, CaseIterable {
        /// Open the settings of the system's accounts: add an account, sign in to it again, or allow the app.
        case openSettings
        /// Try the same again.
        case tryAgain
        /// Try the same again later.
        case tryLater
        /// Another way to sign in.
        case useAnotherWay
        /// The person has to ask the provider.
        case askProvider
        /// Set the date and time of this device, and try again.
        case setClock
        /// The developer of the app has to change its configuration.
        case changeApp
    }

    /// A step of a sign-in.
    public enum Step: String, Sendable, Hashable, CaseIterable {
        /// The request for a header that the system's account signs.
        case requestToken
        /// The exchange of that for tokens of the app.
        case accessToken
        /// The request for the person's profile.
        case profile
    }

    /// The kind of failure.
    public let code: Code
    /// The failed request; `nil` for any other.
    public let step: Step?
    /// The reason in detail; it holds no secret.
    public let reason: String
    /// The reason that no answer came; `nil` unless ``code`` is `networkFailure`.
    public let transport: TransportError.Code?
    /// The status of the provider's answer; `nil` when none came.
    public let status: Int?
    /// The provider's own number for the error; `nil` when it gave none.
    public let providerCode: Int?
    /// Whether the provider indicates that a retry may succeed.
    public let isTemporary: Bool

    /// A problem.
    init(
        _ code: Code,
        at step: Step? = nil,
        because reason: String,
        transport: TransportError.Code? = nil,
        status: Int? = nil,
        providerCode: Int? = nil,
        isTemporary: Bool = false
    ) {
        self.code = code
        self.step = step
        self.reason = reason
        self.transport = transport
        self.status = status
        self.providerCode = providerCode
        self.isTemporary = isTemporary || status == 429 || (status ?? 0) >= 500
    }

    /// Code and reason, for the log.
    public var description: String {
        (step.map { "\(code.rawValue) at \($0.rawValue)" } ?? code.rawValue) + ": \(reason)"
    }
}
