/// Runs of consonants that people read as a rude word or an insult.
///
/// Codes have no vowels, so only the usual abbreviations remain; a mint throws such a code away.
enum UnwantedWords {
    static let runs: [String] = [
        "BCH", "BLWJB", "BSTRD", "BTCH", "CCK", "CHNK", "CLT", "CNT", "CRP", "CSN", "DCK", "DPSHT", "DMN", "FCK",
        "FCKN",
        "FGG", "FGT", "FKC", "FKK", "FKN", "FKR", "FTZ", "FVCK", "GDDM", "GNGBNG", "HTLR", "HNDJB", "JRK", "JZZ", "KCK",
        "KKK", "KNT", "KRP", "LMFT", "MFCK", "MLF", "MTHR", "NGGR", "NGR", "NSDP", "NZ", "PDFL", "PDR", "PHCK", "PHK",
        "PNS", "PRCK", "PRN", "PTN", "RPD", "RPST", "SCHLMP", "SCK", "SHT", "SLT", "SS", "STFD", "STFR",
        "SXX", "SX", "TRD", "TSS", "TTS", "TWT", "VGN", "WHR", "WNK", "WTF", "WXR", "XXX",
    ]

    /// The runs by their first character, counted from A.
    private static let spellings: [[[UInt8]]] = {
        var spellings = [[[UInt8]]](repeating: [], count: 26)
        for run in runs.map({ Array($0.utf8) }) { spellings[Int(run[0] - UInt8(ascii: "A"))].append(run) }
        return spellings
    }()

    /// Whether one of the runs occurs anywhere in `text`, which is upper-case.
    ///
    /// It compares bytes: searching in strings takes a hundred times as long, and this runs for every code.
    static func occur(in text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.indices.contains { start in
            let letter = Int(bytes[start]) - Int(UInt8(ascii: "A"))
            guard spellings.indices.contains(letter) else { return false }
            return spellings[letter].contains { bytes[start...].starts(with: $0) }
        }
    }
}
