internal import Countersign
internal import CountersignTransport
internal import CountersignWire

/// A person who makes a ticket on the account page, and an app that redeems it.
enum TicketWay: HomeOccasion {
    static let acts = [
        HomeAct("person.makesTicket", weight: 1) { home, choice in
            guard let person = choice.person(), var browser = home.browsers[person] else { return nil }
            guard case .page(let page, at: "/account") = browser.view,
                let form = page.forms.first(where: { $0.action == "/account/devices/add" })
            else { return "\(person): \(try await BrowserActs.open("/account", person, in: home))" }
            home.ledger.tickets.insert(person)
            let request = HomeRequest(form.action, form.hidden, fields: browser.fields, from: browser.address)
            guard case .success(let answer) = try await home.send(request, by: .browser(person)) else {
                return "\(person) gets no answer"
            }
            browser.show(answer, at: "/account/devices/add")
            home.browsers[person] = browser
            guard let text = EnrollmentTicket.shown(on: answer.text) else { return "\(person) gets no ticket" }
            let ticket = EnrollmentTicket(revealing: text)
            let signIn = home.begin("ticket", at: app, .redeeming(.preAuthorizedCode(ticket)))
            return "\(person) makes a ticket for \(signIn.label)"
        }
    ]

    // A person who signed in hours ago signs in again on the way.
    static let stories = [
        ["person.makesTicket", "person.makesTicket", "person.goesOn", "person.goesOn", "person.goesOn"]
            + ["person.makesTicket", "screen.goesOn", "screen.refreshes"]
    ]

    private static let app = HomeScreen(name: "New phone", client: .authenticator)
}
