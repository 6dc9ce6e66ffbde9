internal import ArgumentParser
internal import Countersign
internal import CountersignApprover
internal import CountersignWire
internal import Foundation

/// A request for output.
struct PrintedRequest: Encodable {
    let id: String
    let kind: String
    let account: String
    let client: String
    let name: String
    let environment: String?
    let message: String?
    let address: String?
    let place: String?
    let asked: Date
    let expires: Date
    let digits: Int?
    let code: String?

    init(_ shown: InboxRequestDescription) {
        id = shown.id.rawValue
        kind = shown.kind.rawValue
        account = shown.accountName
        client = shown.client.value.rawValue
        name = shown.clientName.value
        environment = shown.environment?.name
        message = shown.message?.value
        address = shown.address?.value
        place = shown.placeName
        asked = shown.asked.value
        expires = shown.deadline
        digits = shown.numberDigits
        code = shown.pin
    }

    /// The request in lines for a person.
    var lines: [String] {
        var lines = ["\(environment ?? name) wants you to sign in as \(account).", "  id:     \(id)"]
        if let message { lines.append("  about:  \(message)") }
        let origin = [address, place].compactMap(\.self).joined(separator: ", ")
        if !origin.isEmpty { lines.append("  from:   \(origin)") }
        lines.append("  asked:  \(asked.formatted(date: .omitted, time: .standard))")
        lines.append("  until:  \(expires.formatted(date: .omitted, time: .standard))")
        if let code { lines.append("  code:   \(code) (type it at the other screen)") }
        if let digits { lines.append("  number: \(digits) digits, which the other screen shows") }
        return lines.map(\.shown)
    }
}

extension AuthenticatorCommand {
    /// `countersign authenticator inbox`
    struct Inbox: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what waits for you.",
            discussion: """
                With --wait it goes on showing what comes, until Ctrl-C; a person at a terminal answers there: "y", "n", or the \
                number that the other screen shows. With --desktop notifications with buttons come, too. With --json each \
                line is an object with the member "event": arrived, withdrawn, expired, temporary_failure or ended.
                """
        )

        @OptionGroup var options: AuthenticatorOptions

        @Flag(help: "Wait for more.")
        var wait = false

        @Flag(help: "Show notifications on this desktop, with buttons; with --wait.")
        var desktop = false

        @OptionGroup var notifications: NotificationOptions

        func run() async throws {
            try await approving {
                let terminal = try await options.terminal()
                guard wait else { return try await list(terminal.authenticator) }
                if desktop { return try await notify(terminal.authenticator) }
                let events = InboxOutput(printsJSON: options.json)
                let authenticator = terminal.authenticator
                guard !options.json, Terminal.givesInput else {
                    return try await untilInterrupted { try await events.tell(of: authenticator) }
                }
                let person = InboxQuestions(about: authenticator)
                try await untilInterrupted { try await person.ask() }
            }
        }

        private func list(_ authenticator: Authenticator) async throws {
            var requests: [PrintedRequest] = []
            for waiting in try await authenticator.waitingRequests() {
                do throws(ApprovalError) {
                    requests.append(PrintedRequest(try await authenticator.look(at: waiting.id)))
                } catch {
                    // It was answered in between.
                    guard error.endsRequest else { throw error }
                }
            }
            let text = requests.flatMap(\.lines).joined(separator: "\n")
            try CommandOutput(encoding: requests, requests.isEmpty ? "No requests are pending." : text)
                .print(asJSON: options.json)
        }

        private func notify(_ authenticator: Authenticator) async throws {
            #if SecretService && os(Linux)
            let presenter = DesktopNotifications(of: "Countersign", clock: .system)
            let registration = NotificationRegistration(with: presenter)
            guard try await registration.register(try notifications.categories()) else {
                throw CommandError("The notifications of this desktop have no buttons. Leave out --desktop.")
            }
            let notifier = RequestNotifier(for: authenticator, with: registration, presenting: presenter) { outcome in
                switch outcome {
                case .answered(let id, let isApproved):
                    Terminal.say("\(id): \(isApproved ? "approved" : "denied")".shown)
                case .openApp(let request): for line in PrintedRequest(request).lines { Terminal.say(line) }
                case .failed(_, let error), .ended(let error): Terminal.complain(error.sentence)
                case .openScanner, .arrived: break
                }
            }
            try await untilInterrupted { await notifier.run() }
            #else
            throw CommandError.usage(
                "This build shows no notifications. Build it with the package trait SecretService.")
            #endif
        }
    }
}
