import CountersignTesting
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
        let codes = (0..<1_000).map { _ in mint.secret(DeviceCode.self).revealed }
        #expect(Set(codes).count == codes.count)
        for code in codes {
            #expect(code.utf8.count == 43)
            #expect(try #require(URLSafeText.decode(code)).count == 32)
        }
    }

    @Test func `makes identifiers of 128 bits`() throws {
        let mint = CodeMint(drawingFrom: SeededRandom(seed: 6).source)
        let names = (0..<1_000).map { _ in mint.identifier(SignInRequest.ID.self).rawValue }
        #expect(Set(names).count == names.count)
        for name in names {
            #expect(name.utf8.count == 22)
            #expect(try #require(URLSafeText.decode(name)).count == 16)
        }
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
        #expect(mint.secret(AccessToken.self).revealed == expected)
        #expect(mint.secret(RefreshToken.self).revealed == expected)
        #expect(mint.secret(ClientSecret.self).revealed == expected)
        #expect(mint.keyBytes(4) == [0, 1, 2, 3])
    }
}
