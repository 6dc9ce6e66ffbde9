internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// What the endpoints for enrolled devices share: the token of the app, its limits, and the device of its sign-in.
///
/// Standard: RFC 6750 §2.1; RFC 9449 §7.1.
struct DeviceRequests: Sendable {
    let server: ServerServices

    /// A request with a token that was presented; ``app(in:)`` says whose it is, each time that it is looked up.
    struct Caller: Sendable {
        let token: PresentedAccessToken
        let keys: Keys
        /// The network address of the device.
        let address: String?
        fileprivate let approvers: ApproverAuthentication

        /// The app that sent the request.
        ///
        /// - Throws: ``OAuthError`` `invalid_token`, `insufficient_scope`.
        func app(in repositories: any Repositories) throws -> ApprovingApp {
            try approvers.app(presenting: token, trusting: keys, in: repositories)
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
        let address = context.address(of: request, by: server.addresses)
        return try await server.approvers.answering(request) { keys in
            guard
                let token = try await PresentedAccessToken(
                    in: request,
                    over: context.certificate,
                    at: path,
                    verifying: server.proofs
                )
            else { return .tokenChallenge(to: request) }
            return try await answer(
                Caller(token: token, keys: keys, address: address, approvers: server.approvers)
            )
        }
    }

    /// Counts a change of what is kept of a device, right or wrong.
    ///
    /// - Throws: ``LimitReached``.
    func admitChange(by caller: Caller, of app: ApprovingApp, in repositories: any Repositories) throws {
        let rateKeys: [RateLimitKey] = [
            .address(.deviceChangePerAddress, caller.address),
            .subject(.deviceChangePerAccount, app.person.subject),
        ]
        try server.limits.admitAndCount(rateKeys, in: repositories)
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
