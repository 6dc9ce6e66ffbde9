internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

/// The browser of a person: its cookies, the page that it shows, and the request that they came for.
struct HomeBrowser: Sendable {
    /// The pages' state of a browser.
    enum View: Sendable {
        case nothing
        /// A page of the server, at this address.
        case page(HTMLForms, at: String)
        /// The browser is sent to this address.
        case redirect(to: String)
    }

    let person: HomePerson
    var cookies: [String: String]
    var view = View.nothing
    /// The address of the network that the browser is in.
    var address = HomeAddress.home
    /// The number of the sign-in that the person came for; `nil` when they have none in mind.
    var errand: Int? {
        didSet { (device, wantsCode) = (nil, false) }
    }
    /// The number of the sign-in on whose device the browser was opened; `nil` for a device of its own.
    var device: Int?
    /// Whether the person came for a code to type on a screen.
    var wantsCode = false
    /// The code to type on a screen that the page shows; `nil` for none.
    private(set) var personCode: PersonCode?
    /// The request that the person answered last.
    var decides: SignInRequest.ID?
    /// The code that the person types without an errand; `nil` for none.
    var typed: String?
    /// Whether the page shows an approval; `nil` for a page that shows no outcome.
    private(set) var showsApproval: Bool?
    /// Whether the page shows that the screen gave up.
    private(set) var showsCancelled = false

    /// The header of the cookies.
    static func header(of cookies: [String: String]) -> String? {
        guard !cookies.isEmpty else { return nil }
        return cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }

    /// Keeps the cookies that an answer gives.
    static func keep(_ answer: HTTPAnswer, in cookies: inout [String: String]) {
        for cookie in answer.response.headerFields[values: .setCookie] {
            let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
            guard let name = pair.first else { continue }
            cookies[name] = pair.count > 1 && !cookie.contains("Max-Age=0") ? pair[1] : nil
        }
    }

    /// The header fields of its requests.
    var fields: HTTPFields {
        var fields: HTTPFields = [:]
        fields[.cookie] = Self.header(of: cookies)
        if let site = HTTPField.Name("Sec-Fetch-Site") { fields[site] = "same-origin" }
        return fields
    }

    /// Shows an answer of the server.
    mutating func show(_ answer: HTTPAnswer, at path: String) {
        Self.keep(answer, in: &cookies)
        if answer.response.status == .seeOther || answer.response.status == .found {
            view = answer.response.headerFields[.location].map { .redirect(to: $0) } ?? .nothing
            (showsApproval, showsCancelled) = (nil, false)
        } else {
            let html = answer.text
            view = .page(HTMLForms(html), at: path)
            personCode =
                path == PersonCodeWay.path ? answer.shownCodes.lazy.compactMap { PersonCode(parsing: $0) }.first : nil
            showsApproval =
                html.contains(#"class="outcome good""#) ? true : html.contains(#"class="outcome ended""#) ? false : nil
            showsCancelled = showsApproval == false && answer.heading == "The screen stopped asking"
        }
    }
}
