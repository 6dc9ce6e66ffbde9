internal import ArgumentParser
internal import CountersignSQLite
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// `authenticator`: requests of a customer's server, decisions of devices, and passwords that are used once.
struct AuthenticatorBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authenticator", abstract: "Measure requests to people's devices, and their decisions.")

    @Option(name: .long, help: "The command under test.")
    var command: String

    @Option(name: .long, help: "How many requests are open.")
    var open = 10_000

    @Flag(name: .long, help: "A tenth of everything.")
    var quick = false

    @Option(name: .long, help: "How many challenges privacyIDEA triggers in a second on this machine.")
    var peerChallenges = 49.0

    @Option(name: .long, help: "How many one-time passwords privacyIDEA checks in a second on this machine.")
    var peerPasswords = 46.0

    /// At once, by one client.
    private static let parallel = 16

    func run() async throws {
        let open = quick ? open / 10 : open
        let watched = quick ? 50 : 300
        let passwords = open / 2
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("countersign-benchmarks-\(getpid())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let servers = BenchmarkServers(command: command, directory: directory)
        let port = try ServerProcess.anyPort()
        let place = directory.appendingPathComponent("authenticator")
        let store = try SQLiteStore.open(in: place)
        let data = try await AuthenticatorDataset.fill(
            store, people: open + watched, issuer: "http://127.0.0.1:\(port.number)")
        try await store.close()
        let server = try servers.server(over: place, at: port, name: "authenticator")
        defer { server.stop() }
        let parties = AuthenticatorParties(port: port.number, data: data)

        Report.heading("The authenticator, \(Self.parallel) requests at once")
        let requests = try await measured("requests opened", open + watched, at: server, over: peerChallenges) {
            try await parties.open(.instant, for: $0)
        }
        try await decisions(Array(requests.suffix(watched)), from: open, parties, at: server, open: open)
        let shown = try await measured("looks of devices", open, at: server, over: nil) {
            try await parties.look(requests[$0].id, at: $0)
        }
        let signed = try zip(shown, requests).map { try parties.approval(of: $0, number: $1.number) }
        _ = try await measured("signed decisions", open, at: server, over: peerChallenges) {
            try await parties.decide(signed[$0], at: $0)
        }
        let asked = try await measured("requests for a password", passwords, at: server, over: nil) {
            try await parties.open(.oneTimePassword, for: $0)
        }
        let pins = try await measured("looks at a password", passwords, at: server, over: nil) {
            try await parties.look(asked[$0].id, at: $0).look.pin ?? ""
        }
        let accepted = try await measured("passwords checked", passwords, at: server, over: peerPasswords) {
            try await parties.check(pins[$0], of: asked[$0].id)
        }
        guard accepted.allSatisfy(\.self) else { throw BenchmarkFailure("a right password was refused") }
    }

    /// How soon the customer's server, which holds a request open, learns of a decision.
    private func decisions(
        _ requests: [(id: String, number: String?)],
        from first: Int,
        _ parties: AuthenticatorParties,
        at server: ServerProcess,
        open: Int
    ) async throws {
        let held = WaitingScreens(port: server.port)
        for request in requests { try await held.hold(request.id, sending: parties.waiting(for: request.id)) }
        var spans: [Double] = []
        for (place, request) in requests.enumerated() {
            let owner = first + place
            let form = try parties.approval(of: try await parties.look(request.id, at: owner), number: request.number)
            let began = ContinuousClock.now
            try await parties.decide(form, at: owner)
            guard let answer = try await held.answer(to: request.id, within: .seconds(5)),
                answer.text.contains("\"approved\"")
            else { throw BenchmarkFailure("a waiting server did not learn of a decision") }
            spans.append(began.duration(to: answer.at) / .milliseconds(1))
        }
        try await held.leave()
        spans.sort()
        Report.yardstick(
            "Decision to the waiting server, \(open) requests open, median of \(spans.count)", spans.middle, "ms",
            below: 10)
        Report.yardstick("99th percentile", spans[min(spans.count - 1, spans.count * 99 / 100)], "ms", below: 50)
    }

    /// Does something for each number from 0, so many at once, and prints how many a second were done.
    private func measured<Value: Sendable>(
        _ what: String,
        _ count: Int,
        at server: ServerProcess,
        over peer: Double?,
        _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        let before = server.processorTime
        let began = ContinuousClock.now
        let values = try await withThrowingTaskGroup(of: (Int, Value).self) { tasks in
            var values = [Value?](repeating: nil, count: count)
            var next = 0
            func start() {
                let place = next
                next += 1
                tasks.addTask { (place, try await body(place)) }
            }
            while next < min(Self.parallel, count) { start() }
            for try await (place, value) in tasks {
                values[place] = value
                if next < count { start() }
            }
            return values.compactMap(\.self)
        }
        let seconds = began.duration(to: .now) / .seconds(1)
        let rate = Double(count) / seconds
        let cost = (server.processorTime - before) * 1e6 / Double(count)
        let verdict = peer.map { peer in
            String(
                format: "  %.0f x privacyIDEA's %.0f: 100 x %@", rate / peer, peer,
                rate >= 100 * peer ? "reached" : "MISSED")
        }
        let line = String(format: "%8.0f/s  %7.1f us CPU", rate, cost)
        print("\(what.padding(toLength: 26, withPad: " ", startingAt: 0))\(line)\(verdict ?? "")")
        return values
    }
}
