import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import TestShell
import Testing

/// A service of Web Push with the keys of its one receiver, written with `http-ece`, `py_vapid` and `pywebpush`.
struct PushServiceProgram: Sendable {
    /// The subscription at it, as JSON.
    let subscription: String
    /// The host of the service, with its port.
    private let host: String
    /// A message for the receiver of the test; `nil` where there is none.
    let encrypted: [UInt8]?
    private let program: LoggedProgram

    /// A message as these libraries read it.
    struct Received: Decodable, Sendable {
        struct Claims: Decodable, Sendable {
            let aud: String
            let exp: Int
            let sub: String?
        }

        /// What all messages have in common.
        struct Form: Decodable, Equatable, Sendable {
            /// The header fields of Web Push.
            let fields: [String]
            let scheme: String
            /// The header of the signed token.
            let token: [String: String]
            /// The names of its claims.
            let claims: [String]
            let record: String
        }

        let answer: Int
        let path, ttl, urgency, topic, coding: String
        let length: Int
        /// Whether the signature of the server counts.
        let isVerified: Bool
        /// The public key of the server.
        let key: String
        let claims: Claims
        let form: Form
        /// The decrypted message.
        let content: String

        enum CodingKeys: String, CodingKey {
            case answer, path, ttl, urgency, topic, coding, length, key, claims, form, content
            case isVerified = "is_verified"
        }

        /// The members of the message.
        var members: [String: String]? {
            try? JSONDecoder().decode([String: String].self, from: Data(content.utf8))
        }
    }

    struct NoMessage: Error {}

    /// Runs a service for as long as `body` takes.
    ///
    /// - Parameters:
    ///   - answers: The statuses for the messages, the last one also for all that follow.
    ///   - receiver: The subscription that it encrypts a message for; `nil`, the default, for none.
    ///   - sends: Whether `pywebpush` sends it the first message; `false` by default.
    static func with(
        answering answers: String...,
        encryptingFor receiver: WebPushSubscription? = nil,
        sendingFirst sends: Bool = false,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (PushServiceProgram) async throws -> Void
    ) async throws {
        let home = FileManager.default.temporaryDirectory.appending(component: "countersign-push-\(UUID())")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        var environment = ["JOURNEY_ANSWERS": answers.joined(separator: ",")]
        environment["JOURNEY_RECEIVER"] = receiver?.text
        if sends { environment["JOURNEY_SENDS"] = "1" }
        let program = try PythonProgram(name: "push_with_pywebpush").start(
            with: environment, printingTo: home.appending(component: "push.log"))
        defer { program.kill() }
        let subscription = try await program.firstPrinted {
            $0.firstMatch(of: /subscription (.+)\n/).map { String($0.1) }
        }
        let encrypted = program.printed.firstMatch(of: /encrypted (\S+)\n/).flatMap {
            URLSafeText.decode(String($0.1))
        }
        let host = try #require(subscription.firstMatch(of: /http:\/\/(127\.0\.0\.1:\d+)/)).1
        try await body(
            PushServiceProgram(
                subscription: subscription, host: String(host), encrypted: encrypted, program: program))
    }

    /// Lets a server call the service, which is on this machine.
    @Sendable func allow(_ settings: inout ServerSettings) {
        settings.delivery.webPush = WebPushSettings(
            hosts: WebPushHost.browsers + [.host(host)], contact: "mailto:you@example.org")
    }

    /// The messages that came, in their order; one is printed before it is answered.
    private var messages: [Received] {
        get throws {
            // The last piece is no whole line yet.
            try program.printed.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .filter { $0.hasPrefix("{") }
                .map { try JSONDecoder().decode(Received.self, from: Data($0.utf8)) }
        }
    }

    /// Waits for a message; the clock of the server goes on, first quickly to its next look at the queue.
    ///
    /// - Parameter number: The number of the message, from 1.
    func message(_ number: Int = 1, advancing clock: ManualClock) async throws -> Received {
        for turn in 0..<800 {
            let all = try messages
            if all.count >= number { return all[number - 1] }
            clock.advance(by: .milliseconds(100))
            try await Task.sleep(for: .milliseconds(turn < 50 ? 10 : 100))
        }
        throw NoMessage()
    }
}
