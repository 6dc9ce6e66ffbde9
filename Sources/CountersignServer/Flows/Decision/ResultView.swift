internal import Countersign
internal import FoundationEssentialsCompat

/// The outcome of a request: after a decision, or after taking it back.
struct ResultView: Page {
    static let template = PageTemplate.result
    static let showsTimes = true

    /// The outcome.
    enum Outcome: Sendable, Equatable {
        /// Approved, for the app of this name.
        case approved(app: String, for: Use = .screen, undo: UndoOffer)
        /// Approved, for a browser that asked at the sign-in page.
        case approvedBrowser(undo: UndoOffer)
        case denied
        /// Taken back, or ended otherwise; with the event that did so, and its time, if it is known.
        case undone(LocalizedText?)
        case expired
        /// The requesting side gave the request up.
        case cancelled
        /// The scope is granted only to people in front of the screen, and a code does not prove that.
        case nearbyOnly
        /// The scope is granted only to people who signed in with a password of this server.
        case passwordOnly
        /// The scope is granted only to people who signed in with two factors.
        case secondFactorOnly
        /// The client asks for a way to sign in that the person has not set up; the request is denied.
        case unmet
        /// The scope is granted only to people who confirm the request with a passkey; nothing is decided.
        case passkeyOnly
        /// The request is granted only to an answer that the person's device signs; nothing is decided.
        case deviceOnly
        /// The scope is granted only to people of a group; the request is denied.
        case groupOnly
        /// The request was answered before, otherwise or by another person.
        case alreadyDecided

        /// Whether an approval can be taken back; `nil` for other outcomes.
        var undo: UndoOffer? {
            switch self {
            case .approved(app: _, for: _, let undo), .approvedBrowser(let undo): undo
            case .denied, .undone, .expired, .cancelled, .nearbyOnly, .passwordOnly, .secondFactorOnly, .unmet,
                .passkeyOnly, .deviceOnly, .groupOnly, .alreadyDecided:
                nil
            }
        }

        /// The outcome for a person whose approval policy refuses: nothing was decided.
        init(_ refusal: Policy.ViolationError) {
            self =
                switch refusal {
                case .client, .subject, .codeNotNamed, .noWay: .expired
                case .notNearby, .noNumber: .nearbyOnly
                case .notSignedByDevice: .deviceOnly
                case .notByPassword, .notAuthenticated, .notRecent: .passwordOnly
                case .noSecondFactor, .classNotReached: .secondFactorOnly
                case .notUserVerified: .passkeyOnly
                case .notInGroup: .groupOnly
                }
        }
    }

    /// The use of an approval by an app.
    enum Use: Sendable, Equatable {
        /// The person is signed in on the screen that asked.
        case screen
        /// The service of this name is used.
        case domain(String)
        /// A program acts for the person.
        case program(purpose: String, until: LocalizedText)
        /// The app named the person, who need not be in front of any screen.
        case named
    }

    /// Whether an approval can be taken back.
    enum UndoOffer: Sendable, Equatable {
        case offered(UndoView)
        /// It cannot, because the app has it.
        case delivered
        /// Its minute is over.
        case over
    }

    /// The name of the person who is signed in; `nil` for a person who answered by the link in a text message.
    let personName: String?
    /// The form field `form_token`; `nil` where there is no form.
    let formToken: String?

    let title: LocalizedText
    let heading: LocalizedText
    let happened: LocalizedText
    let next: LocalizedText
    let tone: String
    let isGood: Bool
    let offersNewCode: Bool
    let undo: UndoView?
    /// The place where the person answered, if that is another one than this; `nil` for none.
    var answered: LocalizedText?
    /// The request whose life another page tells; `nil` for no link to it.
    var historyID: String?
    /// The entity tag for the script that waits until the approval is undone; `nil` for a page that waits for nothing.
    var tag: String?
    /// Whether the page says that the approval is final.
    let isDelivered: Bool

    /// The outcome for a person who is not signed in: it leads to no pages for people who are.
    init(_ outcome: Outcome) {
        self.init(personName: nil, formToken: nil, outcome: outcome)
    }

    init(personName: String?, formToken: String?, outcome: Outcome) {
        self.personName = personName
        self.formToken = formToken
        let words = outcome.words
        title = words.heading
        heading = words.heading
        happened = words.happened
        next = words.next
        if let offer = outcome.undo {
            if case .offered(let undo) = offer { self.undo = undo } else { undo = nil }
            isDelivered = offer == .delivered
            isGood = true
        } else {
            undo = nil
            isDelivered = false
            isGood = false
        }
        tone = isGood ? "good" : "ended"
        offersNewCode = personName != nil && [.expired, .cancelled, .alreadyDecided].contains(outcome)
    }
}
