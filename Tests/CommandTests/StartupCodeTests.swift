import Countersign
import CountersignTesting
import Foundation
import Testing

@testable import CountersignCommand

@Suite("The code that only the start needs")
struct StartupCodeTests {
    #if os(Linux)
    /// The mappings of this program's own code, each with how much of it is in memory, in kilobytes.
    private static func code() throws -> [(addresses: Range<UInt>, resident: Int)] {
        let list = try String(contentsOfFile: "/proc/self/smaps", encoding: .utf8)
        var found: [(Range<UInt>, Int)] = []
        var current: Range<UInt>?
        for line in list.split(separator: "\n") {
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            if fields.count >= 5, bounds.count == 2 {
                current = fields[1] == "r-xp" && line.hasSuffix(".xctest") ? bounds[0]..<bounds[1] : nil
            } else if fields[0] == "Rss:", let addresses = current {
                found.append((addresses, try #require(Int(fields[1]))))
            }
        }
        return found
    }

    @Test func `leaves the memory, and comes back when it is run again`() throws {
        // All of it is in memory once each page was read.
        for (addresses, _) in try Self.code() {
            for page in stride(from: addresses.lowerBound, to: addresses.upperBound, by: 4096) {
                _ = UnsafeRawPointer(bitPattern: page)?.load(as: UInt8.self)
            }
        }
        let before = try Self.code().reduce(0) { $0 + $1.resident }
        StartupCode.release()
        let after = try Self.code().reduce(0) { $0 + $1.resident }
        #expect(before > 0 && after < before / 2)
    }
    #endif

    /// Constants that the dynamic linker has changed would be lost, and with them this program.
    @Test func `is released by a program that goes on`() async throws {
        let clock = ManualClock()
        let releasing = Task { await StartupCode.release(by: clock.source) }
        for (sleeps, delay) in [100, 400].enumerated() {
            await clock.sleeps(sleeps + 1)
            clock.advance(by: .milliseconds(delay))
        }
        await releasing.value
        for round in 0..<3 {
            StartupCode.release()
            #expect(try JSONDecoder().decode([Int].self, from: Data("[\(round)]".utf8)) == [round])
            #expect("\(Locale(identifier: "de_DE").identifier) \(round)".hasPrefix("de"))
        }
    }
}
