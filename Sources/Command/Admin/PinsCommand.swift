internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import Foundation

/// `countersign admin pins`: the signed list of certificates that apps accept.
struct PinsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pins",
        abstract: "Sign the list of certificates that apps accept, which 'serve --authenticator-pins' serves.",
        discussion: """
            The key is built into the apps, and needs to be nowhere near the server:

              openssl ecparam -name prime256v1 -genkey -noout -out pins.pem
              countersign admin pins key --key pins.pem
              countersign admin pins sign --key pins.pem --certificate now.pem --certificate next.pem > pins.jwt
            """,
        subcommands: [Sign.self, Key.self]
    )

    /// The file with the key.
    struct KeyOption: ParsableArguments {
        @Option(help: ArgumentHelp("A private key on P-256, as PEM without a passphrase.", valueName: "file"))
        var key: String

        func read() throws -> CertificatePinSigningKey {
            let pem = try PrivateKeyFile.text(at: key)
            return try (try? CertificatePinSigningKey(pem: pem)).or(
                failure: "The key file \(key) holds no private key on P-256, as PEM without a passphrase.")
        }
    }

    /// `countersign admin pins sign`
    struct Sign: OutputCommand {
        static let configuration = CommandConfiguration(abstract: "Sign a list, and print it.")

        @OptionGroup var key: KeyOption

        @Option(
            help: ArgumentHelp(
                "A certificate that apps accept, as PEM; of a chain the first. Repeat it for others.",
                valueName: "file"))
        var certificate: [String] = []

        @Option(
            name: .customLong("list-version"),
            help: ArgumentHelp(
                "The version of the list, higher than that of each before. (default: the current second)",
                valueName: "number"))
        var version: Int?

        @Option(help: "For how many days apps accept the list.")
        var days = 90

        func output() async throws -> CommandOutput {
            let signing = try key.read()
            guard (1...64).contains(certificate.count) else {
                throw CommandError.usage("A list has 1 to 64 certificates: --certificate FILE")
            }
            guard (1...3650).contains(days), version.map({ $0 > 0 }) ?? true else {
                throw CommandError.usage("The version of a list is above 0, and days are 1 to 3650.")
            }
            let now = TimeSource.system.now()
            let list = try signing.list(
                of: try certificate.map(Self.bytes),
                version: version ?? Int(now.timeIntervalSince1970),
                until: now + 86_400 * Double(days)
            )
            return CommandOutput(words: list)
        }

        /// The first certificate in a file, in DER.
        private static func bytes(ofCertificateAt path: String) throws -> [UInt8] {
            let text = try SuppliedText.text(in: path, called: "The certificate")
            guard let begin = text.firstRange(of: "-----BEGIN CERTIFICATE-----"),
                let end = text[begin.upperBound...].firstRange(of: "-----END CERTIFICATE-----"),
                let read = Data(
                    base64Encoded: String(text[begin.upperBound..<end.lowerBound].filter { !$0.isWhitespace })),
                // A sequence whose length takes two bytes, as each certificate is.
                read.count > 256, read.first == 0x30
            else { throw CommandError("The file \(path) holds no certificate as PEM.") }
            return Array(read)
        }
    }

    /// `countersign admin pins key`
    struct Key: OutputCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the public half of the key as a JSON Web Key, to build it into the apps.")

        @OptionGroup var key: KeyOption

        var json: Bool { true }

        func output() async throws -> CommandOutput {
            CommandOutput(encoding: try key.read().publicKey, nil)
        }
    }
}
