/// Bytes as small hexadecimal digits, two for each.
package enum HexadecimalText {
    /// The text for `bytes`.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
