internal import FoundationEssentialsCompat

/// The page for one's own time zone.
struct TimeZoneView: Page {
    static let template = PageTemplate.timeZone
    static let showsTimes = true

    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The zones to choose from.
    let zones: [Zone]
    /// The problem of the last attempt.
    let problem: LocalizedText?

    var title: LocalizedText { .title(.text(.timeZoneTitle), with: problem) }

    /// One zone to choose.
    struct Zone: Sendable, Equatable {
        /// The form field `zone`.
        let zoneID: String
        let zoneLabel: String
        let isChosen: Bool

        fileprivate init(_ name: String, isChosen: Bool) {
            zoneID = name
            zoneLabel = name.replacing("_", with: " ")
            self.isChosen = isChosen
        }
    }

    /// - Parameters:
    ///   - chosen: The zone of the person, which is offered even if the list does not have it; `nil` for none.
    ///   - problem: The problem of the last attempt; `nil`, the default, for none.
    init(personName: String, formToken: String, chosen: TimeZone?, problem: LocalizedText? = nil) {
        self.personName = personName
        self.formToken = formToken
        let name = chosen?.identifier
        let other = name.flatMap { TimeZone.names.contains($0) ? nil : $0 }
        zones = ([other].compactMap(\.self) + TimeZone.names).map { Zone($0, isChosen: $0 == name) }
        self.problem = problem
    }
}
