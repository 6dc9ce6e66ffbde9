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

    @Option(name: .long, help: "How many connections there are at once.")
    var connections = 64

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

        Report.heading("The authenticator, \(connections) requests at once")
        let requests = try await measured(
            "requests opened", (0..<open + watched).map { parties.opening(.instant, for: $0) }, at: server,
            over: peerChallenges
        ).map(parties.opened)
        try await decisions(Array(requests.suffix(watched)), from: open, parties, at: server, open: open)
        let shown = try await measured(
            "looks of devices", (0..<open).map { parties.look(requests[$0].id, at: $0) }, at: server, over: nil
        ).map(parties.shown)
        let signed = try zip(shown, requests).map { try parties.approval(of: $0, number: $1.number) }
        _ = try await measured(
            "signed decisions", signed.enumerated().map { parties.decision($1, at: $0) }, at: server,
            over: peerChallenges)
        let asked = try await measured(
            "requests for a password", (0..<passwords).map { parties.opening(.oneTimePassword, for: $0) }, at: server,
            over: nil
        ).map(parties.opened)
        let pins = try await measured(
            "looks at a password", asked.enumerated().map { parties.look($1.id, at: $0) }, at: server, over: nil
        ).map { try parties.shown($0).look.pin ?? "" }
        let accepted = try await measured(
            "passwords checked", zip(pins, asked).map { parties.check($0, of: $1.id) }, at: server, over: peerPasswords)
        guard accepted.allSatisfy(parties.isAccepted) else { throw BenchmarkFailure("a right password was refused") }
    }

    /// Measures how soon the customer's server, which holds a request open, learns of a decision.
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
            let look = RequestBatch(requests: [parties.look(request.id, at: owner)], port: server.port, connections: 1)
            let form = try parties.approval(of: try parties.shown(try await look.sent()[0]), number: request.number)
            let decision = RequestBatch(
                requests: [parties.decision(form, at: owner)], port: server.port, connections: 1)
            let began = ContinuousClock.now
            _ = try await decision.sent()
            guard let answer = try await held.answer(to: request.id, within: .seconds(5)),
                answer.text.contains("\"approved\"")
            else { throw BenchmarkFailure("a waiting server did not learn of a decision") }
            spans.append(began.duration(to: answer.at) / .milliseconds(1))
        }
        try await held.leave()
        Report.yardstick(
            "Decision to the waiting server, \(open) requests open, median of \(spans.count)", spans.middle, "ms",
            below: 10)
        Report.yardstick("99th percentile", spans.percentile99, "ms", below: 50)
    }

    /// Sends all requests, so many at once, and prints how many a second were answered.
    private func measured(
        _ what: String,
        _ requests: [String],
        at server: ServerProcess,
        over peer: Double?
    ) async throws -> [[UInt8]] {
        let batch = RequestBatch(requests: requests, port: server.port, connections: connections)
        let before = server.processorTime
        let began = ContinuousClock.now
        let answers = try await batch.sent()
        let seconds = began.duration(to: .now) / .seconds(1)
        let rate = Double(requests.count) / seconds
        let cost = (server.processorTime - before) * 1e6 / Double(requests.count)
        let verdict = peer.map { peer in
            String(
                format: "  %.0f x privacyIDEA's %.0f: 100 x %@", rate / peer, peer,
                rate >= 100 * peer ? "reached" : "MISSED")
        }
        let line = String(format: "%8.0f/s  %7.1f us CPU", rate, cost)
        print("\(what.padding(toLength: 26, withPad: " ", startingAt: 0))\(line)\(verdict ?? "")")
        return answers
    }
}
