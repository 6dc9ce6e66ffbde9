internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
internal import Logging
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An error of the backend API and of the older dialect's device API; its reason goes to the log only.
struct EnvironmentAPIFailure: Error, Sendable {
    let status: HTTPResponse.Status
    /// The problem, as a sentence for people who debug.
    let message: String
    /// The reason, for the log; it must hold no secret.
    let reason: String

    init(_ status: HTTPResponse.Status, _ message: String, because reason: String) {
        self.status = status
        self.message = message
        self.reason = reason
    }

    /// A wrong identifier or secret; which of them it is, is not told.
    static func unauthorized(because reason: String) -> EnvironmentAPIFailure {
        EnvironmentAPIFailure(.unauthorized, "The identifier or the secret is wrong.", because: reason)
    }

    static func malformed(_ message: String) -> EnvironmentAPIFailure {
        EnvironmentAPIFailure(.badRequest, message, because: "malformed")
    }

    static func missing(_ message: String) -> EnvironmentAPIFailure {
        EnvironmentAPIFailure(.notFound, message, because: "not there")
    }

    /// The answer in the dialect's form.
    func response(headers: HTTPFields = [:]) -> Response {
        let error = AuthenticatorError(status: status.code, message: message)
        let bytes = (try? JSONEncoder.wire.encode(error)).map { Array($0) } ?? []
        return .json(bytes: bytes, status: status, headers: headers)
    }
}

extension RouterMethods where Context == ServerRequestContext {
    /// Mounts an endpoint whose errors are answered as ``AuthenticatorError``.
    func authenticatorEndpoint(_ path: String, _ methods: [HTTPRequest.Method: Answering]) {
        mount(path, methods.mapValues(AuthenticatorFailures.answering)) { _, allowed in
            EnvironmentAPIFailure(.methodNotAllowed, "This address takes \(allowed).", because: "another method")
                .response(headers: [.allow: allowed])
        }
    }
}

/// Error responses of the backend API and of the older dialect's device API.
enum AuthenticatorFailures {
    /// Wraps `answer`: what it throws becomes an error of the dialect, and the reason is logged.
    static func answering(_ answer: @escaping Answering) -> Answering {
        { request, context in
            do {
                return try await answer(request, context)
            } catch let error as any HTTPResponseError {
                throw error
            } catch {
                return response(to: error, logger: context.logger)
            }
        }
    }

    private static func response(to error: any Error, logger: Logger) -> Response {
        switch error {
        case let failure as EnvironmentAPIFailure:
            logger.debug(
                "refused", metadata: ["status": "\(failure.status.code)", "reason": "\(failure.reason)"])
            return failure.response()
        case let reached as LimitReached:
            return EnvironmentAPIFailure(
                .tooManyRequests,
                "Too many requests; try again in \(reached.retryAfter) s.",
                because: "\(reached.cause)"
            ).response(headers: [.retryAfter: String(reached.retryAfter)])
        case let error as OAuthError:
            // Steps that other endpoints share: bodies that cannot be read.
            return EnvironmentAPIFailure(
                .badRequest, "\(error.description ?? "the request cannot be read").", because: error.reason
            ).response()
        default:
            let failure = ServiceFailure(error, telling: logger)
            return EnvironmentAPIFailure(
                failure.status,
                failure == .unavailable ? "Ask again in a moment." : "The server is at fault.",
                because: "a failure of the server"
            ).response(
                headers: failure == .unavailable ? [.retryAfter: "\(ServiceFailure.retryAfterSeconds)"] : [:])
        }
    }
}

extension Request {
    /// The token in the header.
    ///
    /// - Throws: ``EnvironmentAPIFailure`` of status 401 when there is none, or one that is malformed.
    func environmentToken() throws -> EnvironmentToken {
        guard let text = bearerToken?.revealed, let token = try? EnvironmentToken(text) else {
            throw EnvironmentAPIFailure.unauthorized(because: "no token that can be read")
        }
        return token
    }
}
