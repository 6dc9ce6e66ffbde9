import Countersign
import CountersignRequester
import CountersignWire
import Foundation
import HTTPTypes

/// A person at the real pages, with a browser that knows no more than links, forms and one cookie.
actor JourneyVisitor {
    enum Answer: String, Sendable {
        case approve, deny
    }

    /// A page as it came.
    struct Page: Sendable {
        let address: String
        let status: Int
        let markup: String
    }

    struct Lost: Error, CustomStringConvertible {
        let description: String
    }

    private let issuer: Issuer
    private let language: String
    private var cookie: String?

    /// - Parameter language: The tag of the language that the browser prefers.
    init(at issuer: Issuer, preferring language: String = "en") {
        self.issuer = issuer
        self.language = language
    }

    /// Signs in at the login page.
    func signIn(as person: JourneyPerson) async throws {
        let page = try await open("/login")
        try await submit(
            page,
            to: "/login",
            ["username": person.username, "password": person.password, "return_to": "/account"],
            expecting: "Where you are signed in"
        )
    }

    /// Types a code, looks at who asks and answers.
    @discardableResult
    func decide(
        _ answer: Answer,
        on code: UserCodeText,
        session: SessionTerm? = nil
    ) async throws -> Page {
        let entry = try await open("/activate")
        let confirm = try await submit(
            entry,
            to: "/activate",
            ["user_code": code.rawValue],
            expecting: "Approve this sign-in?"
        )
        var values = ["user_code": code.rawValue, "decision": answer.rawValue]
        values["session"] = session?.rawValue
        return try await submit(
            confirm,
            to: "/activate/decision",
            values,
            expecting: answer == .approve ? "Approved" : "Denied"
        )
    }

    /// The page behind a path, or behind the link of an invitation.
    func open(_ place: String) async throws -> Page {
        try await follow(place, try await LoopbackHTTP.get(address(place), fields))
    }

    /// Sends the form of a page, as its button does.
    @discardableResult
    func submit(
        _ page: Page,
        to path: String,
        _ values: [String: String],
        expecting text: String
    ) async throws -> Page {
        let form = try filled(page, with: values)
        let next = try await follow(path, try await LoopbackHTTP.post(form, to: address(path), fields))
        guard next.markup.contains(text) else {
            throw Lost(description: "No “\(text)” at \(next.address), status \(next.status): \(next.markup)")
        }
        return next
    }

    /// Opens the page that a screen opens in the browser of its own device, and goes on to the page that `text` is on.
    @discardableResult
    func arrive(at page: URL, on code: UserCodeText, returningTo uri: String, expecting text: String) async throws
        -> Page
    {
        let values = ["user_code": code.rawValue, "redirect_uri": uri, "by_link": "1"]
        return try await submit(try await open(page.absoluteString), to: "/activate", values, expecting: text)
    }

    /// Answers at such a page, and returns the address that the browser is sent back to.
    func decide(_ answer: Answer, at page: URL, on code: UserCodeText, returningTo uri: String) async throws -> String {
        let confirm = try await arrive(at: page, on: code, returningTo: uri, expecting: "Approve this sign-in?")
        let values = ["user_code": code.rawValue, "redirect_uri": uri, "decision": answer.rawValue]
        let form = try filled(confirm, with: values)
        let sent = try await LoopbackHTTP.post(form, to: address("/activate/decision"), fields)
        guard let location = sent.response.headerFields[.location] else {
            throw Lost(description: "Not sent back: \(String(decoding: sent.body, as: UTF8.self))")
        }
        return location
    }

    /// Opens the address of an app's authorization request, answers if there is a question, and returns the address of
    /// the app that the browser is sent to.
    func authorize(_ place: String, answering answer: Answer? = .approve) async throws -> String {
        var page = try await LoopbackHTTP.get(place, fields)
        remember(page)
        let markup = String(decoding: page.body, as: UTF8.self)
        if let answer, page.response.status == .ok {
            guard let token = markup.firstMatch(of: /name="form_token" value="([^"]+)"/)?.1,
                let asked = markup.firstMatch(of: /name="authorization" value="([^"]+)"/)?.1
            else { throw Lost(description: "No question: \(markup)") }
            var form = Form()
            form["form_token"] = String(token)
            form["authorization"] = String(asked).replacing("&amp;", with: "&")
            form["decision"] = answer.rawValue
            page = try await LoopbackHTTP.post(form, to: address("/authorize/decision"), fields)
        }
        guard let location = page.response.headerFields[.location] else {
            throw Lost(
                description: "Not sent back: \(page.response.status) \(String(decoding: page.body, as: UTF8.self))")
        }
        return location
    }

    /// The form of a page with these values.
    private func filled(_ page: Page, with values: [String: String]) throws -> Form {
        guard let token = page.markup.firstMatch(of: /name="form_token" value="([^"]+)"/)?.1 else {
            throw Lost(description: "No form on \(page.address): \(page.markup)")
        }
        var form = Form()
        form["form_token"] = String(token)
        for (name, value) in values { form[name] = value }
        return form
    }

    private func follow(_ place: String, _ answer: HTTPAnswer) async throws -> Page {
        var (place, answer) = (place, answer)
        remember(answer)
        while let target = answer.response.headerFields[.location] {
            place = target
            answer = try await LoopbackHTTP.get(address(place), fields)
            remember(answer)
        }
        return Page(
            address: place,
            status: answer.response.status.code,
            markup: String(decoding: answer.body, as: UTF8.self)
        )
    }

    private func remember(_ answer: HTTPAnswer) {
        guard let given = answer.response.headerFields[.setCookie] else { return }
        cookie = given.split(separator: ";").first.map(String.init)
    }

    private func address(_ place: String) -> String { place.hasPrefix("/") ? "\(issuer)\(place)" : place }

    private var fields: HTTPFields {
        var fields: HTTPFields = [.acceptLanguage: language]
        fields[.cookie] = cookie
        return fields
    }
}
