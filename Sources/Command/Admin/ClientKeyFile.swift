internal import ArgumentParser
internal import CountersignWire
internal import Foundation

/// The file with the public keys of a client that authenticates by `private_key_jwt`.
struct ClientKeyFile: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A file with the public keys by which it authenticates, in place of a secret: a JSON Web Key Set. Beside a \
            certificate, those by which it signs its requests.
            """,
            valueName: "file"
        )
    )
    var keys: String?

    /// The keys in the file; `nil` when none is named.
    ///
    /// - Throws: a ``CommandError`` with the reason.
    func read() throws -> JSONWebKeySet? {
        guard let keys else { return nil }
        let bytes = try SuppliedText.bytes(in: keys, called: "The key file")
        let submitted = try (try? JSONDecoder().decode(SubmittedKeySet.self, from: bytes)).or(
            failure: "The key file \(keys) is no JSON Web Key Set.")
        do {
            return try submitted.checked()
        } catch .privateKey {
            throw CommandError("The key file \(keys) holds a private key. Only the public halves belong here.")
        } catch .unusable {
            throw CommandError(
                "The key file \(keys) needs 1 to \(SubmittedKeySet.most) keys, each on P-256 or RSA from 2048 bits.")
        }
    }
}
