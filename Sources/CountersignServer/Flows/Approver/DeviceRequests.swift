internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The parts that the endpoints for enrolled devices share beside ``ApproverRequests``: the device of the app's
/// sign-in, and the limits of its changes.
struct DeviceRequests: Sendable {
    let server: ServerServices

    /// The app on a device, as it sent a request.
    typealias Caller = ApproverRequests.Caller

    /// Answers a request that presents a token; every other gets a challenge.
    ///
    /// - Parameter path: The path of the endpoint, which a DPoP proof names.
    func answering(
        _ request: Request,
        in context: ServerRequestContext,
        at path: String,
        _ answer: (Caller) async throws -> Response
    ) async throws -> Response {
        try await ApproverRequests(server: server).answering(request, in: context, at: path, answer)
    }

    /// Counts a change of what is kept of a device, right or wrong.
    ///
    /// - Throws: ``LimitReached``.
    func admitChange(by caller: Caller, of app: ApprovingApp, in repositories: any Repositories) throws {
        try server.limits.admitAndCount([.subject(.approverPerAccount, app.person.subject)], in: repositories)
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
