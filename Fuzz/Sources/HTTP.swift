import Countersign
import CountersignWire

extension Parser {
    /// Requests, and the headers of both sides.
    static let http: [Parser] = [
        Parser(
            "form",
            bytes: { bytes in
                guard let form = try? Form(parsing: bytes) else { return }
                expect((try? Form(parsing: Array(form.encoded.utf8))) == form, "a form is read again as it is written")
                expect(form.encoded.isPrintable, "and written in ASCII")
            }),
        Parser(
            "wait-preference",
            text: { text in
                guard let wait = WaitPreference(parsing: text.split(separator: "\n").map(String.init)) else { return }
                expect(wait.seconds > 0, "a wait has a length")
                expect(WaitPreference(parsing: [wait.headerValue]) == wait, "and is read again as it is written")
            }),
        Parser(
            "language-ranges",
            text: { text in
                let ranges = LanguageRanges(parsing: text.split(separator: "\n").map(String.init))
                expect(ranges.preferred.count <= LanguageRanges.most, "no more ranges than the limit")
                let found = ranges.lookup(in: ["en", "de"], otherwise: "en")
                expect(found == nil || found == "en" || found == "de", "one of those that there are")
                expect(found.map { !ranges.refused.contains($0) } != false, "and none that is refused")
                _ = LanguageRanges(locales: text)
            }),
        Parser(
            "retry-after",
            text: { text in
                guard let wait = RetryAfter(parsing: text) else { return }
                expect(wait.seconds >= 0 && RetryAfter(parsing: String(wait.seconds)) == wait, "seconds are read again")
            }),
        Parser(
            "http-date",
            text: { text in
                guard let date = HTTPDate.date(of: text) else { return }
                expect(HTTPDate.text(of: date) == text, "a date is written as it is read")
            }),
        Parser(
            "issuer",
            text: { text in
                guard let issuer = try? Issuer(text) else { return }
                expect((try? Issuer(issuer.text)) == issuer, "an issuer is read again as it is written")
                expect(issuer.text.isPrintable, "it is ASCII")
                expect(!issuer.text.contains { "?# \\".contains($0) }, "it has no query and no fragment")
                expect(
                    !issuer.origin.contains("@")
                        && issuer.text.lowercased().hasPrefix(host(of: issuer, withScheme: true)), "and no user")
                expect(issuer.isSecure || Issuer.isLoopback(host(of: issuer)), "without TLS it is this machine's own")
                expect(
                    issuer.text.lowercased().hasPrefix(issuer.isSecure ? "https://" : "http://"),
                    "it begins with its scheme")
                expect(issuer.path.isEmpty || issuer.path.hasPrefix("/"), "its path begins with a slash")
                expect(issuer.text.hasSuffix(issuer.path) && !issuer.text.hasSuffix("/"), "and ends it")
            }),
        Parser(
            "bearer-header",
            text: { text in
                guard let token = BearerHeader.token(in: text) else { return }
                expect(BearerHeader.token(in: BearerHeader.value(for: token)) == token, "a token is read again")
                expect(token.revealed.isPrintable && !token.revealed.contains(" "), "and is one printable word")
            }),
        Parser(
            "base64",
            text: { text in
                guard let bytes = Base64.decode(text[...]) else { return }
                expect(Base64.decode(Base64.encode(bytes)[...]) == bytes, "bytes are read again")
            }),
        Parser(
            "address-network",
            text: { text in
                if let bytes = AddressNetwork.bytes(of: text) {
                    expect(bytes.count == 4 || bytes.count == 16, "an address has 4 or 16 bytes")
                    expect(AddressNetwork.bytes(of: AddressNetwork.plain(text)) == bytes, "and means the same, plain")
                    expect(AddressNetwork(text)?.contains(text) != false, "a network of one holds it")
                }
                guard let network = AddressNetwork(text) else { return }
                expect(network.contains(String(text.prefix { $0 != "/" })), "a network holds the address that names it")
            }),
        Parser(
            "forwarded-for",
            text: { text in
                for hop in ForwardedFor.hops(text.split(separator: "\n").map(String.init)) {
                    expect(!hop.contains(","), "a hop is one")
                    if AddressNetwork.isAddress(hop) { expect(!AddressNetwork.plain(hop).contains("["), "and plain") }
                }
            }),
    ]

    private static func host(of issuer: Issuer, withScheme: Bool = false) -> String {
        if withScheme { return "\(issuer.isSecure ? "https" : "http")://\(host(of: issuer))" }
        let authority = issuer.origin.drop { $0 != "/" }.dropFirst(2)
        if let end = authority.firstIndex(of: "]") { return String(authority[...end]) }
        return String(authority.prefix { $0 != ":" })
    }
}
