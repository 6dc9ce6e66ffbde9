internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One line about a request, with words on how far it can be believed.
struct FactLine: Sendable, Equatable {
    /// The kind of fact: "App", "Calls itself".
    let label: LocalizedText
    /// The value itself.
    let text: LocalizedText
    /// The source of the fact, in words.
    let source: LocalizedText
    /// The conclusion that a person may draw from it, if that needs saying.
    let note: LocalizedText?
    /// The provenance as a name for the style sheet.
    let provenance: String
    let isVerified: Bool
    let isObserved: Bool
    let isAsserted: Bool

    /// The longest shown text of a requester's own claims, in Unicode scalars.
    static let longestClaim = 100

    /// Shows a fact under `label`; of an asserted one only the beginning, because attackers write these.
    ///
    /// - Parameter source: The source of the fact, in words; the words for its provenance by default.
    init(
        _ label: LocalizedText,
        _ fact: Fact<String>,
        source: LocalizedText? = nil,
        note: LocalizedText? = nil
    ) {
        let text = fact.provenance == .asserted ? Self.claim(fact.value) : fact.value
        self.init(label, .verbatim(text), fact.provenance, source: source, note: note)
    }

    /// Shows what this server says itself.
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

    /// Which app asks, at a screen: its own words where it registered itself, or a name that the operator gave, which
    /// another program can use if the app proves nothing.
    static func app(_ client: Client, _ provenance: Provenance) -> FactLine {
        guard client.provenanceOfName(provenance) == .asserted else {
            return FactLine(.text(.factApp), Fact(client.name, provenance))
        }
        return FactLine(
            .text(.factApp),
            .asserted(client.name),
            source: client.namedItself ? nil : .text(.factNotVerified),
            note: .text(client.namedItself && provenance != .asserted ? .factOwnName : .factAnyProgram)
        )
    }

    /// The service that tokens are requested for.
    static func service(_ domain: ServiceDomain) -> FactLine {
        FactLine(.text(.factService), .verified(domain.shownName))
    }

    /// The address of the request, and whether the reader's browser is seen at the same address, if that is known.
    static func address(_ address: Fact<String>, sameAsReader: Bool? = nil) -> FactLine {
        let note = sameAsReader.map { LocalizedText.text($0 ? .factSameAddress : .factOtherAddress) }
        return FactLine(.text(.pageAskedFrom), address, note: note)
    }

    /// From where the person signs in, as the site says that asks.
    static func origin(_ words: Fact<String>) -> FactLine {
        FactLine(.text(.factOrigin), words, source: .text(.factSiteSays))
    }

    /// Since when it asks.
    static func asked(_ instant: Fact<Date>, at now: Date) -> FactLine {
        FactLine(.text(.pageAsked), TimeDisplay(instant.value, at: now).text, instant.provenance)
    }

    /// The screen's name for itself.
    static func deviceName(_ name: Fact<String>) -> FactLine { FactLine(.text(.factClaims), name) }

    /// The software, as it names itself.
    static func software(_ name: Fact<String>) -> FactLine { FactLine(.text(.factSoftware), name) }

    /// The part of a requester's own words that a page shows: the beginning, without what turns or ends the line.
    static func claim(_ words: String) -> String {
        let scalars = words.unicodeScalars.lazy.filter { !$0.isUnsafeInName }
        let shown = String(String.UnicodeScalarView(scalars.prefix(longestClaim)))
        return scalars.dropFirst(longestClaim).isEmpty ? shown : shown + "…"
    }
}

extension Client {
    /// Its name on pages: the shortened claim of a device, or the name that the operator registered.
    var shownName: String {
        namedItself ? FactLine.claim(name) : name
    }

    /// Whether it registered itself, and so chose its own name.
    var namedItself: Bool { provenanceOfName(.verified) == .asserted }
}

extension ServiceDomain {
    /// Its name on pages: the display name, and the domain, which is unique.
    var shownName: String { "\(displayName) (\(name))" }
}
