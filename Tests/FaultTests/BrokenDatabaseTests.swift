import Countersign
import CountersignSQLite
import CountersignServer
import CountersignWire
import Foundation
import KeptDatabases
import TestShell
import Testing

@Suite("A server whose database is not as it should be")
struct BrokenDatabaseTests {
    @Test(.enabled(if: PrivateMounts.areAllowed, "needs mount namespaces"))
    func `on a disk that gets full refuses changes, answers the rest, and goes on when there is room`() async throws {
        try await DatabaseFixture.with(.sqlite) { fixture in
            let freed = fixture.directory.appendingPathComponent("freed")
            let server = try await ServerProcess.start(
                on: fixture,
                wrapper: PrivateMounts.shell(Self.littleRoom(in: fixture, until: freed)),
                flags: LimitRule.allOff
            )
            // A server makes its keys when they are first wanted.
            #expect(try await server.get("/jwks").status == 200)
            var good: [AccessToken] = []
            var refused: ServerProcess.Answer?
            for _ in 0..<20_000 where refused == nil {
                let answer = try await server.post("/token", fixture.clientCredentials)
                if answer.status == 200 {
                    good.append(try answer.read(TokenResponse.self).accessToken)
                } else {
                    refused = answer
                }
            }
            #expect(refused?.status == 503)
            #expect(refused?.error == .temporarilyUnavailable)
            #expect(server.printed.contains("Make room; the server goes on by itself"))
            try await expectActive(good, at: server, of: fixture)
            #expect(try await server.get("/jwks").status == 200)

            _ = FileManager.default.createFile(atPath: freed.path, contents: nil)
            var last: ServerProcess.Answer?
            for _ in 0..<4000 where last?.status != 200 {
                try await Task.sleep(for: .milliseconds(25))
                last = try await server.post("/token", fixture.clientCredentials)
            }
            good.append(try #require(last).read(TokenResponse.self).accessToken)
            try await expectActive(good, at: server, of: fixture)
            #expect(try await server.stop() == 0)
        }
    }

    @Test(.enabled(if: PrivateMounts.areAllowed, "needs mount namespaces"))
    func `is not copied onto a full disk, which is said in words`() async throws {
        try await DatabaseFixture.with(.sqlite) { fixture in
            let place = fixture.directory.appendingPathComponent("small").path
            let mounted = PrivateMounts.shell("mkdir \(place) && mount -t tmpfs -o size=64k none \(place)")
            let copying = try LoggedProgram(
                "/bin/sh",
                ["-c", "\(mounted) \(BuiltPrograms.command.path) admin backup \(place)/copy.sqlite \(fixture.flags)"],
                printingTo: fixture.directory.appendingPathComponent("copying")
            )
            let ended = try await copying.ended()
            #expect(ended.status == 1)
            #expect(
                ended.printed == "countersign: The copy \(place)/copy.sqlite could not be made (the disk is full).\n")
        }
    }

    @Test(.enabled(if: PrivateMounts.areAllowed, "needs mount namespaces"))
    func `on a disk that may not be written does not start, and says why`() async throws {
        try await DatabaseFixture.with(.sqlite) { fixture in
            let place = fixture.place.path
            let readOnly = PrivateMounts.shell("mount --bind \(place) \(place) && mount -o remount,bind,ro \(place)")
            let refusal = try await ServerProcess.refusal(on: fixture, wrapper: readOnly)
            #expect(refusal.status == 1)
            #expect(refusal.said.contains("cannot be written"))
            #expect(refusal.said.contains("Let the user who runs this program write the file and its directory"))
        }
    }

    @Test(arguments: [0, 4096])
    func `that is damaged does not start, says why, and leaves it as it is`(from offset: Int) async throws {
        try await DatabaseFixture.with(.sqlite) { fixture in
            let place = fixture.directory.appendingPathComponent("copy")
            try FileManager.default.createDirectory(
                at: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            let file = place.appendingPathComponent(SQLiteStore.fileName)
            try await fixture.run("VACUUM INTO '\(file.path)'")
            var bytes = try Data(contentsOf: file)
            bytes.replaceSubrange(offset..., with: repeatElement(0xA5, count: bytes.count - offset))
            try bytes.write(to: file)
            let refusal = try await ServerProcess.refusal(on: fixture, flags: "--data \(place.path)")
            #expect(refusal.status == 1)
            #expect(refusal.said.contains("is damaged or is no SQLite database"))
            #expect(refusal.said.contains("Restore it from a backup"))
            #expect(try Data(contentsOf: file) == bytes)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `that a newer version made does not start, and says why`(database: DatabaseKind) async throws {
        try await DatabaseFixture.with(database) { fixture in
            try await fixture.run(database.pretence)
            let refusal = try await ServerProcess.refusal(on: fixture)
            #expect(refusal.status == 1)
            #expect(refusal.said.contains("newer version"))
        }
    }

    /// Runs the server's database from a memory disk with some hundred kilobytes to spare, until `freed` is there.
    private static func littleRoom(in fixture: DatabaseFixture, until freed: URL) -> String {
        let place = fixture.place.path
        return """
            mkdir \(place).kept && cp -a \(place)/. \(place).kept && mount -t tmpfs -o size=8m none \(place) \
            && cp -a \(place).kept/. \(place) \
            && head -c $(( ($(stat -f -c %f \(place)) - 80) * 4096 )) /dev/zero > \(place)/ballast \
            && { (while [ ! -e \(freed.path) ]; do sleep 0.05; done; rm \(place)/ballast) & }
            """
    }

    private func expectActive(_ tokens: [AccessToken], at server: ServerProcess, of fixture: DatabaseFixture)
        async throws
    {
        var lost = 0
        for token in tokens {
            let seen = try await server.post("/introspect", fixture.introspection(of: token))
            if try !seen.read(IntrospectionResponse.self).active { lost += 1 }
        }
        #expect(lost == 0)
        #expect(!tokens.isEmpty)
    }
}
