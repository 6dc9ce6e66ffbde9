internal import Countersign
internal import CountersignWire
internal import Foundation

/// The details that an administrator enters about a site, not validated yet: as text, from a form or from
/// options.
package struct CustomerSiteDraft: Sendable, Equatable {
    /// A field of the form.
    package enum Field: String, Sendable, Hashable, CaseIterable {
        case name, icon, webhook
        case textPrefixes = "text_prefixes"
        case textsPerDay = "texts_per_day"
    }

    /// The most texts that a site may be allowed in 24 hours.
    package static let mostTexts = 10_000_000
    /// The word for any number of texts.
    package static let unlimited = "unlimited"

    package var name: String
    /// Empty for none.
    package var icon: String
    /// Empty for nowhere.
    package var webhook: String
    package var allowsLegacyDevices: Bool
    /// Empty for every number.
    package var textPrefixes: [String]
    /// A number, or ``unlimited``.
    package var textsPerDay: String

    /// A draft with nothing but a name.
    package init(name: String) {
        self.name = name
        icon = ""
        webhook = ""
        allowsLegacyDevices = false
        textPrefixes = []
        textsPerDay = CustomerSite.TextAllowance().perDay.map(String.init) ?? Self.unlimited
    }

    /// A draft with the current values of a site, to be changed.
    package init(_ site: CustomerSite) {
        name = site.name
        icon = site.iconURL ?? ""
        webhook = site.webhook ?? ""
        allowsLegacyDevices = site.allowsLegacyDevices
        textPrefixes = site.texts.prefixes
        textsPerDay = site.texts.perDay.map(String.init) ?? Self.unlimited
    }

    /// Applies the draft to a site.
    ///
    /// - Throws: ``CustomerSiteDraftError`` with all that does not go.
    package func applied(to site: CustomerSite) throws(CustomerSiteDraftError)
        -> CustomerSite
    {
        var problems: [Field: CustomerSiteProblem] = [:]
        var changed = site
        changed.name = Self.trimmed(name)
        if !changed.name.isLine(of: 1...100) { problems[.name] = .badName }
        let icon = Self.trimmed(icon)
        changed.iconURL = icon.isEmpty ? nil : icon
        if !icon.isEmpty, !icon.hasPrefix("https://") || icon.utf8.count > 2048 || (try? Endpoint(icon)) == nil {
            problems[.icon] = .badIcon
        }
        let webhook = Self.trimmed(webhook)
        changed.webhook = webhook.isEmpty ? nil : webhook
        if !webhook.isEmpty, let objection = NotificationAddress.objection(to: webhook, isSelfRegistered: false) {
            problems[.webhook] = .badWebhook(objection)
        }
        changed.allowsLegacyDevices = allowsLegacyDevices
        changed.texts.prefixes = textPrefixes.map(Self.trimmed).filter { !$0.isEmpty }
        if changed.texts.prefixes.count > 100 || !changed.texts.prefixes.allSatisfy(Self.isPrefix) {
            problems[.textPrefixes] = .badPrefixes
        }
        let texts = Self.trimmed(textsPerDay)
        changed.texts.perDay = texts == Self.unlimited ? nil : Int(texts)
        if texts != Self.unlimited, !(Int(texts).map { (0...Self.mostTexts).contains($0) } ?? false) {
            problems[.textsPerDay] = .badTextsPerDay
        }
        guard problems.isEmpty else { throw CustomerSiteDraftError(problems: problems) }
        return changed
    }

    private static func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines) }

    private static func isPrefix(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst()
        return text.hasPrefix("+") && (1...15).contains(digits.count)
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

/// The input of an administrator is invalid.
package struct CustomerSiteDraftError: Error, Sendable, Equatable {
    /// The problems by field.
    package let problems: [CustomerSiteDraft.Field: CustomerSiteProblem]
}

/// The problem with one field of a site; its description is for administrators, in English.
package enum CustomerSiteProblem: Sendable, Equatable, CustomStringConvertible {
    case badName, badIcon
    /// The address of the customer's server, and what is wrong with it, in English.
    case badWebhook(String)
    case badPrefixes, badTextsPerDay

    package var description: String {
        if case .badWebhook(let objection) = self { objection } else { shown.english }
    }

    /// The problem as a page shows it.
    var shown: LocalizedText {
        switch self {
        case .badName: .text(.sitesBadAppName)
        case .badIcon: .text(.siteFormBadIcon)
        case .badWebhook: .text(.siteFormBadWebhook)
        case .badPrefixes: .text(.siteFormBadPrefixes)
        case .badTextsPerDay:
            .text(
                .siteFormBadPerDay,
                [
                    "most": .verbatim("\(CustomerSiteDraft.mostTexts)"),
                    "unlimited": .verbatim(CustomerSiteDraft.unlimited),
                ])
        }
    }
}
