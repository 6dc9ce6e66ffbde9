internal import Countersign
internal import CountersignWire
internal import Crypto
internal import FoundationEssentialsCompat

/// Shows that a repeated token request comes from the client that lost the answer.
enum RequesterProof: Sendable, Equatable {
    /// A proof of the key that the tokens are bound to.
    case key(SenderKey)
    /// The secret that the client drew for the request.
    case requestID(TokenRequestID)
    /// The network of the client, as ``CountedAddress`` writes it; `nil` where it cannot be told from others.
    case network(String?)

    /// The strongest proof that a request has.
    init(_ key: SenderKey?, _ id: TokenRequestID?, from network: String?) {
        if let key {
            self = .key(key)
        } else if let id {
            self = .requestID(id)
        } else {
            self = .network(network)
        }
    }

    var network: String? {
        if case .network(let network) = self { network } else { nil }
    }
}

/// The digest of a code or refresh token, and the key that opens its answer.
///
/// The key is derived from what the client presented: the credential, and the secret of the request if it has one. The
/// database holds the credential's digest only, so the database alone reveals no answer.
struct AnsweredCredential: Sendable {
    let digest: SecretDigest
    let proof: RequesterProof
    /// Whether the answer is repeated for ten seconds to a client of any network.
    let isRepeatedElsewhere: Bool
    fileprivate let key: SymmetricKey

    /// A refresh token.
    init(_ token: RefreshToken, shownBy proof: RequesterProof) {
        self.init(token, shownBy: proof, elsewhere: true, use: "refresh token")
    }

    /// An authorization code, whose second use must be denied to a client that does not name its request.
    ///
    /// Standard: RFC 6749 §4.1.2; FAPI 2.0 Security Profile §5.3.2.1.
    init(_ code: AuthorizationCode, of request: TokenRequestID?) {
        let proof = RequesterProof(nil, request, from: nil)
        self.init(code, shownBy: proof, elsewhere: false, use: "authorization code")
    }

    /// A device code with the links that its client names, or the identifier of a request over the back channel.
    ///
    /// A stranger can name a public client, so its answer is repeated in its own network only. An identifier must not
    /// be good twice (OpenID CIBA Core 1.0 §10.1.1) for a client that does not name its request.
    init(_ poll: Poll, shownBy proof: RequesterProof) {
        switch poll.code {
        case .device(let code, over: let links):
            let names = links.map(\.description).sorted().joined(separator: " ")
            let elsewhere = poll.client.provenance == .verified
            self.init(code, shownBy: proof, elsewhere: elsewhere, use: "device code over \(names)")
        case .backchannel(let id):
            let proof = RequesterProof(nil, poll.id, from: nil)
            self.init(id, shownBy: proof, elsewhere: false, use: "auth_req_id")
        }
    }

    /// Whether an answer to it may be repeated at all.
    var isRepeatable: Bool { isRepeatedElsewhere || proof != .network(nil) }

    private init(_ secret: some Secret, shownBy proof: RequesterProof, elsewhere: Bool, use: String) {
        digest = secret.digest
        self.proof = proof
        isRepeatedElsewhere = elsewhere
        var material = Array(secret.revealed.utf8)
        let kind: String
        switch proof {
        case .key(let key): kind = "by key \(key)"
        case .requestID(let id):
            kind = "by request"
            material.append(0)
            material.append(contentsOf: id.revealed.utf8)
        case .network: kind = "by network"
        }
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: material),
            info: Array("countersign answer to \(use) \(kind)".utf8),
            outputByteCount: 32
        )
    }
}

extension SealedAnswer {
    /// Seals an answer under the credential that it answers.
    init(sealing answer: [UInt8], under credential: AnsweredCredential) throws {
        self.init(restoring: Array(try ChaChaPoly.seal(answer, using: credential.key).combined))
    }

    /// The answer; `nil` when it was sealed under another credential.
    func opened(with credential: AnsweredCredential) -> [UInt8]? {
        guard let box = try? ChaChaPoly.SealedBox(combined: bytes),
            let answer = try? ChaChaPoly.open(box, using: credential.key)
        else { return nil }
        return Array(answer)
    }
}

extension RepeatableAnswer {
    /// The time that an answer is repeated without regard to the network: 10 seconds.
    static let lifetime: TimeInterval = 10

    /// Separates the network from the answer in what is sealed.
    private static let separator = UInt8(ascii: "\n")

    /// Seals the first answer to `credential`.
    ///
    /// - Parameters:
    ///   - answer: The token answer, as JSON.
    ///   - window: The time that it is repeated to a client that shows nothing but its network, in seconds.
    ///   - end: The time when the tokens of the answer end, after which it is of no use.
    init(
        _ answer: [UInt8],
        to credential: AnsweredCredential,
        _ kind: Kind,
        for grant: Grant.ID,
        within window: TimeInterval,
        until end: Date,
        at now: Date
    ) throws {
        var ends = end
        if case .network(let network) = credential.proof { ends = network == nil ? now : min(ends, now + window) }
        if case .code(let deadline) = kind { ends = min(ends, deadline) }
        let network = Array((credential.proof.network ?? "").utf8)
        self.init(
            grant: grant,
            kind: kind,
            credential: credential.digest,
            answer: try SealedAnswer(sealing: network + [Self.separator] + answer, under: credential),
            answered: now,
            ends: max(ends, now + Self.lifetime)
        )
    }

    /// The same answer, given for the first time at `instant`: it may have waited until it was stored.
    func answered(at instant: Date) -> RepeatableAnswer {
        RepeatableAnswer(
            grant: grant,
            kind: kind,
            credential: credential,
            answer: answer,
            answered: instant,
            ends: ends + instant.timeIntervalSince(answered)
        )
    }

    /// The same with another access token, for the same span.
    func replaced(by answer: [UInt8], to credential: AnsweredCredential) throws -> RepeatableAnswer {
        let network = self.answer.opened(with: credential)?.prefix { $0 != Self.separator } ?? []
        return RepeatableAnswer(
            grant: grant,
            kind: kind,
            credential: self.credential,
            answer: try SealedAnswer(sealing: network + [Self.separator] + answer, under: credential),
            answered: answered,
            ends: ends
        )
    }

    /// Whether it is so recent that it is repeated byte for byte.
    func isRecent(at now: Date) -> Bool {
        // In both directions, so that a clock that is set back does not keep the answer for long.
        abs(now.timeIntervalSince(answered)) < Self.lifetime
    }

    /// The answer, for a client that presents the credential again while it may be repeated; otherwise `nil`.
    ///
    /// - Parameter window: The time that it is repeated to a client that shows nothing but its network, in seconds.
    func repeated(to credential: AnsweredCredential, within window: TimeInterval, at now: Date) -> [UInt8]? {
        guard self.credential == credential.digest, let opened = answer.opened(with: credential),
            let end = opened.firstIndex(of: Self.separator)
        else { return nil }
        let isInTime =
            switch kind {
            case .refreshToken: true
            case .code(let deadline): now < deadline || isRecent(at: now)
            }
        let isAllowed: Bool
        switch credential.proof {
        case .key, .requestID: isAllowed = true
        case .network(let network):
            let exists = network.map { Array($0.utf8) == Array(opened[..<end]) } ?? false
            let span = abs(now.timeIntervalSince(answered))
            isAllowed =
                exists && (span < window || isRecent(at: now))
                || credential.isRepeatedElsewhere && isRecent(at: now)
        }
        return isInTime && isAllowed ? Array(opened[(end + 1)...]) : nil
    }
}
