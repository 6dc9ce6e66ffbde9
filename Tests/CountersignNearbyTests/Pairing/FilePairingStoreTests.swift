import Countersign
@testable import CountersignNearby
import CountersignTesting
import Foundation
import Testing

@Suite("A file of pairings")
struct FilePairingStoreTests {
    private func inDirectory(_ story: (URL) throws -> Void) throws {
        let name = "pairings-\(ProcessInfo.processInfo.globallyUniqueString)"
        let directory = FileManager.default.temporaryDirectory.appending(component: name)
        defer { try? FileManager.default.removeItem(at: directory) }
        try story(directory)
    }

    @Test func `keeps all of them, for its owner only`() throws {
        try inDirectory { directory in
            let path = directory.appending(path: "nearby/pairings.json").path
            let pairings = try Fixture.pairings(drawingFrom: SeededRandom(seed: 1).source)
            let store = FilePairingStore(path: path)
            #expect(try store.read() == PairingBook())
            try store.change { $0.keep(pairings.requester, at: Fixture.noon) }
            let other = FilePairingStore(path: path)
            try other.change { $0.keep(pairings.approver, at: Fixture.noon) }
            let kept = try store.read()
            #expect(kept.all == [pairings.requester, pairings.approver])
            #expect(
                kept.all.map(\.own.revealedSecret) == [pairings.requester, pairings.approver].map(\.own.revealedSecret))
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: directory.path + "/nearby").contains(
                    "pairings.json.new") == false)
        }
    }

    @Test func `is refused when others can read it, or when it is damaged`() throws {
        try inDirectory { directory in
            let path = directory.appending(component: "pairings.json").path
            let pairing = try Fixture.pairings(drawingFrom: SeededRandom(seed: 1).source).requester
            let store = FilePairingStore(path: path)
            try store.change { $0.keep(pairing, at: Fixture.noon) }
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            #expect(throws: PairingStoreError(.notRead, because: "")) { try store.read() }
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            try Data("[{}]".utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            #expect(throws: PairingStoreError(.damaged, because: "")) { try store.read() }
            #expect(throws: PairingStoreError(.damaged, because: "")) { try store.change { _ in } }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "[{}]", "and is not overwritten")
        }
    }
}
