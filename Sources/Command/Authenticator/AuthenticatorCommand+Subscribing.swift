internal import ArgumentParser
internal import Countersign
internal import CountersignApprover
internal import CountersignWire

extension AuthenticatorCommand {
    /// `countersign authenticator subscribe`
    struct Subscribe: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "Get push messages by UnifiedPush or Web Push.",
            discussion: """
                Without ENDPOINT it prints the server's public key (VAPID), which the push service asks for. With the \
                ENDPOINT that the service gave, the server sends messages there, encrypted for keys that stay here; \
                'authenticator push --encrypted' reads them. For example:

                  countersign authenticator subscribe https://push.example.com/abcdef
                """
        )

        @Argument(help: "The address for messages that the push service gave.")
        var endpoint: String?

        @Flag(help: "Get no push messages any more.")
        var off = false

        @OptionGroup var options: AuthenticatorOptions

        func validate() throws {
            guard endpoint == nil || !off else { throw ValidationError("Say ENDPOINT or --off, not both.") }
        }

        func output() async throws -> CommandOutput {
            if let endpoint, (try? Endpoint(endpoint)) == nil {
                throw CommandError.usage("ENDPOINT is an address as in https://push.example.com/abcdef.")
            }
            let approver = try await options.terminal().approver
            if let endpoint {
                let registration = try await approver.register(webPushAt: endpoint, drawingFrom: .system)
                return CommandOutput(registration.members, "Push messages are sent to \(endpoint.shown).")
            }
            if off {
                var change = DeviceDetails()
                change.isPushEnabled = false
                return CommandOutput(try await approver.register(change).members, "No push messages are sent any more.")
            }
            guard let key = try await approver.registration().webPushKey else {
                throw CommandError("The server sends no messages by UnifiedPush and Web Push.", status: .refused)
            }
            return CommandOutput(["key": key], "The server's key: \(key)")
        }
    }
}
