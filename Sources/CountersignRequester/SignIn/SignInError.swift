public import Countersign
internal import CountersignWire

/// Why there is no sign-in.
///
/// ``sentence`` is for the person at the screen, ``reason`` for the log. Two errors are equal when their codes are.
public struct SignInError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong, as far as a program can act on it.
    public struct Code: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// What went wrong.
    public let code: Code
    /// What happened in detail; it holds no secret.
    public let reason: String
    /// The server's own word for it, such as `invalid_client`; `nil` when it is not the server that says no.
    public let providerCode: String?
    /// What the server says about it besides, for a developer: one line, not too long.
    public let providerDescription: String?

    /// An error with its reason for the log.
    public init(_ code: Code, because reason: String) {
        self.code = code
        self.reason = reason
        providerCode = nil
        providerDescription = nil
    }

    /// An error that a server named; its words may be anything, and become fit for a log.
    init(_ code: Code, providerCode: String, providerDescription: String?) {
        let word = DeviceAuthorizationRequest.presentable(providerCode) ?? "?"
        let words = providerDescription.flatMap { DeviceAuthorizationRequest.presentable($0, upTo: 200) }
        self.code = code
        self.providerCode = word
        self.providerDescription = words
        reason = words.map { "the server says \(word): \($0)" } ?? "the server says \(word)"
    }

    public static func == (left: SignInError, right: SignInError) -> Bool {
        left.code == right.code
    }

    public var description: String { "\(code): \(reason)" }
}

extension SignInError.Code {
    /// The person said no.
    public static let denied = Self("denied")
    /// Nobody answered in time.
    public static let expired = Self("expired")
    /// There is no way to the server.
    public static let notReachable = Self("not_reachable")
    /// The server could not prove by its certificate that it is the one that was asked.
    public static let notTrusted = Self("not_trusted")
    /// The server has too much to do, or a fault.
    public static let serverTrouble = Self("server_trouble")
    /// There is no authorization server at the address.
    public static let noServerFound = Self("no_server_found")
    /// What is at the address calls itself by another name.
    public static let issuerMismatch = Self("issuer_mismatch")
    /// The server wants to be talked to without encryption.
    public static let insecureEndpoint = Self("insecure_endpoint")
    /// The server does not offer to sign in by user code.
    public static let flowNotOffered = Self("flow_not_offered")
    /// The server does not know this app, or does not let it sign in this way.
    public static let clientRefused = Self("client_refused")
    /// The app asks for something that it may not have.
    public static let scopeRefused = Self("scope_refused")
    /// The server says no for another reason.
    public static let refused = Self("refused")
    /// The server wants to be asked less often.
    public static let tooFast = Self("too_fast")
    /// The answer to a request was lost on the way, and cannot be asked for again.
    public static let answerLost = Self("answer_lost")
    /// What was asked for is no domain.
    public static let domainRefused = Self("domain_refused")
    /// A person has to come in, and there is nothing to show them where.
    public static let personNeeded = Self("person_needed")
    /// The server's answer cannot be read.
    public static let badAnswer = Self("bad_answer")
    /// The server did not say who signed in, although it was asked.
    public static let identityMissing = Self("identity_missing")
    /// What the server says of the person could not be verified.
    public static let identityRefused = Self("identity_refused")
    /// The person at the screen is not the one who was signed in.
    public static let notMe = Self("not_me")
    /// The app stopped it.
    public static let cancelled = Self("cancelled")
    /// The tokens could not be written down.
    public static let notStored = Self("not_stored")
    /// The tokens that were written down could not be read.
    public static let notLoaded = Self("not_loaded")
    /// What is kept on this device cannot be opened, so nothing is added to it.
    public static let storeUnusable = Self("store_unusable")
    /// Another program is busy with the same sign-in, and does not finish.
    public static let busyElsewhere = Self("busy_elsewhere")
    /// The sign-in that was kept has ended; a new one is needed.
    public static let signedOut = Self("signed_out")
}
