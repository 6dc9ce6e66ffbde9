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
    let screen: String?
    let message: String?
    let address: String?
    let place: String?
    let asked: Date
    let expires: Date
    let digits: Int?
    let code: String?
    private let sentence: String

    init(_ shown: WaitingRequest) {
        id = shown.id.rawValue
        kind = (shown.passcode == nil ? AuthenticationRequest.Kind.instant : .oneTimePassword).rawValue
        account = shown.accountName
        client = shown.client.value.rawValue
        name = shown.clientName.value
        if case .site(let site) = shown.kind { environment = site.name } else { environment = nil }
        screen = shown.deviceName?.value
        message = shown.message?.value
        address = shown.address?.value
        place = shown.placeName
        asked = shown.asked.value
        expires = shown.deadline
        digits = shown.step == .matchNumber ? VerificationNumber.length : nil
        code = shown.passcode
        sentence = shown.question
    }

    private enum CodingKeys: String, CodingKey {
        case id, kind, account, client, name, environment, screen, message, address, place, asked, expires, digits, code
    }

    /// The request in lines for a person.
    var lines: [String] {
        var lines = [sentence, "  id:     \(id)"]
        if let message { lines.append("  about:  \(message)") }
        if let screen { lines.append("  screen: \(screen) (as it calls itself)") }
        let origin = [address, place].compactMap(\.self).joined(separator: ", ")
        if !origin.isEmpty { lines.append("  from:   \(origin)") }
        lines.append("  asked:  \(asked.formatted(date: .omitted, time: .standard))")
        lines.append("  until:  \(expires.formatted(date: .omitted, time: .standard))")
        if let code { lines.append("  code:   \(code) (type it at the other screen)") }
        if digits != nil { lines.append("  number: to approve, type the \(VerificationNumber.words)") }
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
                number that is shown where they started. With --desktop notifications with buttons come, too. With --json each \
                line is an object with the member "event": arrived, withdrawn, expired, undone, new_device, \
                temporary_failure or ended.
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
                guard wait else { return try await list(terminal.approver) }
                if desktop { return try await notify(terminal.approver) }
                let events = InboxOutput(printsJSON: options.json)
                let approver = terminal.approver
                guard !options.json, Terminal.givesInput else {
                    return try await untilInterrupted { try await events.tell(of: approver) }
                }
                let person = InboxQuestions(about: approver)
                try await untilInterrupted { try await person.ask() }
            }
        }

        private func list(_ approver: Approver) async throws {
            let requests = try await approver.waitingRequests().map { PrintedRequest($0) }
            let text = requests.flatMap(\.lines).joined(separator: "\n")
            try CommandOutput(encoding: requests, requests.isEmpty ? "No requests are pending." : text)
                .print(asJSON: options.json)
        }

        private func notify(_ approver: Approver) async throws {
            #if SecretService && os(Linux)
            let presenter = DesktopNotifications(of: "Countersign", clock: .system)
            let registration = NotificationRegistration(with: presenter)
            guard try await registration.register(try notifications.categories()) else {
                throw CommandError("The notifications of this desktop have no buttons. Leave out --desktop.")
            }
            let notifier = RequestNotifier(for: approver, with: registration, presenting: presenter) { outcome in
                switch outcome {
                case .answered(let id, let isApproved):
                    Terminal.say("\(id): \(isApproved ? "approved" : "denied")".shown)
                case .openApp(let request): for line in PrintedRequest(request).lines { Terminal.say(line) }
                case .failed(_, let error), .ended(let error): Terminal.complain(error.sentence)
                case .newDevice(let device): Terminal.say(device.sentence)
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
