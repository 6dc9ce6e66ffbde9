/// Example values of RFC 4226 (HOTP), RFC 6238 (TOTP) and RFC 4648 (base32).
enum RFC4226 {
    /// Appendix D: the ASCII text `12345678901234567890`.
    static let secret = Array("12345678901234567890".utf8)
    /// Appendix D: the passwords of the counters from 0 on.
    static let passwords = [
        "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
    ]
}

/// RFC 6238, appendix B with the secrets of its erratum 2866: as long as the hash.
enum RFC6238 {
    static let sha1 = Array("12345678901234567890".utf8)
    static let sha256 = Array("12345678901234567890123456789012".utf8)
    static let sha512 = Array("1234567890123456789012345678901234567890123456789012345678901234".utf8)

    /// The time in seconds, its step, and the passwords by SHA-1, SHA-256 and SHA-512.
    static let rows: [(seconds: Int, step: UInt64, passwords: [String])] = [
        (59, 0x1, ["94287082", "46119246", "90693936"]),
        (1_111_111_109, 0x23523EC, ["07081804", "68084774", "25091201"]),
        (1_111_111_111, 0x23523ED, ["14050471", "67062674", "99943326"]),
        (1_234_567_890, 0x273EF07, ["89005924", "91819424", "93441116"]),
        (2_000_000_000, 0x3F940AA, ["69279037", "90698825", "38618901"]),
        (20_000_000_000, 0x27BC86AA, ["65353130", "77737706", "47863826"]),
    ]
}

enum RFC4648 {
    /// §10.
    static let base32 = [
        ("", ""), ("f", "MY======"), ("fo", "MZXQ===="), ("foo", "MZXW6==="), ("foob", "MZXW6YQ="),
        ("fooba", "MZXW6YTB"), ("foobar", "MZXW6YTBOI======"),
    ]
}
