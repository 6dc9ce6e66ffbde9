import CountersignServer
import Foundation
import KeptDatabases
import Testing

@Suite("An answer")
struct DurableAnswerTests {
    /// Shown by the system calls: between one answer to a change and the next the disk is waited for.
    @Test func `is given only when its change is on disk`() async throws {
        try await DatabaseFixture.with(.sqlite, traced)
    }

    private func traced(_ fixture: DatabaseFixture) async throws {
        let trace = fixture.directory.appendingPathComponent("trace")
        let server = try await ServerProcess.start(
            on: fixture,
            wrapper: "exec strace -D -f -q -s 16 -e trace=fdatasync,fsync,write,writev,sendto,sendmsg -o \(trace.path)"
        )
        // The first one may come with the making of keys.
        for _ in 0..<21 { #expect(try await server.post("/token", fixture.clientCredentials).status == 200) }
        for _ in 0..<20 { #expect(try await server.post("/device_authorization", DatabaseFixture.start).status == 200) }
        #expect(try await server.stop() == 0)

        // The tracer writes on for a moment after the server has ended.
        for _ in 0..<4000 where !(try String(contentsOf: trace, encoding: .utf8)).hasSuffix("+++ exited with 0 +++\n") {
            try await Task.sleep(for: .milliseconds(25))
        }

        var answers = 0
        var isOnDisk = false
        for line in try String(contentsOf: trace, encoding: .utf8).split(separator: "\n") {
            if line.contains("fdatasync(") || line.contains("fsync(") || line.contains("fdatasync resumed") {
                // A call that was interrupted in the trace is done only when it is resumed.
                if !line.contains("unfinished") { isOnDisk = true }
            } else if line.contains("\"HTTP/1.1 200") {
                answers += 1
                #expect(isOnDisk, "answer \(answers) came before its change was on disk")
                isOnDisk = false
            }
        }
        #expect(answers == 41)
    }
}
