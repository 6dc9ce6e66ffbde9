extension LinkMessage {
    /// Reads a decrypted message; `nil` for an unknown kind, malformed fields, or trailing bytes.
    package init?(parsing bytes: [UInt8]) {
        var reader = FieldReader(bytes)
        guard let kind = reader.byte().flatMap({ Kind(rawValue: $0) }),
            let message = Self.fields(of: kind, from: &reader), reader.isAtEnd
        else { return nil }
        self = message
    }

    /// Reads the fields after the type; `nil` when they are malformed.
    private static func fields(of kind: Kind, from reader: inout FieldReader) -> LinkMessage? {
        switch kind {
        case .ask: ask(from: &reader)
        case .commit: exactly(reader.run(), reader.digest()).map { .commit($0, $1) }
        case .wait: reader.byte().flatMap { (1...4).contains($0) ? .wait(place: Int($0)) : nil }
        case .ready: exactly(reader.run(), reader.nonce()).map { .ready($0, $1) }
        case .typed: exactly(reader.run(), reader.digest()).map { .typed($0, $1) }
        case .reveal: exactly(reader.run(), reader.nonce()).map { .reveal($0, $1) }
        case .open: exactly(reader.run(), reader.nonce()).map { .open($0, $1) }
        case .missed: reader.run().map { .missed($0) }
        case .trusted: .trusted
        case .request: reader.nonce().map { .request(salt: $0, body: reader.remainder()) }
        case .decision: decision(from: &reader)
        case .part: part(from: &reader)
        case .done: flag(from: &reader).map { .done(paired: $0) }
        case .alive: .alive
        case .end: reader.byte().flatMap { EndReason(rawValue: $0) }.map { .end($0) }
        }
    }

    /// Reads `ask`.
    private static func ask(from reader: inout FieldReader) -> LinkMessage? {
        guard let kind = reader.byte().flatMap({ NearbyRequestKind(rawValue: $0) }),
            let pairs = flag(from: &reader),
            let digest = reader.digest(),
            let name = reader.text().flatMap({ PeerName($0) })
        else { return nil }
        return .ask(Ask(kind: kind, wantsPairing: pairs, requestDigest: digest, name: name))
    }

    /// Reads `decision`.
    private static func decision(from reader: inout FieldReader) -> LinkMessage? {
        guard let answer = reader.byte(), answer == 1 || answer == 2,
            let pairs = flag(from: &reader),
            let name = reader.text().flatMap({ PeerName($0) }),
            let total = reader.number(), total <= longestGrant,
            let digest = reader.digest()
        else { return nil }
        return .decision(
            Decision(approves: answer == 1, pairs: pairs, name: name, total: Int(total), digest: digest))
    }

    /// Reads `part`.
    private static func part(from reader: inout FieldReader) -> LinkMessage? {
        let bytes = reader.remainder()
        return (1...longestPart).contains(bytes.count) ? .part(bytes) : nil
    }

    /// Reads a byte that is 0 or 1.
    private static func flag(from reader: inout FieldReader) -> Bool? {
        switch reader.byte() {
        case 0: false
        case 1: true
        default: nil
        }
    }

    /// Both values, if neither is `nil`.
    private static func exactly<First, Second>(_ first: First?, _ second: Second?) -> (First, Second)? {
        guard let first, let second else { return nil }
        return (first, second)
    }
}
