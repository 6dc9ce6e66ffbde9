internal import Countersign
internal import CountersignSQLite
internal import CountersignServer
internal import Foundation
internal import TestShell

/// Measures the pages of administrators over many people, one request after the other.
struct AdministrationBenchmark {
    /// The pages with their names in the report.
    static let pages: [(name: String, path: String)] = [
        ("First people", "/admin/people"),
        ("People in the middle", "/admin/people?by=username&after=crowd-050000"),
        ("A search by name", "/admin/people?q=member+0777"),
        ("A search that finds nobody", "/admin/people?q=nobody"),
        ("One person", "/admin/people/person?subject=crowd-050000"),
        ("Live sessions", "/admin/sessions"),
    ]

    let people: Int
    let requests: Int

    /// The subject of the administrator.
    private static let administrator = Subject("administrator")

    /// Fills an empty store: people with addresses, each signed in at a browser, and an operator.
    func fill(_ store: any Store) async throws {
        let now = Date.now
        try await store.change { repositories in
            try repositories.people.insert(
                Person(
                    subject: Self.administrator, username: Username("administrator"), name: "The Administrator",
                    password: nil, role: .operator, created: now))
            try repositories.browserSessions.insert(
                BrowserSession(
                    cookie: Dataset.cookie.digest, id: ApproverID("browser"), subject: Self.administrator,
                    authenticated: now, expires: now + 86_400, by: .passkey, lastUsed: now))
        }
        try await Dataset.inBatches(of: people, in: store) { number, repositories in
            let name = String(format: "crowd-%06d", number)
            try repositories.people.insert(
                Person(
                    subject: Subject(name), username: Username(name), name: String(format: "Member %06d", number),
                    email: "\(name)@example.org", isEmailVerified: true, password: PasswordHash(restoring: "none"),
                    created: now))
            try repositories.browserSessions.insert(
                BrowserSession(
                    cookie: SecretDigest(of: name), id: ApproverID(name), subject: Subject(name), authenticated: now,
                    expires: now + 3600 + Double(number), lastUsed: now))
        }
    }

    /// The spans of the requests for a page, in milliseconds.
    func measure(_ path: String, at server: ServerProcess) throws -> [Double] {
        let client = PlainHTTP(port: server.port)
        let headers = ["Cookie": "countersign-\(server.port)=\(Dataset.cookie.revealed)"]
        return try (0..<requests).map { _ in
            let began = ContinuousClock.now
            let answer = try client.get(path, headers: headers)
            let span = began.duration(to: .now) / .milliseconds(1)
            guard answer.status == 200 else {
                throw BenchmarkFailure("\(path) was answered by \(answer.status)")
            }
            return span
        }
    }
}

/// Measures the import of people who bring their hashes, by the command.
struct ImportBenchmark {
    let people: Int

    /// Writes the people, imports them into a new database, and returns how long the command took, in seconds.
    func measure(_ command: String, in directory: URL) throws -> Double {
        let file = directory.appendingPathComponent("people.csv")
        // Twenty-two characters of salt and thirty-one of hash; nobody signs in by it.
        let hash = "$2b$12$abcdefghijklmnopqrstuu" + String(repeating: "a", count: 31)
        let lines = (1...people).map { "person-\($0),Person \($0),person-\($0)@example.org,\(hash)" }
        try (["username,name,email,password_hash"] + lines).joined(separator: "\n")
            .write(to: file, atomically: true, encoding: .utf8)
        let data = directory.appendingPathComponent("imported")
        let began = ContinuousClock.now
        try Shell.run(command, ["admin", "user", "import", file.path, "--data", data.path, "--create"])
        return began.duration(to: .now) / .seconds(1)
    }
}
