internal import ArgumentParser
internal import Countersign
internal import CountersignApprover
internal import CountersignWire
internal import Foundation
internal import NIOConcurrencyHelpers

extension AuthenticatorCommand {
    /// `countersign authenticator push`
    struct Push: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take in push messages as a phone does whose app is closed, or in front.",
            discussion: """
                A message is one line of JSON, as the push service delivers it: for Apple's phones \
                {"aps":{"category":"auth_instant"},"envId":"…","authId":"…"}, for Android's {"type":"auth_instant",…}. Without \
                MESSAGE each line of standard input is one. With --encrypted a message is the base64url of what came by \
                UnifiedPush or Web Push. With --json each line that is printed is an object with the \
                member "event": pushed, notification, foreground, open_scanner, new_device or failed. For example:

                  countersign authenticator push '{"type":"auth_qr"}'
                """
        )

        @Argument(help: "The message.")
        var message: String?

        @Flag(help: "The app is in front: nothing is shown, and the app is told.")
        var foreground = false

        @Flag(help: "The message came by UnifiedPush or Web Push, and is encrypted; see 'authenticator subscribe'.")
        var encrypted = false

        @OptionGroup var notifications: NotificationOptions
        @OptionGroup var options: AuthenticatorOptions

        func run() async throws {
            try await approving {
                let output = PushOutput(printsJSON: options.json)
                let approver = try await options.terminal().approver
                let registration = NotificationRegistration(with: output)
                try await registration.register(try notifications.categories())
                let notifier = RequestNotifier(for: approver, with: registration, presenting: output) { outcome in
                    output.tell(of: outcome)
                }
                let watching = Task { await notifier.watchNotifications() }
                for payload in try await payloads(for: approver) {
                    output.say("pushed", payload.members, or: Self.words(for: payload))
                    if foreground { output.arrive(payload) } else { await notifier.take(payload) }
                }
                output.finish()
                await watching.value
                if let error = output.failure { throw error }
            }
        }

        /// The identifiers in the message, in words.
        private static func words(for payload: PushPayload) -> String {
            let names = [
                payload.kind?.rawValue ?? "no kind", "site \(payload.environment?.rawValue ?? "-")",
                "request \(payload.request?.rawValue ?? "-")",
            ]
            return "Pushed: \(names.joined(separator: ", "))."
        }

        private func payloads(for approver: Approver) async throws -> [PushPayload] {
            if let message { return [try await payload(message, for: approver)] }
            var all: [PushPayload] = []
            while let line = try StandardInput.shared.line() {
                if !line.allSatisfy(\.isWhitespace) { all.append(try await payload(line, for: approver)) }
            }
            return all
        }

        private func payload(_ text: String, for approver: Approver) async throws -> PushPayload {
            guard encrypted else { return try Self.payload(text) }
            let body = try URLSafeText.decode(text.trimmingCharacters(in: .whitespaces)).or(
                usage: "An encrypted push message is base64url without padding.")
            return try await approver.payload(ofWebPush: body)
        }

        /// Reads the user info of a message, as the app gets it from the system.
        private static func payload(_ text: String) throws -> PushPayload {
            guard let members = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
                throw CommandError.usage("A push message is an object of JSON.")
            }
            let system = members["aps"] as? [String: Any]
            let info = (members["data"] as? [String: Any] ?? members).compactMapValues { $0 as? String }
            return PushPayload(info, category: system?["category"] as? String)
        }
    }
}

/// Prints what becomes of push messages; it shows notifications as lines.
private final class PushOutput: NotificationPresenter {
    let events: AsyncStream<NotificationEvent>
    private let continuation: AsyncStream<NotificationEvent>.Continuation
    private let printsJSON: Bool
    private let failures = NIOLockedValueBox<ApprovalError?>(nil)

    init(printsJSON: Bool) {
        self.printsJSON = printsJSON
        (events, continuation) = AsyncStream.makeStream()
    }

    /// The first failure.
    var failure: ApprovalError? { failures.withLockedValue(\.self) }

    /// A message came while the app is in front.
    func arrive(_ message: PushPayload) { continuation.yield(.arrived(message)) }

    func finish() { continuation.finish() }

    func say(_ event: String, _ members: OutputMembers, or text: String?) {
        guard !printsJSON else { return Terminal.sayEvent(event, members) }
        if let text { Terminal.say(text.shown) }
    }

    func register(_ categories: [NotificationCategory]) -> Bool { true }

    func present(_ notification: RequestNotification, actions: [NotificationAction]) {
        let buttons = notification.buttons(among: actions).map(\.title)
        let members: OutputMembers = [
            "kind": notification.kind.rawValue, "request": notification.id.rawValue, "title": notification.title,
            "body": notification.body, "buttons": buttons,
        ]
        guard !printsJSON else { return Terminal.sayEvent("notification", members) }
        Terminal.say(notification.title.shown)
        for text in notification.body.split(separator: "\n") { Terminal.say("  \(text)".shown) }
        if !buttons.isEmpty { Terminal.say(buttons.map { "[\($0)]" }.joined(separator: " ").shown) }
    }

    func withdraw(_ request: SignInRequest.ID) {}

    func tell(of outcome: NotificationOutcome) {
        switch outcome {
        case .arrived(let message):
            say(
                "foreground", message.members,
                or: "A message came while the app is in front: \(message.request?.rawValue ?? "it names no request")")
        case .openScanner(let site):
            let members: OutputMembers = ["site": site?.rawValue]
            say("open_scanner", members, or: "The app opens its scanner: a site shows a QR code.")
        case .failed(_, let error), .ended(let error):
            say("failed", ["reason": error.code.word], or: nil)
            failures.withLockedValue { $0 = $0 ?? error }
        case .newDevice(let device): say("new_device", ["device": device.id.rawValue], or: device.sentence)
        case .passwordChanged(let changed):
            let sentence = ApproverEvent.passwordChanged(changed).sentence
            say("password_changed", [:], or: sentence?.shown)
        case .answered, .openApp: break
        }
    }
}

extension PushPayload {
    /// The identifiers that an app's helper reads from a message.
    fileprivate var members: OutputMembers {
        ["kind": kind?.rawValue, "site": environment?.rawValue, "request": request?.rawValue]
    }
}
