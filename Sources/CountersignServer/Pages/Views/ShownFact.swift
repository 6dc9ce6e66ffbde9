internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One line about a request, with words on how far it can be believed.
struct ShownFact: Sendable, Equatable {
    /// The kind of fact: "App", "Calls itself".
    let label: String
    /// The value itself.
    let text: String
    /// Where it comes from, in words.
    let source: String
    /// What a person may conclude from it, if that needs saying.
    let note: String?
    /// The provenance as a name for the style sheet.
    let provenance: String
    let isVerified: Bool
    let isObserved: Bool
    let isAsserted: Bool

    /// The longest shown text of a requester's own claims, in Unicode scalars.
    static let longestClaim = 100

    /// Shows a fact under `label`; of an asserted one only the beginning, because attackers write these.
    ///
    /// - Parameter source: Where it comes from, in words; the words for its provenance by default.
    init(_ label: String, _ fact: Fact<String>, source: String? = nil, note: String? = nil) {
        self.label = label
        self.note = note
        provenance = fact.provenance.rawValue
        isVerified = fact.provenance == .verified
        isObserved = fact.provenance == .observed
        isAsserted = fact.provenance == .asserted
        text = fact.provenance == .asserted ? Self.claim(fact.value) : fact.value
        self.source = source ?? Self.words(for: fact.provenance)
    }

    /// Where a fact of this provenance comes from, in words.
    private static func words(for provenance: Provenance) -> String {
        switch provenance {
        case .verified: "Verified by this server"
        case .observed: "Seen by this server"
        case .asserted: "The screen’s own words, not verified"
        }
    }

    /// Which app asks.
    static func app(_ name: Fact<String>) -> ShownFact {
        let warning = "Any program could have given this name."
        return ShownFact("App", name, note: name.provenance == .asserted ? warning : nil)
    }

    /// The service for which tokens are requested.
    static func service(_ domain: ServiceDomain) -> ShownFact {
        ShownFact("Service", .verified(domain.shownName))
    }

    /// Where the request came from, and whether the reader's browser is seen at the same address, if that is known.
    static func address(_ address: Fact<String>, sameAsReader: Bool? = nil) -> ShownFact {
        let note = sameAsReader.map { same in
            same ? "The same address as yours now." : "Not the address that you have now."
        }
        return ShownFact("From", address, note: note)
    }

    /// Since when it asks.
    static func asked(_ instant: Fact<Date>, at now: Date) -> ShownFact {
        ShownFact("Asked", Fact(ShownTime(instant.value, at: now).text, instant.provenance))
    }

    /// What the screen calls itself.
    static func deviceName(_ name: Fact<String>) -> ShownFact { ShownFact("Calls itself", name) }

    /// The software, as it names itself.
    static func software(_ name: Fact<String>) -> ShownFact { ShownFact("Software", name) }

    /// The part of a requester's own words that a page shows: the beginning, without bidirectional controls.
    static func claim(_ words: String) -> String {
        let scalars = words.unicodeScalars.lazy.filter { !turning.contains($0) }
        let shown = String(String.UnicodeScalarView(scalars.prefix(longestClaim)))
        return scalars.dropFirst(longestClaim).isEmpty ? shown : shown + "…"
    }

    /// Embeddings, overrides and isolates of the bidirectional algorithm, with which "gnp.exe" reads "exe.png".
    private static let turning: Set<Unicode.Scalar> = [
        "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}",
    ]
}

extension Client {
    /// Its name on pages: the shortened claim of a device, or the name that the operator registered.
    var shownName: String {
        provenanceOfName(.verified) == .asserted ? ShownFact.claim(name) : name
    }
}

extension ServiceDomain {
    /// Its name on pages: the display name, and the domain, which is unique.
    var shownName: String { "\(displayName) (\(name))" }
}
