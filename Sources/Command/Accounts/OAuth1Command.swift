internal import ArgumentParser
internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes

/// `countersign oauth1`: requests that are signed by OAuth 1, for people who debug them.
struct OAuth1Command: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oauth1", abstract: "Sign requests by OAuth 1, and see what is signed.", subcommands: [Sign.self])

    /// `countersign oauth1 sign`
    struct Sign: OutputCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the base string of a request, and its Authorization header, address or body.",
            discussion: """
                The secrets are read from standard input, a line each: that of the client, then with --token that of the \
                token. A client that signs by RSA has its key in --key.
                """
        )

        @Argument(help: "The address of the request, with its query.")
        var address: String

        @Option(help: "The method of the request.")
        var method = "GET"

        @Option(help: "The body, if it is a form: a=b&c=d, percent-encoded.")
        var form = ""

        @Option(help: "The identifier of the client (consumer key).")
        var client: String

        @Option(help: "The identifier of the token.")
        var token: String?

        @Option(help: "HMAC-SHA1, HMAC-SHA256, RSA-SHA1, RSA-SHA256 or PLAINTEXT.")
        var signatureMethod = OAuth1SignatureMethod.hmacSHA1.rawValue

        @Option(help: "The file with the client's RSA key, as PEM.")
        var key: String?

        @Option(help: "Where the signature stands: header, query or form.")
        var place = "header"

        @Option(help: "The realm in the header.")
        var realm: String?

        @Option(help: "Where the person is sent back to (oauth_callback).")
        var callback: String?

        @Option(help: "The code that the person got (oauth_verifier).")
        var verifier: String?

        @Option(help: "Seconds since 1970, in place of the time of now.")
        var timestamp: Int?

        @Option(help: "The nonce, in place of a new one.")
        var nonce: String?

        @Flag(help: "Leave oauth_version out.")
        var withoutVersion = false

        func output() async throws -> CommandOutput {
            let named = try HTTPRequest.Method(method.uppercased()).or(usage: "\(method.shown) is no method.")
            do {
                let placed = try placement()
                let request = try OAuth1Request(named, address, form: OAuth1Parameter.parse(Array(form.utf8)))
                let signed = try sign(request, by: signing())
                let line =
                    switch placed {
                    case .header: "Authorization: \(signed.header)"
                    case .query: "Address: \(signed.address)"
                    case .form: "Body: \(signed.form)"
                    }
                return CommandOutput(words: "Base string:\n\(signed.baseString)\n\n\(line)")
            } catch let refusal as OAuth1Error {
                throw CommandError.usage("This cannot be signed: \(refusal.reason).")
            }
        }

        private func sign(_ request: OAuth1Request, by signing: OAuth1Signer.Signing) throws -> SignedOAuth1Request {
            let needsSecret = key == nil
            let secret = needsSecret ? try Self.secret(asking: "Secret of the client: ") : ""
            let credentials = ClientCredentials(client: ClientID(client), secret: OAuth1Secret(revealing: secret))
            let tokens = try token.map { token in
                let secret = needsSecret ? try Self.secret(asking: "Secret of the token: ") : ""
                return TokenCredentials(token: OAuth1Token(token), secret: OAuth1Secret(revealing: secret))
            }
            let signer = OAuth1Signer(as: credentials, for: tokens, by: signing, clock: .system, drawingFrom: .system)
            let extra =
                (callback.map { [.callback($0)] } ?? []) + (verifier.map { [.verifier($0)] } ?? [])
                + (withoutVersion ? [] : [OAuth1Parameter.version])
            let drawn = RandomSource.system.bytes(12).map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
            return try signer.sign(
                request,
                realm: realm,
                stamped: timestamp ?? Int(TimeSource.system.now().timeIntervalSince1970),
                nonce: nonce ?? drawn,
                adding: extra
            )
        }

        private func placement() throws -> UnverifiedOAuth1Request.Placement {
            guard realm == nil || place == "header" else {
                throw CommandError.usage("--realm stands in the header only.")
            }
            switch place {
            case "header": return .header
            case "query": return .query
            case "form": return .form
            default:
                let known = Suggestion(from: ["header", "query", "form"])
                throw known.refusal("\(place.shown) is no place: \(known.choice).", of: place)
            }
        }

        private func signing() throws -> OAuth1Signer.Signing {
            let method = try OAuth1SignatureMethod(rawValue: signatureMethod.uppercased()).or(
                usage: "\(signatureMethod.shown) is no signature method.")
            guard method == .rsaSHA1 || method == .rsaSHA256 else {
                guard key == nil else { throw CommandError.usage("--key goes with RSA-SHA1 and RSA-SHA256.") }
                switch method {
                case .hmacSHA256: return .hmacSHA256
                case .plaintext: return .plaintext
                default: return .hmacSHA1
                }
            }
            guard let key, let pem = try? String(contentsOfFile: key, encoding: .utf8),
                let signingKey = OAuth1SigningKey(pem: pem)
            else {
                throw CommandError.usage("\(method.rawValue) needs --key with an RSA key of 2048 bits or more.")
            }
            return method == .rsaSHA1 ? .rsaSHA1(signingKey) : .rsaSHA256(signingKey)
        }

        private static func secret(asking question: String) throws -> String {
            return try Terminal.readSecret(asking: question).or(
                usage: "A secret is missing: a line on standard input for each.")
        }
    }
}
