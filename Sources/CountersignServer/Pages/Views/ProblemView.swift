internal import HTTPTypes

/// The page of a problem, with its cause and advice.
struct ProblemView: Page {
    static let template = PageTemplate.errorPage

    /// The HTTP status.
    let status: Int
    let heading: LocalizedText
    let happened: LocalizedText
    let advice: LocalizedText
    /// The next page of this server.
    let nextPage: String?
    /// The pages that mend it, in place of the page for a code.
    let remedies: [PageLink]
    /// The values in the request, for the developer of the app.
    let details: [Detail]

    /// A value of a request in visible ASCII, shortened, and never a link.
    struct Detail: Sendable {
        private static let longest = 200

        let label: LocalizedText
        let named: String

        init?(_ label: TextKey, _ text: String?) {
            guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
            self.label = .text(label)
            named = text.utf8.count > Self.longest ? "\(text.prefix(Self.longest))…" : text
        }
    }

    var title: LocalizedText { heading }

    init(_ problem: PageError, goingOnTo nextPage: String? = nil) {
        let content = problem.content
        let values: [String: LocalizedText] =
            switch problem {
            case .tooManyAttempts(let reached): ["wait": TimeDisplay.span(Double(reached.retryAfter))]
            case .provider(_, named: let name): ["name": .verbatim(name)]
            case .limitedBrowser(until: let ends): ["until": TimeDisplay(ends, at: ends).clock]
            default: [:]
            }
        status = content.status.code
        heading = .text(content.heading, values)
        happened = .text(content.happened, values)
        advice = .text(content.advice, values)
        self.nextPage = nextPage
        remedies = problem.remedies
        let details: [Detail?] =
            switch problem {
            case .unknownApp(named: let client): [Detail(.problemDetailApp, client)]
            case .unregisteredRedirect(let client, let address):
                [Detail(.problemDetailApp, client.rawValue), Detail(.problemDetailAddress, address)]
            case .noRedirect(let client): [Detail(.problemDetailApp, client.rawValue)]
            default: []
            }
        self.details = details.compactMap(\.self)
    }
}
