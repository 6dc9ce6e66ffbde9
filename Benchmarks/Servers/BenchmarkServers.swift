internal import Countersign
internal import CountersignPostgres
internal import CountersignSQLite
internal import CountersignServer
internal import Foundation

/// Prepares databases and starts servers over them.
struct BenchmarkServers {
    let command: String
    let directory: URL

    /// Limits that one address or client never reaches, but a load generator does.
    static let raisedLimits = [
        "start-per-address", "start-per-client", "start-overall", "token-per-address", "token-per-client",
    ].map { "\($0)=1000000000/60" }

    /// A server with its data set.
    struct Prepared {
        let subject: Contender
        let data: URL
        let issuer: String
    }

    func bare() throws -> Contender {
        let port = try ServerProcess.anyPort()
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).path
        let server = try ServerProcess(
            "bare Hummingbird", program, ["bare", "\(port.number)"], at: port, answering: "/json", log: log("bare"))
        let loads = [
            Load(name: "JSON", path: "/json", script: { _ in Script.get() }),
            Load(
                name: "JSON, form",
                path: "/json",
                script: { _ in
                    Script.post(
                        "token=",
                        values: Dataset.accessTokenInLua,
                        count: Dataset.accessTokens,
                        authorization: Loads.basic(Dataset.service),
                        path: "/json"
                    )
                }
            ),
        ]
        return Contender(name: "bare Hummingbird", server: server, loads: loads)
    }

    /// A server over an empty database.
    func emptyServer(_ number: Int) throws -> ServerProcess {
        let data = directory.appendingPathComponent("empty-\(number)")
        return try server(over: data, at: try ServerProcess.anyPort(), name: "empty")
    }

    /// A server over SQLite with the data set.
    func sqlite(plan: Plan, where isWanted: (Load) -> Bool) async throws -> Prepared {
        let port = try ServerProcess.anyPort()
        let data = directory.appendingPathComponent("sqlite")
        let issuer = "http://127.0.0.1:\(port.number)"
        let store = try SQLiteStore.open(in: data)
        try await Dataset.fill(store, issuer: issuer, batches: plan.runs)
        try await store.close()
        let server = try server(over: data, at: port, name: "sqlite")
        let authorization = Loads.authorization(at: server) + [Loads.boundRefresh(at: issuer, for: plan.seconds)]
        let loads = (Loads.reads + Loads.writes + authorization).filter(isWanted)
        let subject = Contender(name: "SQLite", server: server, loads: loads)
        return Prepared(subject: subject, data: data, issuer: issuer)
    }

    #if PostgreSQL
    /// One node and two nodes over a PostgreSQL database, which is empty.
    func postgres(_ url: String, batches: Int, where isWanted: (Load) -> Bool) async throws -> [Contender] {
        let ports = try (1...3).map { _ in try ServerProcess.anyPort() }
        let issuer = "http://127.0.0.1:\(ports[0].number)"
        let store = try PostgresStore.open(url)
        try await Dataset.fill(store, issuer: issuer, batches: batches * 2)
        await store.close()
        let nodes = try ports.enumerated().map { number, port in
            try server(["--database", url, "--issuer", issuer], at: port, name: "postgres-\(number)")
        }
        let loads = (Loads.reads + Loads.writes).filter(isWanted)
        return [
            Contender(name: "PostgreSQL", server: nodes[0], loads: loads),
            Contender(
                name: "PostgreSQL, 2 nodes",
                server: nodes[1],
                loads: loads.map { $0.withBatches(after: batches) },
                others: [nodes[2]]
            ),
        ]
    }
    #endif

    func server(over data: URL, at port: ReservedPort, name: String) throws -> ServerProcess {
        try server(["--data", data.path], at: port, name: name)
    }

    /// A server with its usual limits, behind a proxy on this machine.
    func serverBehindProxy(over data: URL, at port: ReservedPort) throws -> ServerProcess {
        try server(
            ["--data", data.path, "--trusted-proxies", "127.0.0.1"], at: port, name: "proxied", raising: [])
    }

    private func server(
        _ options: [String],
        at port: ReservedPort,
        name: String,
        raising limits: [String] = raisedLimits
    ) throws -> ServerProcess {
        try ServerProcess(
            "countersign",
            command,
            ["serve", "--listen", "127.0.0.1:\(port.number)"] + options + limits.flatMap { ["--limit", $0] },
            at: port,
            answering: "/.well-known/oauth-authorization-server",
            log: log(name)
        )
    }

    /// Says whether polls came too fast after all: then their figures would be those of another operation.
    func countRaisedIntervals(_ prepared: Prepared) async throws {
        let store = try SQLiteStore.open(in: prepared.data)
        let raised = try await store.read { repositories in
            try stride(from: 1, through: Dataset.pendingCodes, by: 50).count {
                try repositories.exchanges.find(Dataset.deviceCode($0).digest)?.interval != 1
            }
        }
        try await store.close()
        print("\nPolls answered by slow_down: \(raised) of \(Dataset.pendingCodes / 50) codes looked at")
    }

    private func log(_ name: String) -> URL { directory.appendingPathComponent("\(name).log") }
}
