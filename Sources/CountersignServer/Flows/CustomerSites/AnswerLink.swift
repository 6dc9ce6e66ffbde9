internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The part of the link in a text message that only its reader knows.
struct AnswerLinkCode: Secret {
    let revealed: String
    init(revealing text: String) { revealed = text }
}

/// The link in a text message that lets the person answer one request of a site without signing in.
///
/// It is derived from the request's identifier by a key of the server, so that nothing is stored. Once the request is
/// answered or over, the page shows only that.
struct AnswerLink: Sendable, Equatable {
    /// The parameter of the page's address that holds the link.
    static let field = "link"

    let request: SignInRequest.ID
    let code: AnswerLinkCode

    fileprivate init(to request: SignInRequest.ID, _ code: AnswerLinkCode) {
        self.request = request
        self.code = code
    }

    /// Reads what ``text`` wrote; `nil` for other text.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, text.utf8.count <= 128 else { return nil }
        request = SignInRequest.ID(String(parts[0]))
        code = AnswerLinkCode(revealing: String(parts[1]))
    }

    /// The link as a parameter.
    var text: String { "\(request).\(code.revealed)" }

    /// The page that it leads to, as a path of this server.
    var path: String { "/answer?\(Self.field)=\(text)" }

    /// The page that it leads to.
    func address(at issuer: Issuer) -> String { issuer.text + path }
}

/// A person who opened the link in a text message about a request.
struct AnswerLinkReader: Sendable {
    let person: Person
    /// The request, as it is stored now.
    let stored: SignInExchangeRecord

    /// Looks them up; `nil` for a link that this server did not make, for a person who is locked, and for one who no
    /// longer has the number that it was sent to.
    init?(of link: AnswerLink, under keys: Keys, in repositories: any Repositories) throws {
        guard keys.link(to: link.request).code == link.code,
            let stored = try repositories.exchanges.find(link.request),
            case .customerSite(let terms) = stored.method, terms.kind == .instant,
            let subject = stored.exchange.request.addressee, let person = try repositories.people.find(subject),
            person.isActive, try stored.hasAskedNumber(under: keys, in: repositories)
        else { return nil }
        self.person = person
        self.stored = stored
    }
}

extension Keys {
    /// The number of characters in the code of a link: 132 bits, and short enough for a text message.
    private static let linkCodeLength = 22

    /// The link that lets the person of a request answer it.
    func link(to request: SignInRequest.ID) -> AnswerLink {
        let code = authenticationCode(for: request.rawValue, use: "link in a text message")
        return AnswerLink(to: request, AnswerLinkCode(revealing: String(code.prefix(Self.linkCodeLength))))
    }
}

extension SignInExchangeRecord {
    /// Whether the addressee still has the telephone number that the site named; otherwise another person may read a
    /// text message about the request. A request to an unregistered number has it, too.
    func hasAskedNumber(under keys: Keys, in repositories: any Repositories) throws -> Bool {
        guard case .customerSite(let terms) = method, let subject = exchange.request.addressee,
            subject != terms.askedNumber
        else { return true }
        return try repositories.phoneNumbers.all(of: subject).contains {
            keys.nobody(with: $0.number) == terms.askedNumber
        }
    }
}

extension DecidingParty {
    /// A person who opened the link in a text message about the request, and answers from the page that it leads to.
    static func linkReader(_ reader: AnswerLinkReader, on page: FormContext) -> DecidingParty {
        DecidingParty(
            approver: ApproverIdentity(subject: reader.person.subject, id: ApproverID("text-message-link")),
            page: page,
            place: .textMessage
        )
    }
}
