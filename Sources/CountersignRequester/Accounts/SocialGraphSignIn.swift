public import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import NIOConcurrencyHelpers

/// The credentials that an app gets for a person by a sign-in at a provider of the social-graph kind.
public struct SocialGraphCredentials: Sendable, Equatable {
    /// The person's identifier for this app.
    public let id: String
    /// The person's name.
    public let name: String
    /// The token of the account for this app. A backend that receives it must verify that it was issued for this app.
    public let token: AccessToken
    /// The person's e-mail address; `nil` if unknown.
    public let email: String?
    /// The address of the person's picture: the one that the provider gives, which needs no token; otherwise the one
    /// that leads on to it (`…/<id>/picture?type=large`).
    public let avatar: String
}

/// Signs an app in with an account that the system holds, at a provider of the social-graph kind.
///
/// ```swift
/// let attempt = SocialGraphSignIn(as: appID, named: "Recipes", with: accounts)
/// let credentials = try await attempt.perform { account in
///     await screen.ask("Continue as \(account.name)?")
/// }
/// ```
///
/// One object is one attempt; it ends with credentials or one ``AccountError``, also when its task is cancelled. A
/// token that the provider refuses is renewed once, and where the person has removed the app, everything begins again
/// once.
public final class SocialGraphSignIn: Sendable {
    /// The rights that are requested by default: to read the person's identity.
    public static let minimalPermissions = ["public_profile"]

    /// The five rights that sign-ins by the accounts of Apple's systems asked for: profile and e-mail address,
    /// birthday, place and friends. Ask for them only where the app uses each of them.
    public static let extendedPermissions = [
        "user_birthday", "user_location", "user_friends", "email", "public_profile",
    ]

    private let provider: SocialGraphProvider
    private let access: SystemAccountAccess?
    private let accounts: any SystemAccountStore
    private let context: RequesterContext
    private let isPerformed = NIOLockedValueBox(false)

    /// Prepares an attempt; nothing is asked before ``perform(confirming:)``.
    ///
    /// - Parameters:
    ///   - provider: The provider; Facebook by default.
    ///   - app: The app's identifier at the provider; `nil` for an app that has none, whose attempts end as
    ///     `unconfigured`.
    ///   - appName: The app's name in the question for permission.
    ///   - permissions: The rights that it asks for; ``minimalPermissions`` by default. An empty list leaves it to the
    ///     provider.
    ///   - audience: The audience of its posts; the person alone by default.
    ///   - accounts: The system's accounts.
    ///   - context: The network.
    public init(
        at provider: SocialGraphProvider = .facebook,
        as app: ClientID?,
        named appName: String? = nil,
        permissions: [String] = SocialGraphSignIn.minimalPermissions,
        audience: SystemAccountAccess.Audience = .onlyMe,
        with accounts: any SystemAccountStore,
        in context: RequesterContext = .system
    ) {
        self.provider = provider
        access = app.flatMap { app in
            guard !app.rawValue.isEmpty else { return nil }
            return SystemAccountAccess(
                to: provider.id, for: app, named: appName, permissions: permissions, audience: audience)
        }
        self.accounts = accounts
        self.context = context
    }

    /// Asks the system, lets the person confirm the account, and looks who that is.
    ///
    /// - Parameter confirm: Asks the person whether this is the account to use; further accounts are offered one after
    ///   another until one is confirmed.
    /// - Returns: The app's credentials for the person.
    /// - Throws: ``AccountError``, `alreadyPerformed` from the second call on.
    public func perform(
        confirming confirm: @escaping @Sendable (SystemAccount) async -> Bool
    ) async throws(AccountError) -> SocialGraphCredentials {
        try AccountAttempt.begin(isPerformed)
        guard let access else { throw AccountError(.unconfigured, because: "the app has no identifier") }
        var retries = SocialGraphRetries()
        while true {
            let account = try await confirmed(for: access, by: confirm)
            if let credentials = try await credentials(of: account, for: access, &retries) { return credentials }
        }
    }

    private func confirmed(
        for access: SystemAccountAccess,
        by confirm: @escaping @Sendable (SystemAccount) async -> Bool
    ) async throws(AccountError) -> SystemAccount {
        for account in try await AccountAttempt.accounts(of: accounts, for: access) {
            if try await AccountAttempt.waiting(for: { await confirm(account) }) { return account }
        }
        throw AccountError(.choiceCancelled, because: "no account was confirmed")
    }

    /// Looks who the account is; `nil` when everything has to begin again.
    private func credentials(
        of account: SystemAccount,
        for access: SystemAccountAccess,
        _ retries: inout SocialGraphRetries
    ) async throws(AccountError) -> SocialGraphCredentials? {
        while true {
            let store = accounts
            let token = try await AccountAttempt.asking { () async throws(SystemAccountStoreError) in
                try await store.token(of: account, for: access)
            }
            let answer = try await AccountAttempt.send(
                .get,
                to: provider.address("me?fields=\(SocialGraphProfile.fields)"),
                authorization: "Bearer \(token.revealed)",
                at: .profile,
                over: context.transport,
                within: provider.timeLimit
            )
            guard let error = try refusal(in: answer) else { return try credentials(in: answer, with: token) }
            switch retries.refuse(code: error.error.code, subcode: error.error.subcode) {
            case .startOver: return nil
            case .renew: try await renew(account, insteadOf: token, for: access, after: error)
            case .giveUp:
                throw AccountError(
                    .serviceFailure,
                    at: .profile,
                    because: AccountError.shown(error.words),
                    status: answer.response.status.code,
                    providerCode: error.error.code,
                    isTemporary: error.isTemporary
                )
            }
        }
    }

    private func renew(
        _ account: SystemAccount,
        insteadOf token: AccessToken,
        for access: SystemAccountAccess,
        after error: SocialGraphError
    ) async throws(AccountError) {
        let store = accounts
        // Whatever the reason, without a new token the person has to sign in to the account.
        let renewal = try? await AccountAttempt.asking { () async throws(SystemAccountStoreError) in
            try await store.renew(account, insteadOf: token, for: access)
        }
        if Task.isCancelled { throw AccountError(.cancelled, because: "the task was cancelled") }
        guard renewal == .renewed else {
            throw AccountError(
                .newSignInNeeded, at: .profile, because: AccountError.shown(error.words),
                providerCode: error.error.code)
        }
    }

    /// The provider's error; `nil` when it answered with success.
    private func refusal(in answer: HTTPAnswer) throws(AccountError) -> SocialGraphError? {
        let status = answer.response.status.code
        guard !(200...299).contains(status) else { return nil }
        guard let error = SocialGraphError(in: answer.body) else {
            throw AccountError(
                .serviceFailure, at: .profile, because: "status \(status) without an error", status: status)
        }
        return error
    }

    private func credentials(
        in answer: HTTPAnswer,
        with token: AccessToken
    ) throws(AccountError) -> SocialGraphCredentials {
        guard let profile = try? answer.decoded(SocialGraphProfile.self, orAs: SocialGraphError.otherMedia),
            !profile.id.isEmpty, !token.revealed.isEmpty
        else { throw AccountError(.serviceFailure, at: .profile, because: "the answer is no profile") }
        return SocialGraphCredentials(
            id: profile.id,
            name: profile.name,
            token: token,
            email: profile.email.flatMap { $0.isEmpty ? nil : $0 },
            avatar: profile.picture ?? provider.avatar(of: profile.id)
        )
    }
}
