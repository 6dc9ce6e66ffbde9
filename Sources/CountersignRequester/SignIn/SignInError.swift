public import Countersign
public import CountersignTransport
internal import CountersignWire

/// The reason that a sign-in failed.
///
/// ``sentence`` is for the person at the screen, ``reason`` for the log. Two errors are equal when their codes are.
///
/// ```swift
/// do throws(SignInError) {
///     radio.start(with: try await signIn.run(confirming: ask))
/// } catch {
///     if error.code == .expired { offerAnotherCode() } else { screen.show(error.sentence) }
/// }
/// ```
public struct SignInError: CodedError, CustomStringConvertible {
    /// The kind of failure, as far as a program can act on it.
    public struct Code: Identifier {
        /// The code in logs.
        public let rawValue: String

        /// A code by its text; the known ones are members of this type, such as ``denied``.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The kind of failure.
    public let code: Code
    /// The reason in detail; it holds no secret.
    public let reason: String
    /// The server's own error code, such as `invalid_client`; `nil` when the error does not come from the server.
    public let providerCode: String?
    /// The server's description, for a developer: one short line; `nil` when there is none.
    public let providerDescription: String?
    /// A sentence of this error alone, which names what is wrong; `nil` for that of its code.
    let ownSentence: String?

    /// An error with its reason for the log.
    public init(_ code: Code, because reason: String) { self.init(code, because: reason, saying: nil) }

    /// An error with its reason for the log, and a sentence in place of that of its code.
    init(_ code: Code, because reason: String, saying sentence: String?) {
        self.code = code
        self.reason = reason
        ownSentence = sentence
        providerCode = nil
        providerDescription = nil
    }

    /// A server's error; its text is untrusted, and is sanitized for a log.
    init(_ code: Code, providerCode: String, providerDescription: String?) {
        let word = DeviceAuthorizationRequest.presentable(providerCode) ?? "?"
        let words = providerDescription.flatMap { DeviceAuthorizationRequest.presentable($0, upTo: 200) }
        self.code = code
        ownSentence = nil
        self.providerCode = word
        self.providerDescription = words
        reason = words.map { "the server says \(word): \($0)" } ?? "the server says \(word)"
    }

    static let taskCancelled = SignInError(.cancelled, because: "the task was cancelled")

    /// Code and reason, for the log.
    public var description: String { "\(code): \(reason)" }
}

extension SignInError: TransientError {
    /// Whether the server was not reached, has failed, or limits the rate of requests.
    public var isTransient: Bool { [.notReachable, .serverFailure, .tooFast].contains(code) }

    /// Whether the account is locked at the server, so that the stored sign-in is suspended.
    public var isAccountLocked: Bool { code == .accountLocked }
}

extension SignInError.Code {
    /// The person refused.
    public static let denied = Self("denied")
    /// The person did not answer in time.
    public static let expired = Self("expired")
    /// The server cannot be reached.
    public static let notReachable = Self("not_reachable")
    /// The server's certificate could not be verified.
    public static let notTrusted = Self("not_trusted")
    /// The server is overloaded or has failed.
    public static let serverFailure = Self("server_trouble")
    /// There is no authorization server at the address.
    public static let noServerFound = Self("no_server_found")
    /// The server at the address names another issuer.
    public static let issuerMismatch = Self("issuer_mismatch")
    /// The server demands a connection without TLS.
    public static let insecureEndpoint = Self("insecure_endpoint")
    /// The server's metadata name no endpoint for this way of signing in.
    public static let flowNotOffered = Self("flow_not_offered")
    /// The server does not bind tokens to a key of this device (DPoP), and the app demands it.
    public static let bindingNotOffered = Self("binding_not_offered")
    /// The server has the endpoint, and does not accept this way of signing in there (`unsupported_grant_type`).
    public static let grantTypeRefused = Self("grant_type_refused")
    /// The server does not know this app, or does not allow it to sign in this way.
    public static let clientRefused = Self("client_refused")
    /// The app asks for a scope that it may not have.
    public static let scopeRefused = Self("scope_refused")
    /// The server refused for another reason.
    public static let refused = Self("refused")
    /// The code that the person typed on this screen is wrong, used or expired.
    public static let codeRefused = Self("code_refused")
    /// The token of another provider is not good, was exchanged before, or is of a person whom the server does not
    /// know.
    public static let subjectTokenRefused = Self("subject_token_refused")
    /// The sign-in at the other provider is not enough for what the app asks.
    public static let strongerSignInNeeded = Self("stronger_sign_in_needed")
    /// None of the ways that the screen was to take is strong enough for what the app asks
    /// (`unmet_authentication_requirements`).
    public static let strongerWayNeeded = Self("stronger_way_needed")
    /// The server does not allow the chosen way.
    public static let wayNotAllowed = Self("way_not_allowed")
    /// The remembered person is not asked on their devices: they muted the app, or it needs a stronger way.
    public static let notAsked = Self("not_asked")
    /// The server limits the rate of requests.
    public static let tooFast = Self("too_fast")
    /// The answer with the token was lost on the way, and the server does not repeat it any more.
    public static let answerLost = Self("answer_lost")
    /// The text is no domain.
    public static let domainRefused = Self("domain_refused")
    /// A person has to approve, and no presentation was given.
    public static let personNeeded = Self("person_needed")
    /// The server's answer cannot be understood.
    public static let badAnswer = Self("bad_answer")
    /// The server did not identify the signed-in person, although requested.
    public static let identityMissing = Self("identity_missing")
    /// The server's statement about the person could not be verified.
    public static let identityRefused = Self("identity_refused")
    /// The person at the screen is not the one who was signed in.
    public static let notMe = Self("not_me")
    /// Another person answered than the one who was chosen.
    public static let anotherPerson = Self("another_person")
    /// The server does not remember the person on this screen any more.
    public static let notRemembered = Self("not_remembered")
    /// The answer from the browser or another app does not belong to this sign-in.
    public static let answerRejected = Self("answer_rejected")
    /// The app chose a way that this screen cannot take, or that does not exist.
    public static let wayUnusable = Self("way_unusable")
    /// No browser could be opened here, or it could not come back.
    public static let browserNotOpened = Self("browser_not_opened")
    /// The system gave no token of an account.
    public static let accountUnusable = Self("account_unusable")
    /// The app stopped it.
    public static let cancelled = Self("cancelled")
    /// The tokens could not be stored.
    public static let notStored = Self("not_stored")
    /// The stored tokens could not be read.
    public static let notLoaded = Self("not_loaded")
    /// The store on this device cannot be opened, so nothing is added to it.
    public static let storeUnusable = Self("store_unusable")
    /// The key of the store on this device is malformed, or other users can read it.
    public static let keyUnfit = Self("key_unfit")
    /// The keyring or Keychain that holds the key of the store is missing or locked.
    public static let keyringUnavailable = Self("keyring_unavailable")
    /// Another program holds the lock of the same sign-in for too long.
    public static let busyElsewhere = Self("busy_elsewhere")
    /// The stored sign-in has ended; a new one is needed.
    public static let signedOut = Self("signed_out")
    /// The account is locked at the server. The stored sign-in is suspended until the operator resumes it.
    public static let accountLocked = Self("account_locked")
}
