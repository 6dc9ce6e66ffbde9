#if !LIBFUZZER
/// Makes new inputs out of given ones.
struct Mutator {
    let inputs: [[UInt8]]
    private var random = SplitMix64(state: 1)

    private static let longest = 4096
    /// Texts that parsers stumble over.
    private static let words: [[UInt8]] =
        [
            "\0", "\r\n", "\t", "\"", "\\", "%00", "%", "&", "=", ";", ",", ".", "..", "/", ":", "@", "[", "]", "{",
            "}", "-1",
            "0", "00", "18446744073709551616", "9223372036854775807", "1e999", "null", "true", "\u{FEFF}", "é", "𝔸",
            "\u{202E}",
        ].map { Array($0.utf8) } + [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xC0, 0x0C], [0x80, 0, 0, 0, 0]]

    init(of inputs: [[UInt8]]) {
        self.inputs = inputs.isEmpty ? [[]] : inputs
    }

    mutating func next() -> [UInt8] {
        var input = pick(inputs)
        for _ in 1...Int.random(in: 1...5, using: &random) { change(&input) }
        return Array(input.prefix(Self.longest))
    }

    private mutating func change(_ input: inout [UInt8]) {
        let range = part(of: input)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: if let index = input.indices.randomElement(using: &random) { input[index] ^= 1 << bit() }
        case 1: if let index = input.indices.randomElement(using: &random) { input[index] = byte() }
        case 2: input.removeSubrange(range)
        case 3: input.insert(contentsOf: pick(Self.words), at: range.lowerBound)
        case 4: input.replaceSubrange(range, with: pick(Self.words))
        case 5: input.insert(contentsOf: Array(input[range]), at: range.lowerBound)
        case 6:
            let other = pick(inputs)
            input.replaceSubrange(range, with: Array(other[part(of: other)]))
        default:
            let count = Int.random(in: 1...64, using: &random)
            input.insert(contentsOf: repeatElement(byte(), count: count), at: range.lowerBound)
        }
    }

    private mutating func part(of input: [UInt8]) -> Range<Int> {
        let ends = [0, 0].map { _ in Int.random(in: 0...input.count, using: &random) }.sorted()
        return ends[0]..<ends[1]
    }

    private mutating func pick(_ all: [[UInt8]]) -> [UInt8] { all.randomElement(using: &random) ?? [] }
    private mutating func byte() -> UInt8 { .random(in: 0...255, using: &random) }
    private mutating func bit() -> Int { .random(in: 0..<8, using: &random) }
}
#endif

/// A generator that makes the same numbers in each run, so that what was found once is found again. `SeededRandom` of
/// `CountersignTesting` is the same, but would bring an HTTP client into the build of `make fuzz`.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
