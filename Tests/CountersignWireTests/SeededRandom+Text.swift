import CountersignTesting

extension SeededRandom {
    /// Text of up to `limit` characters from everywhere in Unicode, without NUL.
    func text(upTo limit: Int) -> String {
        var random = self
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...limit, using: &random) {
            let highest: UInt32 = [0x7F, 0x7FF, 0xFFFF, 0x10FFFF].randomElement(using: &random) ?? 0x7F
            if let scalar = UnicodeScalar(UInt32.random(in: 1...highest, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }
}
