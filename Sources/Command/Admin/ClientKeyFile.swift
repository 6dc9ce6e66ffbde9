internal import ArgumentParser
internal import CountersignWire
internal import Foundation

/// The file with the public keys of a client that authenticates by `private_key_jwt`.
struct ClientKeyFile: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file with the public keys by which it authenticates, in place of a secret: a JSON Web Key Set.",
            valueName: "file"
        )
    )
    var keys: String?

    /// The largest number of keys that a client may have.
    private static let most = 16

    /// The keys in the file; `nil` when none is named.
    ///
    /// - Throws: a ``Failure`` that says what is wrong.
    func read() throws -> JSONWebKeySet? {
        guard let keys else { return nil }
        guard let bytes = FileManager.default.contents(atPath: keys) else {
            throw Failure("The key file \(keys) cannot be read.")
        }
        guard let set = try? JSONDecoder().decode(JSONWebKeySet.self, from: bytes),
            let whole = try? JSONDecoder().decode(Whole.self, from: bytes)
        else { throw Failure("The key file \(keys) is no JSON Web Key Set.") }
        guard !whole.keys.contains(where: { $0["d"] != nil || $0["k"] != nil }) else {
            throw Failure("The key file \(keys) holds a private key. Only the public halves belong here.")
        }
        guard (1...Self.most).contains(set.keys.count), set.keys.count == whole.keys.count,
            set.keys.allSatisfy({ KeyThumbprint(of: $0) != nil })
        else {
            throw Failure("The key file \(keys) needs 1 to \(Self.most) keys, each on P-256 or RSA from 2048 bits.")
        }
        return set
    }

    private struct Whole: Decodable {
        let keys: [[String: Member]]

        /// The value of a member, which does not matter here.
        struct Member: Decodable {
            init(from decoder: any Decoder) {}
        }
    }
}
