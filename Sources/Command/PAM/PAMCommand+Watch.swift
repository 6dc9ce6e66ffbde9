internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import Foundation

extension PAMCommand {
    /// `countersign pam watch`: ends a session of this system when its person signs out, or is locked.
    ///
    /// It asks the server each second. While the server is away, the session goes on; where the watch itself is stopped,
    /// the session ends, too.
    struct Watch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a session when its person signs out; 'pam' starts it.", shouldDisplay: false)

        // Its parent takes every --config.
        @Option(help: "The file with the configuration.")
        var configuration: String

        @Option(help: "The service of the session.")
        var service: String

        @Option(help: "The process that leads the session, and its start.")
        var leader: HostProcess

        @Argument(help: "The folder with the tokens.")
        var folder: String

        /// The time between two questions to the server.
        private static let pause = Duration.seconds(1)
        /// The time that the session has to end by itself.
        private static let grace = Duration.milliseconds(500)

        func run() async throws {
            try await ending {
                setsid()
                let host = try PAMConfiguration(at: configuration)
                try host.trustCertificates()
                let rule = try host.services[service].or(failure: "There is no rule for \(service).")
                let session = HostSession(at: folder)
                let tokens = PAMSigningIn.tokens(in: session.store, for: host)
                // Signals are caught by then: who has read it may go.
                try? await untilInterrupted { [leader] in
                    Terminal.say("ready")
                    while leader.isRunning, session.isOpen, await Self.holds(tokens, by: rule) {
                        try await TimeSource.system.sleep(for: Self.pause)
                    }
                }
                if leader.isRunning, session.isOpen { await end() }
                await session.end(at: host)
            }
        }

        /// Whether the sign-in still holds, as far as the server says.
        private static func holds(_ tokens: TokenRefresher, by rule: PAMServiceRule) async -> Bool {
            do throws(SignInError) {
                return rule.admits(try await tokens.userInfo())
            } catch {
                return error.code != .signedOut && error.code != .accountLocked
            }
        }

        /// Ends the session.
        private func end() async {
            leader.send(SIGHUP)
            try? await TimeSource.system.sleep(for: Self.grace)
            leader.send(SIGTERM)
        }
    }
}

extension HostProcess: ExpressibleByArgument {}
