import CountersignTesting
import Foundation
import Testing

@testable import Countersign

@Suite("A code mint")
struct CodeMintTests {
    private static let codes: [UserCode] = {
        let mint = CodeMint(drawingFrom: SeededRandom(seed: 1).source)
        return (0..<20_000).map { _ in mint.userCode() }
    }()

    @Test func `never makes a rude word`() {
        let runs = Set(UnwantedWords.runs)
        let lengths = Set(runs.map(\.count))
        let rude = Self.codes.map(\.characters).filter { code in
            lengths.contains { length in
                (0...(code.count - length)).contains { runs.contains(String(code.dropFirst($0).prefix(length))) }
            }
        }
        #expect(rude.isEmpty)
    }

    @Test func `makes codes that people can type back`() {
        for code in Self.codes.prefix(1_000) {
            let halves = code.description.split(separator: "-", omittingEmptySubsequences: false)
            #expect(halves.map(\.count) == [4, 4])
            #expect(Set(code.characters).isSubset(of: UserCode.alphabet))
            #expect(UserCode(parsing: code.description.lowercased()) == code)
        }
    }

    @Test func `puts every letter at every place, about equally often`() {
        var counts = [[Character: Int]](repeating: [:], count: UserCode.length)
        for code in Self.codes {
            for (place, letter) in code.characters.enumerated() { counts[place][letter, default: 0] += 1 }
        }
        let expected = Double(Self.codes.count) / Double(UserCode.alphabet.count)
        for (place, count) in counts.enumerated() {
            for letter in UserCode.alphabet {
                // Leaving rude words out makes some letters a little rarer.
                let share = Double(count[letter] ?? 0) / expected
                #expect((0.8...1.2).contains(share), "\(letter) at \(place): \(share)")
            }
        }
    }

    @Test func `hardly ever makes the same code twice`() {
        #expect(Set(Self.codes).count >= Self.codes.count - 2)
    }

    @Test func `makes secrets of 256 bits`() throws {
        let mint = CodeMint(drawingFrom: SeededRandom(seed: 5).source)
        let secrets = (0..<1_000).map { _ in mint.secret(ClientSecret.self).revealed }
        #expect(Set(secrets).count == secrets.count)
        for secret in secrets {
            #expect(secret.utf8.count == 43)
            #expect(try #require(URLSafeText.decode(secret)).count == 32)
        }
    }

    @Test func `makes secrets of 208 bits behind the instant, whose digests sort as they were made`() throws {
        let clock = ManualClock(Date(timeIntervalSince1970: 1_764_000_000))
        let mint = CodeMint(drawingFrom: SeededRandom(seed: 5).source, clock: clock.source)
        let codes = (0..<1_000).map { number in
            clock.advance(by: .milliseconds(1 + number % 70 * 1_000))
            return mint.secret(DeviceCode.self)
        }
        #expect(Set(codes.map(\.revealed)).count == codes.count)
        for code in codes {
            #expect(code.revealed.utf8.count == 43)
            #expect(try #require(URLSafeText.decode(code.revealed)).count == 6 + 26)
        }
        let digests = codes.map(\.digest.bytes)
        #expect(digests.sorted { $0.lexicographicallyPrecedes($1) } == digests)
        let first = digests[0].prefix(6).reduce(0) { $0 << 8 | Int($1) }
        #expect(first == 1_764_000_000_001)
    }

    @Test func `makes identifiers of 128 bits`() throws {
        let mint = CodeMint(drawingFrom: SeededRandom(seed: 6).source)
        let names = (0..<1_000).map { _ in mint.identifier(Subject.self).rawValue }
        #expect(Set(names).count == names.count)
        for name in names {
            #expect(name.utf8.count == 22)
            #expect(try #require(URLSafeText.decode(name)).count == 16)
        }
    }

    @Test func `makes identifiers behind the instant, which sort as they were made`() {
        let clock = ManualClock(Date(timeIntervalSince1970: 0))
        let mint = CodeMint(drawingFrom: SeededRandom(seed: 6).source, clock: clock.source)
        let names = (0..<1_000).map { number in
            clock.advance(by: .milliseconds(1 << (number / 25)))
            return mint.identifier(SignInRequest.ID.self).rawValue
        }
        #expect(names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } == names)
        #expect(Set(names.map { $0.suffix(13) }).count == names.count)
        for name in names {
            #expect(name.utf8.count == 22 && name.utf8.allSatisfy(URLSafeText.isUnreserved))
        }
    }

    @Test func `makes the same of a clock that is before 1970 as of 1970`() {
        let mint = CodeMint(
            drawingFrom: RandomSource { Array(repeating: 0, count: $0) },
            clock: ManualClock(.distantPast).source
        )
        #expect(mint.secret(AccessToken.self).revealed == String(repeating: "A", count: 43))
        #expect(mint.identifier(Grant.ID.self).rawValue == "000000000AAAAAAAAAAAAA")
    }

    @Test func `makes numbers that every reader of JSON keeps exactly`() throws {
        let mint = CodeMint(drawingFrom: SeededRandom(seed: 7).source)
        let names = (0..<1_000).map { _ in mint.number(ClientID.self).rawValue }
        #expect(Set(names).count == names.count)
        for name in names {
            let number = try #require(Int(name))
            #expect((1..<1 << 53).contains(number) && Int(Double(number)) == number && number.description == name)
        }
        let highest = CodeMint(drawingFrom: RandomSource { Array(repeating: 0xFF, count: $0) })
        #expect(highest.number(ClientID.self).rawValue == "9007199254740991")
    }

    @Test func `gives a secret all the bytes it draws`() {
        let mint = CodeMint(drawingFrom: RandomSource { count in (0..<count).map { UInt8(truncatingIfNeeded: $0) } })
        let expected = URLSafeText.encode(Array(0..<32))
        #expect(URLSafeText.decode(mint.secret(AccessToken.self).revealed)?.suffix(26) == Array(0..<26))
        #expect(mint.secret(RefreshToken.self).revealed == expected)
        #expect(mint.secret(ClientSecret.self).revealed == expected)
        #expect(mint.keyBytes(4) == [0, 1, 2, 3])
    }
}
