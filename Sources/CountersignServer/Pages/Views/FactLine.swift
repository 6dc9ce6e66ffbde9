internal import FoundationEssentialsCompat

/// A fact about a request, with its provenance in words.
struct FactLine: Sendable, Equatable {
    /// The kind of fact: "App", "Calls itself".
    let label: LocalizedText
    /// The value itself.
    let text: LocalizedText
    /// The source of the fact, in words.
    let source: LocalizedText
    /// Advice for the person, if there is any.
    let note: LocalizedText?
    /// The provenance as a name for the style sheet.
    let provenance: String
    let isVerified: Bool
    let isObserved: Bool
    let isAsserted: Bool

    /// The maximum length of a requester's claims, in Unicode scalars.
    static let longestClaim = 100

    /// Shows a fact under `label`; an asserted one is shortened, because attackers write these.
    ///
    /// - Parameter source: The source of the fact, in words; the words for its provenance by default.
    init(_ label: LocalizedText, _ fact: Fact<String>, source: LocalizedText? = nil, note: LocalizedText? = nil) {
        let text = fact.provenance == .asserted ? Self.claim(fact.value) : fact.value
        self.init(label, .verbatim(text), fact.provenance, source: source, note: note)
    }

    /// Shows a fact of this server.
    init(_ label: LocalizedText, verified text: LocalizedText) {
        self.init(label, text, .verified)
    }

    private init(
        _ label: LocalizedText,
        _ text: LocalizedText,
        _ provenance: Provenance,
        source: LocalizedText? = nil,
        note: LocalizedText? = nil
    ) {
        self.label = label
        self.text = text
        self.note = note
        self.provenance = provenance.rawValue
        isVerified = provenance == .verified
        isObserved = provenance == .observed
        isAsserted = provenance == .asserted
        self.source = source ?? Self.words(for: provenance)
    }

    /// The source of facts of this provenance, in words.
    private static func words(for provenance: Provenance) -> LocalizedText {
        switch provenance {
        case .verified: .text(.factVerified)
        case .observed: .text(.factObserved)
        case .asserted: .text(.factAsserted)
        }
    }

    /// The app of a request: the asserted name of a self-registered one, or the operator's name, which other programs
    /// can use if the app is not authenticated.
    static func app(_ client: Client, _ provenance: Provenance) -> FactLine {
        guard client.provenanceOfName(provenance) == .asserted else {
            return FactLine(.text(.factApp), Fact(client.name, provenance))
        }
        return FactLine(
            .text(.factApp), .asserted(client.name), source: client.namedItself ? nil : .text(.factNotVerified),
            note: .text(client.namedItself && provenance != .asserted ? .factOwnName : .factAnyProgram))
    }

    /// A page of this server, as the requester of a browser.
    static func page(for purpose: BrowserSignInTerms.Purpose) -> FactLine {
        FactLine(.text(.factApp), verified: .text(purpose.pageName))
    }

    /// The service of the requested tokens.
    static func service(_ domain: ServiceDomain) -> FactLine {
        FactLine(.text(.factService), .verified(domain.shownName))
    }

    /// The network address of the request, and whether the reader's browser has the same one, if that is known.
    static func address(_ address: Fact<String>, sameAsReader: Bool? = nil) -> FactLine {
        let note = sameAsReader.map { LocalizedText.text($0 ? .factSameAddress : .factOtherAddress) }
        return FactLine(.text(.pageAskedFrom), address, note: note)
    }

    /// The message of the party that named the person, in its own words, which are not shortened.
    static func message(_ words: String) -> FactLine {
        FactLine(.text(.questionMessage), .verbatim(words), .asserted, source: .text(.factNotVerified))
    }

    /// The origin of the sign-in, as the site stated it.
    static func origin(_ words: Fact<String>) -> FactLine {
        FactLine(.text(.factOrigin), words, source: .text(.factSiteSays))
    }

    /// The time of the request.
    static func asked(_ instant: Fact<Date>, at now: Date) -> FactLine {
        FactLine(.text(.pageAsked), TimeDisplay(instant.value, at: now).text, instant.provenance)
    }

    /// The screen's name for itself.
    static func deviceName(_ name: Fact<String>) -> FactLine { FactLine(.text(.factClaims), name) }

    /// The purpose of a service, and the end that it wishes, both in its own words.
    static func service(_ service: GuestService, at now: Date) -> [FactLine] {
        [
            FactLine(.text(.factPurpose), .asserted(service.purpose)),
            FactLine(.text(.factActsUntil), TimeDisplay(service.ends, at: now).text, .asserted),
        ]
    }

    /// The software, as the device stated it.
    static func software(_ name: Fact<String>) -> FactLine { FactLine(.text(.factSoftware), name) }

    /// The shown part of a requester's claim: the beginning, without line breaks and direction controls.
    static func claim(_ words: String) -> String {
        let scalars = words.unicodeScalars.lazy.filter { !$0.isUnsafeInName }
        let shown = String(String.UnicodeScalarView(scalars.prefix(longestClaim)))
        return scalars.dropFirst(longestClaim).isEmpty ? shown : shown + "…"
    }
}

extension Client {
    /// Its name on pages: a shortened claim, or the operator's name.
    var shownName: String {
        namedItself ? FactLine.claim(name) : name
    }

    /// Whether it chose its own name.
    var namedItself: Bool { provenanceOfName(.verified) == .asserted }
}

extension ServiceDomain {
    /// Its name on pages: the display name and the unique domain.
    var shownName: String { "\(displayName) (\(name))" }
}
