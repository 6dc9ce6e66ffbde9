internal import FoundationEssentialsCompat

/// The parts of a hash as text: numbers, parameters, and Base64 without padding.
///
/// Standard: PHC string format.
enum PHCString {
    /// Reads a decimal number of at most ten digits; `nil` for other text.
    static func number(_ text: some StringProtocol) -> Int? {
        guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    /// Reads `name=number,name=number` with exactly these names in this order; `nil` for other text.
    static func parameters(_ text: some StringProtocol, _ names: [String]) -> [Int]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == names.count else { return nil }
        var numbers: [Int] = []
        for (part, name) in zip(parts, names) {
            guard part.hasPrefix("\(name)="), let number = number(part.dropFirst(name.count + 1)) else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    /// Reads the salt and the hash.
    ///
    /// - Throws: ``PasswordHashError/malformed`` for other text and other lengths.
    static func saltAndHash(
        _ salt: some StringProtocol, _ hash: some StringProtocol
    ) throws(PasswordHashError) -> (salt: [UInt8], hash: [UInt8]) {
        guard let salt = bytes(salt), PasswordHashLimits.saltLength.contains(salt.count), let hash = bytes(hash),
            PasswordHashLimits.hashLength.contains(hash.count)
        else { throw .malformed }
        return (salt, hash)
    }

    /// Reads Base64, with padding or without.
    private static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let unpadded = text.prefix { $0 != "=" }
        let padding = String(repeating: "=", count: (4 - unpadded.utf8.count % 4) % 4)
        guard text.utf8.count - unpadded.utf8.count <= 2 else { return nil }
        return Data(base64Encoded: String(unpadded) + padding).map { Array($0) }
    }

    /// Writes Base64 without padding.
    static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString().filter { $0 != "=" } }
}
