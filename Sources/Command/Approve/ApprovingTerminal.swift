internal import Countersign
internal import CountersignApprover
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// This terminal as an approver, with what it has: a sign-in that may approve, and its enrolment if it is enrolled.
struct ApprovingTerminal: Sendable {
    let enrolled: EnrolledTerminal
    var approver: Approver { enrolled.approver }
    /// The name of the signed-in person; `nil` when it is not known.
    let person: String?
    /// Whether requests come from the server.
    let hasInbox: Bool

    /// Opens the terminal's sign-in.
    ///
    /// - Parameters:
    ///   - options: The options that select the sign-in.
    ///   - ways: The chosen ways; `nil` for all.
    /// - Throws: ``CommandError`` that says what is missing, and the command that gets it.
    static func open(_ options: AuthenticatorOptions, ways: Set<ApprovalWay>?) async throws -> ApprovingTerminal {
        let store = try options.tokens.store()
        guard let key = try await options.signIn(in: store), let stored = try await store.signedIn(for: key) else {
            throw try await options.notEnrolled(in: store)
        }
        let signedIn = try await renewed(stored, by: try options.server.refresher(of: key, in: store))
        guard signedIn.scope.contains(.nearbyApprove) else {
            let remedy =
                "countersign signin --issuer \(key.names[0]) --client \(key.names[1]) --scope \"openid nearby_approve\""
            throw CommandError(
                "\(ApprovalError.Code.notPermitted.sentence) Type: \(remedy)")
        }
        let isEnrolled = try await options.terminal(of: key, in: store).approver.keptRegistration() != nil
        let hasInbox = isEnrolled && ways?.contains(.inbox) != false
        guard isEnrolled || ways?.contains(.inbox) != true else {
            throw CommandError.notEnrolled
        }
        // A screen nearby is not asked for its digits twice because a packet was lost: the look takes its time.
        let terminal = try options.terminal(
            of: key, in: store, isDevice: hasInbox, lookingFor: ApprovalOptions().lookTimeLimit,
            entrances: ["\(key.names[0])/authorize"])
        return ApprovingTerminal(
            enrolled: terminal, person: signedIn.identity?.displayName, hasInbox: hasInbox)
    }

    /// The command that enrols a terminal by its sign-in.
    static let enrolling =
        "To be asked about all that waits for you, type: countersign authenticator enroll"

    /// The sign-in as the server has it. A server that is away is asked again later, and so the stored one counts.
    private static func renewed(
        _ stored: CompletedSignIn,
        by refresher: TokenRefresher
    ) async throws -> CompletedSignIn {
        do throws(SignInError) {
            return try await refresher.signedIn()
        } catch {
            guard error.code != .signedOut else { throw CommandError.signedOutAtServer }
            Terminal.complain(error.sentence)
            return stored
        }
    }
}

extension CommandError {
    /// This terminal is signed in, and the server holds no requests for it.
    static let notEnrolled = CommandError("This terminal is not enrolled. \(ApprovingTerminal.enrolling)")
}
