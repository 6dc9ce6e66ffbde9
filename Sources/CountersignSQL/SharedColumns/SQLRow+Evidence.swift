internal import Countersign
internal import FoundationEssentialsCompat

extension SQLRow {
    /// The evidence in a column.
    ///
    /// It is JSON, and every use of a refresh token reads it twice. So the exact form that is written is parsed byte by
    /// byte, which takes a tenth of the time; any other form is parsed by the decoder.
    func evidence(_ column: Int) throws -> Evidence {
        let text: String = try self[column]
        if let evidence = Evidence(written: text) { return evidence }
        return try document(column)
    }
}

extension Evidence {
    /// Reads JSON in the exact form that is written: `{"proofs":[{"accountPassword":{"at":0.5}},{"codeTyped":{}}]}`;
    /// `nil` for any other form.
    init?(written text: String) {
        var rest = Array(text.utf8)[...]
        func take(_ part: StaticString) -> Bool {
            let bytes = UnsafeBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount)
            guard rest.starts(with: bytes) else { return false }
            rest.removeFirst(bytes.count)
            return true
        }
        func instant(before end: Character = "}") -> Date? {
            let digits = rest.prefix { $0 != end.asciiValue }
            rest.removeFirst(digits.count)
            guard Self.isNumber(digits), let seconds = Double(String(decoding: digits, as: UTF8.self)),
                seconds.isFinite
            else { return nil }
            return Date(timeIntervalSinceReferenceDate: seconds)
        }
        func nearbyProof() -> NearbyProof? {
            if take("{\"code\":{}}") { return .code }
            guard take("{\"paired\":{\"at\":"), let paired = instant(), take("}}") else { return nil }
            return .paired(at: paired)
        }
        // Texts that need no escape.
        func plainText() -> String? {
            let text = rest.prefix { $0 != UInt8(ascii: "\"") }
            rest.removeFirst(text.count)
            guard text.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) else { return nil }
            return String(decoding: text, as: UTF8.self)
        }
        guard take("{\"proofs\":[") else { return nil }
        var proofs: [Proof] = []
        while !take("]}") {
            guard proofs.isEmpty || take(",") else { return nil }
            if let plain = Self.plainProofs.first(where: { take($0.written) }) {
                proofs.append(plain.proof)
            } else if let dated = Self.datedProofs.first(where: { take($0.written) }) {
                guard let instant = instant(), take("}}") else { return nil }
                proofs.append(dated.proof(instant))
            } else if take("{\"secondFactor\":{\"_0\":\"") {
                guard let name = plainText(), let factor = SecondFactor(rawValue: name), take("\",\"at\":"),
                    let instant = instant(), take("}}")
                else { return nil }
                proofs.append(.secondFactor(factor, at: instant))
            } else if take("{\"possession\":{\"_0\":\"") {
                guard let name = plainText(), let what = Possession(rawValue: name), take("\",\"at\":"),
                    let instant = instant(), take("}}")
                else { return nil }
                proofs.append(.possession(what, at: instant))
            } else if take("{\"reached\":{\"_0\":\"") {
                guard let name = plainText(), let wanted = AuthenticationClass(rawValue: name), take("\"}}")
                else { return nil }
                proofs.append(.reached(wanted))
            } else if take("{\"network\":{\"_0\":\"") {
                guard let name = plainText(), let network = SameNetwork(rawValue: name), take("\"}}")
                else { return nil }
                proofs.append(.network(network))
            } else if take("{\"nearby\":{\"how\":") {
                guard let how = nearbyProof(), take(",\"sameNetwork\":\""), let name = plainText(),
                    let network = SameNetwork(rawValue: name), take("\"}}")
                else { return nil }
                proofs.append(.nearby(how: how, sameNetwork: network))
            } else if take("{\"federated\":{\"at\":") {
                guard let instant = instant(before: ","), take(",\"how\":\""), let name = plainText(),
                    let how = FederatedProof(rawValue: name), take("\",\"issuer\":\""), let issuer = plainText(),
                    take("\"}}")
                else { return nil }
                proofs.append(.federated(issuer: IdentityIssuer(issuer), how: how, at: instant))
            } else {
                return nil
            }
        }
        guard rest.isEmpty else { return nil }
        self.init(proofs)
    }

    private static let plainProofs: [(written: StaticString, proof: Proof)] = [
        ("{\"codeTyped\":{}}", .codeTyped), ("{\"personCodeTyped\":{}}", .personCodeTyped),
        ("{\"linkOpened\":{}}", .linkOpened),
        ("{\"knownBrowser\":{}}", .knownBrowser), ("{\"signedInBefore\":{}}", .signedInBefore),
        ("{\"namedByClient\":{}}", .namedByClient), ("{\"redirected\":{}}", .redirected),
        ("{\"decisionSigned\":{}}", .decisionSigned), ("{\"numberMatched\":{}}", .numberMatched),
        ("{\"ticketPresented\":{}}", .ticketPresented),
    ]

    private static let datedProofs: [(written: StaticString, proof: @Sendable (Date) -> Proof)] = [
        ("{\"accountPassword\":{\"at\":", { .accountPassword(at: $0) }),
        ("{\"passkey\":{\"at\":", { .passkey(at: $0) }),
        ("{\"userVerified\":{\"at\":", { .userVerified(at: $0) }),
        ("{\"enrolledDevice\":{\"at\":", { .enrolledDevice(at: $0) }),
        ("{\"verifiedByDevice\":{\"at\":", { .verifiedByDevice(at: $0) }),
    ]

    /// Whether a text is a JSON number; `Double` accepts more forms.
    ///
    /// Standard: RFC 8259 §6.
    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        func take(_ characters: StaticString) -> Bool {
            guard let next = rest.first, characters.withUTF8Buffer({ $0.contains(next) }) else { return false }
            rest.removeFirst()
            return true
        }
        func digits() -> Int {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest.removeFirst(digits.count)
            return digits.count
        }
        _ = take("-")
        let beginsWithZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        guard whole == 1 || (whole > 1 && !beginsWithZero) else { return false }
        if take(".") { guard digits() > 0 else { return false } }
        if take("eE") {
            _ = take("+-")
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
