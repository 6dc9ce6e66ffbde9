public import Countersign
public import CountersignWire

/// The reason that a request of a screen nearby, of another app or in the inbox cannot be looked at or decided, or
/// another call of an app that approves has failed.
///
/// Two errors are equal when their codes are; the reason is for the log.
public struct ApprovalError: CodedError, CustomStringConvertible {
    /// The kinds of failure that lead to different steps.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The app is not signed in to the server of the request. Nothing was sent anywhere.
        case unknownIssuer
        /// The app is not signed in any more.
        case signedOut
        /// The account is locked at the server for now. This is no sign-out: what the device keeps is good again once
        /// the account is unlocked.
        case accountLocked
        /// The app was not given the right to approve: the scope `nearby_approve`.
        case notPermitted
        /// There is no such request, or it is decided, changed or over.
        case nothingToDecide
        /// The request has expired.
        case expired
        /// The evidence is not enough: the person has to type the digits of the screen.
        case digitsNeeded
        /// The typed number is not the one that is shown where the person started. The third such answer ends the request.
        case wrongNumber
        /// The server rejects the signature: another key than this sign-in's, or a wrong clock.
        case refused
        /// The server's rules do not let this device decide the request, or not with its evidence.
        case policyRefused
        /// The request has nothing to approve or deny: its passcode is typed at the other screen.
        case notAnswerable
        /// The device is not registered in that site.
        case notRegistered
        /// The site does not know this device's secret.
        case wrongSecret
        /// The code or ticket is wrong, used or too old.
        case wrongCode
        /// The key cannot be used.
        case keyUnusable
        /// The server offers no such thing.
        case notOffered
        /// Too many requests; it makes sense to ask again later.
        case busy
        /// The server was not reached, or failed. Nothing was decided.
        case unreachable
        /// The other side could not prove by its certificate that it is the server. Nothing was sent.
        case notTrusted
        /// The store of this device cannot be used.
        case storeUnusable
        /// The connection ended before the answer came: the decision was written down, or it was not.
        case outcomeUnknown
        /// The server answered what makes no sense.
        case badAnswer
        /// The task was cancelled.
        case cancelled
    }

    /// The kind of failure; a program looks at this.
    public let code: Code
    /// The reason, for the log.
    public let reason: String

    /// The place where the same person answered the request, with `nothingToDecide`; `nil` if they did not, or the
    /// server does not say.
    public let answered: AnswerPlace?

    /// The demand that the approval does not meet, with `policyRefused`; `nil` where the server names none. Nothing was
    /// decided.
    public let obstacle: ApprovalObstacle?

    /// The server's words on an address for push messages that it does not call, with `refused`; `nil` for everything
    /// else.
    public let objection: String?

    /// The longest objection that is shown, in characters.
    static let longestObjection = 400

    /// The pause that the server asks for; `nil` if unknown, or if none was reached.
    public let retryAfter: Duration?

    /// Whether the same may succeed a moment later: the server was not reached, or failed.
    let isPassing: Bool

    /// An error of a kind.
    init(
        _ code: Code,
        because reason: String,
        isPassing: Bool = false,
        retryAfter: RetryAfter? = nil,
        answered place: AnswerPlace? = nil,
        obstacle: ApprovalObstacle? = nil,
        objection: String? = nil
    ) {
        self.obstacle = obstacle
        self.objection = objection
        self.code = code
        self.reason = reason
        answered = place
        self.isPassing = isPassing
        self.retryAfter = retryAfter.map { .seconds($0.seconds) }
    }

    /// Runs work, and maps any error of it to one of a kind.
    ///
    /// - Parameter place: The words before the error, for the log.
    nonisolated(nonsending) static func mapping<Value>(
        to code: Code,
        at place: String = "",
        _ work: nonisolated(nonsending) () async throws -> Value
    ) async throws(ApprovalError) -> Value {
        do {
            return try await work()
        } catch {
            throw ApprovalError(code, because: "\(place)\(error)")
        }
    }

    /// Whether a request cannot be decided any more, for whatever reason.
    package var endsRequest: Bool { code == .nothingToDecide || code == .expired }

    /// The code and the reason, for a log.
    public var description: String {
        "\(code.rawValue): \(reason)" + (answered.map { ", answered \($0)" } ?? "")
    }
}
