/// Numbers that the seed decides, for tests that repeat themselves.
///
/// Standard: SplitMix64, by Steele, Lea and Flood (2014).
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Text of up to `limit` characters from everywhere in Unicode, without NUL.
    mutating func text(upTo limit: Int) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...limit, using: &self) {
            let highest: UInt32 = [0x7F, 0x7FF, 0xFFFF, 0x10FFFF].randomElement(using: &self) ?? 0x7F
            if let scalar = UnicodeScalar(UInt32.random(in: 1...highest, using: &self)) { text.append(scalar) }
        }
        return String(text)
    }
}
