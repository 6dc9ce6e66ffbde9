internal import ArgumentParser
internal import CountersignSQLite
internal import Foundation

/// One whole run.
struct RunBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "run", abstract: "Measure everything once.")

    @Option(name: .long, help: "The command under test.")
    var command: String

    @Option(name: .long, help: "The URL of an empty PostgreSQL database.")
    var postgres: String?

    @Option(
        name: .long,
        help: """
            Measure only operations whose name holds this, and nothing else; or one of \
            \(Part.allCases.map(\.rawValue).joined(separator: ", ")).
            """
    )
    var only: String?

    @Option(name: .long, help: "Measure at these connections only.")
    var connections: [Int] = []

    @Option(name: .long, help: "How long each measurement takes, in seconds.")
    var seconds: Int?

    @Option(name: .long, help: "How many screens wait, one measurement for each number.")
    var waiting: [Int] = []

    @Option(name: .long, help: "How many tokens are in the database when the reads are measured again.")
    var tokens: Int?

    @Flag(name: .long, help: "One short round, without the millions of tokens.")
    var quick = false

    func run() async throws {
        var plan = quick ? Plan.quick : Plan()
        if !connections.isEmpty { plan.connections = connections }
        plan.seconds = seconds ?? plan.seconds
        if !waiting.isEmpty { plan.waiting = waiting }
        plan.manyTokens = tokens ?? plan.manyTokens
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("countersign-benchmarks-\(getpid())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let servers = BenchmarkServers(command: command, directory: directory)

        print("Countersign, measured on \(Date.now.formatted(.iso8601))")
        Report.machine(plan: plan)
        print("Limits raised: \(BenchmarkServers.raisedLimits.joined(separator: ", "))")

        let bare = try servers.bare()
        if wants(.start) { try await start(servers) }
        if wants(.gate) { try gate(plan, in: directory) }
        let isWanted: (Load) -> Bool = { load in only.map { $0.isEmpty || load.name.contains($0) } ?? true }
        let sqlite = try await servers.sqlite(plan: plan, where: isWanted)
        var subjects = [sqlite.subject]
        #if PostgreSQL
        if let postgres {
            subjects += try await servers.postgres(postgres, batches: plan.runs, where: isWanted)
        }
        #endif
        if Glewlwyd.isThere, only == nil {
            Progress.note("glewlwyd gets its tokens and codes")
            let other = try Glewlwyd(in: directory.appendingPathComponent("glewlwyd"))
            let loads = try other.loads(batches: plan.runs)
            subjects.append(Contender(name: "glewlwyd", server: other.server, loads: loads))
        } else if only == nil {
            print("glewlwyd is not installed, and not measured: apt-get install glewlwyd")
        }
        let rounds = Rounds(plan: plan, directory: directory, bare: bare, subjects: subjects)
        let summaries = only.flatMap(Part.init) == nil ? try rounds.measure() : []
        for subject in subjects.dropFirst() { for server in subject.servers { server.stop() } }
        for connections in plan.connections where !summaries.isEmpty {
            Report.heading("\(connections) connection\(connections == 1 ? "" : "s")")
            Report.table(summaries, of: connections)
        }
        sqlite.subject.server.stop()
        if only == nil { try await servers.countRaisedIntervals(sqlite) }
        if wants(.starting) { try await starts(servers, sqlite, plan) }
        if wants(.flood) { try await flood(servers, sqlite) }
        if wants(.waiting) {
            for waiting in plan.waiting { try await decisions(servers, sqlite, plan, waiting: waiting) }
        }
        if wants(.administration) { try await administration(servers, plan) }
        if wants(.importing) { try importing(servers, plan) }
        if wants(.tokens), plan.manyTokens > 0 { try await many(servers, sqlite, bare, plan, summaries) }
    }

    /// The measurements of a run beside operations.
    private enum Part: String, CaseIterable {
        case start, gate, starting, flood, waiting, administration, tokens
        case importing = "import"
    }

    private func wants(_ part: Part) -> Bool { only == nil || only == part.rawValue }

    private func start(_ servers: BenchmarkServers) async throws {
        Report.heading("Start, and memory when idle")
        var spans: [Double] = []
        var memory = 0.0
        for number in 1...5 {
            let server = try servers.emptyServer(number)
            spans.append(server.startUp * 1000)
            try await Task.sleep(for: .seconds(1))
            memory = server.residentMemory
            server.stop()
        }
        Report.yardstick("Start to first answer, empty SQLite, median of 5", spans.middle, "ms", below: 100)
        Report.yardstick("Idle a second later", memory, "MB resident", below: 40)
    }

    private func gate(_ plan: Plan, in directory: URL) throws {
        Report.heading("Checks of the gate, 64 connections")
        guard FileManager.default.isExecutableFile(atPath: "/usr/sbin/nginx") else {
            return print("nginx is not installed, and the gate is not measured: apt-get install nginx-light")
        }
        let result = try GateBenchmark(command: command, directory: directory, seconds: plan.seconds).measure()
        let line = { (name: String, one: Measurement) in
            print(
                String(
                    format: "%@: %.0f a second, median %.2f ms, 99th percentile %.2f ms", name, one.rate, one.median,
                    one.p99))
        }
        line("nginx alone", result.bare)
        line("nginx that asks the gate", result.gated)
        line("The gate alone", result.checks)
        // 5,000 checks a second on one core.
        Report.yardstick("Processor time of a check", result.checks.cost, "us", below: 200)
        Report.none("Unexpected answers", result.bare.errors + result.gated.errors + result.checks.errors)
    }

    private func decisions(_ servers: BenchmarkServers, _ sqlite: BenchmarkServers.Prepared, _ plan: Plan, waiting: Int)
        async throws
    {
        Report.heading("Decision to token, \(waiting) others waiting")
        let server = try servers.server(over: sqlite.data, at: sqlite.subject.server.reserved, name: "waiting")
        defer { server.stop() }
        let result = try await DecisionBenchmark(waiting: waiting, decisions: plan.decisions).measure(server)
        Report.yardstick("Median of \(plan.decisions) decisions", result.median, "ms", below: 10)
        Report.yardstick("99th percentile", result.p99, "ms", below: waiting > 10_000 ? 20 : 50)
        Report.yardstick("All waiting", result.memory, "MB resident", below: 200 * max(1, Double(waiting) / 10_000))
        print(
            String(
                format: "Before any screen waited: %.1f MB; %.1f kB for each screen. Others answered by mistake: %d",
                result.memoryBefore,
                (result.memory - result.memoryBefore) * 1000 / Double(waiting + plan.decisions),
                result.disturbed))
    }

    private func starts(_ servers: BenchmarkServers, _ sqlite: BenchmarkServers.Prepared, _ plan: Plan) async throws {
        Report.heading("\(plan.starting) screens that start at once")
        let server = try servers.server(over: sqlite.data, at: sqlite.subject.server.reserved, name: "starting")
        defer { server.stop() }
        let result = try await StartingBenchmark(screens: plan.starting).measure(server)
        Report.yardstick("All have their codes", result.seconds, "s", below: 5)
        Report.none("Without an answer, or with another", result.refused)
    }

    private func flood(_ servers: BenchmarkServers, _ sqlite: BenchmarkServers.Prepared) async throws {
        Report.heading("Screens that start beside a flood from \(NetworkFloodBenchmark.networks) networks")
        let server = try servers.serverBehindProxy(over: sqlite.data, at: sqlite.subject.server.reserved)
        defer { server.stop() }
        let result = try await NetworkFloodBenchmark(directory: servers.directory).measure(server)
        print(
            String(
                format: "Before it: median %.1f ms, 99th percentile %.1f ms. The flood: %.0f requests a second",
                result.before.spans.middle, result.before.spans.percentile99, result.rate))
        Report.yardstick("Median beside it", result.during.spans.middle, "ms", below: 10)
        Report.yardstick("99th percentile", result.during.spans.percentile99, "ms", below: 50)
        Report.none("Refused", result.before.refused + result.during.refused)
    }

    private func administration(_ servers: BenchmarkServers, _ plan: Plan) async throws {
        Report.heading("The pages of administrators, over \(plan.crowd) people")
        let benchmark = AdministrationBenchmark(people: plan.crowd, requests: plan.pageRequests)
        let data = servers.directory.appendingPathComponent("crowd")
        let store = try SQLiteStore.open(in: data)
        try await benchmark.fill(store)
        try await store.close()
        let server = try servers.server(over: data, at: try ServerProcess.anyPort(), name: "crowd")
        defer { server.stop() }
        for page in AdministrationBenchmark.pages {
            let spans = try benchmark.measure(page.path, at: server)
            Report.yardstick("\(page.name), median", spans.middle, "ms", below: 50)
            Report.yardstick("\(page.name), 99th percentile", spans.percentile99, "ms", below: 50)
        }
    }

    private func importing(_ servers: BenchmarkServers, _ plan: Plan) throws {
        Report.heading("An import of \(plan.imported) people with their hashes")
        let span = try ImportBenchmark(people: plan.imported).measure(servers.command, in: servers.directory)
        Report.yardstick("From the start of the command to its end", span, "s", below: 60)
    }

    private func many(
        _ servers: BenchmarkServers,
        _ sqlite: BenchmarkServers.Prepared,
        _ bare: Contender,
        _ plan: Plan,
        _ before: [Summary]
    ) async throws {
        Report.heading("The reads again, with \(plan.manyTokens) tokens")
        let began = ContinuousClock.now
        try ManyTokens.add(plan.manyTokens, to: sqlite.data, issuer: sqlite.issuer)
        print("They were added in \(Int(began.duration(to: .now) / .seconds(1))) s.\n")
        let server = try servers.server(over: sqlite.data, at: sqlite.subject.server.reserved, name: "many")
        defer { server.stop() }
        let subject = Contender(
            name: "SQLite, \(plan.manyTokens / 1_000_000) million",
            server: server,
            loads: Loads.reads + [Loads.introspectionAnywhere(among: plan.manyTokens)]
        )
        let after = try Rounds(plan: plan, directory: servers.directory, bare: bare, subjects: [subject]).measure()
        for connections in plan.connections {
            print("\(connections) connection\(connections == 1 ? "" : "s"):")
            Report.table(after, of: connections)
            for one in after where one.connections == connections {
                let name = one.load.name.hasPrefix("introspect") ? "introspect" : one.load.name
                guard let empty = before.first(where: { $0.connections == connections && $0.load.name == name })
                else { continue }
                let times = one.median / empty.median
                let most = one.load.name == Loads.anywhere ? 2 : 1.2
                print(
                    String(
                        format: "p50 of %@ is %.2f times that of the small database (target: %.1f; %@)",
                        one.load.name,
                        times,
                        most,
                        times <= most ? "reached" : "MISSED"
                    )
                )
            }
            print("")
        }
    }
}
