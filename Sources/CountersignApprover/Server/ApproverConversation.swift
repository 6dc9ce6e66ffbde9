internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The conversation of an app with the servers that it is signed in to, whatever it approves there: its looks and its
/// signed decisions.
struct ApproverConversation: Sendable {
    /// As whom the app is signed in, the preferred account first.
    let accounts: [ApproverAccount]
    /// The store of the keys for decisions.
    let keys: any ApproverKeyStore
    /// The network.
    let transport: any HTTPTransport
    /// The endpoints of the servers, found once each.
    let servers: ApproverServers
    /// The choices of the app.
    let options: ApprovalOptions
    /// The source of the decisions' names.
    let random: RandomSource
    /// The time.
    let clock: TimeSource

    /// Sends a look.
    ///
    /// - Parameter accessDenied: The meaning of `access_denied` at this endpoint.
    /// - Returns: The answer with status 200.
    /// - Throws: ``ApprovalError``.
    func look(
        _ form: Form,
        at endpoint: Endpoint,
        as account: ApproverAccount,
        accessDenied: ApprovalError.Code
    ) async throws(ApprovalError) -> HTTPAnswer {
        try await send(form, to: endpoint, as: account, accessDenied: accessDenied, deciding: false)
    }

    /// Sends a decision, once.
    ///
    /// - Parameter accessDenied: The meaning of `access_denied` at this endpoint.
    /// - Returns: The answer with status 200.
    /// - Throws: ``ApprovalError``.
    func decide(
        _ form: Form,
        at endpoint: Endpoint,
        as account: ApproverAccount,
        accessDenied: ApprovalError.Code
    ) async throws(ApprovalError) -> HTTPAnswer {
        try await send(form, to: endpoint, as: account, accessDenied: accessDenied, deciding: true)
    }

    private func send(
        _ form: Form,
        to endpoint: Endpoint,
        as account: ApproverAccount,
        accessDenied: ApprovalError.Code,
        deciding: Bool
    ) async throws(ApprovalError) -> HTTPAnswer {
        var request = endpoint.request(.post)
        request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        let limit = deciding ? options.timeLimit : options.attemptTimeLimit
        let answer = try await account.answer(to: request) { request throws(ApprovalError) in
            do throws(TransportError) {
                return try await transport.send(request, body: Array(form.encoded.utf8), within: limit)
            } catch {
                throw deciding ? ApprovalError(deciding: error) : ApprovalError(looking: error)
            }
        }
        guard answer.response.status == .ok else {
            throw ApprovalError(answer, accessDenied: accessDenied, deciding: deciding)
        }
        return answer
    }

    /// A decision as a signed token.
    ///
    /// Standard: RFC 7515 (JWS), with the type of these claims.
    ///
    /// - Parameter state: Adds what the claims say of the key that signs them; nothing by default.
    func signed<Claims: DecisionClaims>(
        _ claims: Claims,
        for account: ApproverAccount,
        stating state: (inout Claims, any ApproverSigner) -> Void = { _, _ in }
    ) async throws(ApprovalError) -> String {
        do {
            let signer = try await keys.signer(for: account.id)
            var claims = claims
            state(&claims, signer)
            return try UnverifiedDecision.text(of: claims, by: signer.publicKey, signedBy: signer.signature(over:))
        } catch {
            throw ApprovalError(.keyUnusable, because: "\(error)")
        }
    }

    /// The current time and a new identifier, for a decision.
    func stamp() -> (issued: Int, id: String) {
        (Int(clock.now().timeIntervalSince1970), URLSafeText.encode(random.bytes(16)))
    }

    /// Repeats what changes nothing until the server is reached or the time is over.
    func persistently<Value: Sendable>(
        _ attempt: () async throws(ApprovalError) -> Value
    ) async throws(ApprovalError) -> Value {
        let end = clock.instant() + options.lookTimeLimit
        var pause = Duration.milliseconds(250)
        while true {
            do throws(ApprovalError) {
                return try await attempt()
            } catch {
                guard error.isPassing, clock.instant() + pause < end else { throw error }
            }
            guard (try? await clock.sleep(for: pause)) != nil else {
                throw ApprovalError(.cancelled, because: "the task was cancelled")
            }
            pause = min(pause * 2, .seconds(4))
        }
    }
}
