/// Values of RFC 4648 (base64url), and of RFC 7515 Appendix C for the two characters that differ from base64.
enum RFC4648 {
    /// RFC 4648 §10, without padding, as §5 and RFC 7515 §2 leave it out.
    static let section10: [(bytes: String, text: String)] = [
        ("", ""),
        ("f", "Zg"),
        ("fo", "Zm8"),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg"),
        ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ]

    /// RFC 7515 Appendix C.
    static let bytesOfAppendixC: [UInt8] = [3, 236, 255, 224, 193]
    static let textOfAppendixC = "A-z_4ME"
}
