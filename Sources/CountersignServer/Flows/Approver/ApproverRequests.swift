internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import Hummingbird

/// The shared steps of all endpoints for approving apps: authentication of the app by its access token, and counting.
///
/// Standard: RFC 6750 §2.1; RFC 9449 §7.1.
final class ApproverRequests: Sendable {
    let services: FlowServices
    private let authentication: ApproverAuthentication

    init(_ services: FlowServices) {
        self.services = services
        authentication = ApproverAuthentication(services)
    }

    /// The one answer for every request that cannot be looked at or decided any more.
    static let noOpenRequest = OAuthError(
        .invalidGrant,
        "there is no such request, or it is decided, over or changed",
        because: "no request that can be decided"
    )

    /// The same answer to the person who answered the request at another place.
    static func answered(at place: AnswerPlace) -> Response {
        let message = ApproverErrorResponse(noOpenRequest, answeredBy: place)
        return JSONResponse(holding: message, status: noOpenRequest.status, headers: [:]).response
    }

    /// A request with a presented token; ``app(in:)`` looks up its app each time.
    struct Caller: Sendable {
        let token: PresentedAccessToken
        let keys: Keys
        /// The network address of the app.
        let address: String?
        fileprivate let requests: ApproverRequests

        /// The app that sent the request.
        ///
        /// - Throws: ``OAuthError`` `invalid_token`, `insufficient_scope`.
        func app(in repositories: any Repositories) throws -> ApprovingApp {
            try requests.authentication.app(presenting: token, trusting: keys, in: repositories)
        }

        /// Authenticates the app before anything else of its request is read.
        ///
        /// - Throws: ``OAuthError`` `invalid_token`, `insufficient_scope`; ``StoreUnavailableError``.
        func authenticate() async throws {
            _ = try await requests.services.store.read { try app(in: $0) }
        }

        /// The app that sent the request, which is counted.
        ///
        /// - Parameters:
        ///   - isOpened: Whether the system opened the app with an address, which any page of the web can cause: such
        ///     requests are counted apart, so that the others go on. `false` by default.
        ///   - repositories: The change that answers the request.
        /// - Throws: ``OAuthError`` `invalid_token`, `insufficient_scope`; ``RateLimitError``.
        func countedApp(isOpened: Bool = false, in repositories: any Repositories) throws -> ApprovingApp {
            let app = try app(in: repositories)
            let subject = app.person.subject
            var key = RateLimitKey.subject(.approverPerAccount, subject)
            if isOpened {
                key = RateLimitKey(rule: .approverPerAccount, whom: "opened \(subject)", subject: subject)
            }
            try requests.services.limits.admitAndCount([key], in: repositories)
            return app
        }

        /// Counts the request in a change of its own.
        ///
        /// - Returns: The app that sent it.
        /// - Throws: ``OAuthError`` `invalid_token`, `insufficient_scope`; ``RateLimitError``;
        ///   ``StoreUnavailableError``.
        @discardableResult
        func count() async throws -> ApprovingApp {
            try await requests.services.store.change { try countedApp(in: $0) }
        }

        /// The key of the app that sent the request; `nil` when it has none yet. A token with a cached key is not
        /// looked up here: the change that answers the request does that in any case.
        ///
        /// - Throws: ``OAuthError`` `invalid_token`, `insufficient_scope`; ``StoreUnavailableError``.
        func key() async throws -> ApproverKey? {
            if let known = requests.authentication.knownKey(of: token) { return known }
            return try await requests.services.store.read { try app(in: $0) }.signIn.approverKey
        }
    }

    /// Answers a request that presents a token; every other gets a challenge.
    ///
    /// - Parameter path: The path of the endpoint, which a DPoP proof names.
    func answering(
        _ request: Request,
        in context: ServerRequestContext,
        at path: String,
        _ answer: (Caller) async throws -> Response
    ) async throws -> Response {
        let address = context.address(of: request, by: services.addresses)
        return try await authentication.answering(request) { keys in
            let presented: PresentedAccessToken?
            do {
                presented = try await PresentedAccessToken(
                    in: request, over: context.certificate, at: path, of: services.core, services.tokens)
            } catch let error as OAuthError where error.code == .invalidRequest {
                return .tokenChallenge(error, to: request)
            }
            guard let token = presented else { return .tokenChallenge(to: request) }
            return try await answer(Caller(token: token, keys: keys, address: address, requests: self))
        }
    }

    /// The device of an app's sign-in.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when it was never registered.
    func device(of app: ApprovingApp, in repositories: any Repositories) throws -> EnrolledDevice {
        guard let device = try repositories.devices.find(app.signIn.grant.id) else { throw Self.notRegistered }
        return device
    }

    /// The error for a device that was never registered.
    static let notRegistered = OAuthError(
        .invalidRequest,
        "this device is not registered",
        because: "no device of this sign-in"
    )

    /// The error for a device whose key is not known.
    static let keyMissing = OAuthError(
        .invalidRequest,
        "the device has to register with key_proof first",
        because: "no key of this sign-in"
    )

    /// An answer without content.
    static let done = Response(status: .noContent, headers: [.cacheControl: "no-store"])
}
