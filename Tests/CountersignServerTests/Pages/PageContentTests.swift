import Countersign
import Foundation
import Testing

@testable import CountersignServer

@Suite("A page")
struct PageContentTests {
    let renderer: PageRenderer
    let noon = SamplePages.noon

    init() throws {
        renderer = try PageRenderer(base: "/a")
    }

    @Test func `to sign in helps password managers`() {
        let inputs = Markup(renderer.html(LoginView(formToken: "t", returnTo: "/a/activate"))).all("input")
        let kinds = inputs.compactMap { $0.attributes["autocomplete"] }
        #expect(kinds == ["username", "current-password", "off"])
        #expect(inputs.contains { $0.attributes["name"] == "return_to" && $0.attributes["value"] == "/a/activate" })
    }

    @Test func `with a problem announces it at the field and in the title`() throws {
        let html = renderer.html(
            CodeEntryView(personName: "Anna", formToken: "t", userCode: "X", problem: .verbatim("No.")))
        let input = try #require(Markup(html).all("input").first { $0.attributes["name"] == "user_code" })
        #expect(html.contains("role=\"alert\"") && html.contains("<title>Problem: "))
        #expect(input.attributes["aria-invalid"] == "true")
        #expect(input.attributes["aria-describedby"] == "user_code_hint problem")
    }

    @Test func `without a problem says nothing of one`() {
        let html = renderer.html(CodeEntryView(personName: "Anna", formToken: "t"))
        #expect(!html.contains("role=\"alert\"") && !html.contains("aria-invalid"))
    }

    @Test func `to type a code takes it as screens show it`() throws {
        let html = renderer.html(CodeEntryView(personName: "Anna", formToken: "t"))
        let input = try #require(Markup(html).all("input").first { $0.attributes["name"] == "user_code" })
        #expect(input.attributes["autocomplete"] == "off")
        #expect(input.attributes["autocapitalize"] == "characters")
        #expect(input.attributes["spellcheck"] == "false")
        #expect(input.attributes["inputmode"] == "text")
    }

    @Test func `reached by a link approves nothing`() throws {
        let html = renderer.html(LinkArrivalView(personName: "Anna", formToken: "t", userCode: "WDJB-MJHT"))
        let posts = Markup(html).forms.map { $0.form.attributes["action"] }
        #expect(posts == ["/a/logout", "/a/activate"])
        let sent = try #require(Markup(html).forms.last).inside.filter { $0.name == "input" }
        #expect(sent.compactMap { $0.attributes["name"] } == ["form_token", "user_code", "by_link"])
        #expect(html.contains("attacker") && html.contains("href=\"/a/activate?not_mine=1\""))
    }

    @Test func `to decide offers Deny as plainly as Approve`() throws {
        let markup = Markup(renderer.html(SamplePages.confirm("x")))
        let buttons = markup.all("button").filter { $0.attributes["name"] == "decision" }
        #expect(buttons.map { $0.attributes["value"] } == ["deny", "approve", "mute"])
        #expect(buttons.map { $0.attributes["class"] } == ["choice stop", "choice go", "quiet"])
    }

    /// Enter in a field presses the first button of the field's form.
    @Test func `to decide denies by a form of its own, which names the same request`() throws {
        var answering = SamplePages.confirm("x")
        answering.answer(by: try #require(AnswerLink("a.b")))
        let code = try #require(UserCode(parsing: "WDJB-MJHT"))
        let typed = RequestReference(.code(code), returning: UnverifiedReturnAddress("a:b"))
        // A person who reads the link in a text is known by that alone, and mutes nobody; a code names nobody.
        for (page, mutes) in [
            (SamplePages.confirm("x"), true), (SamplePages.confirm("x", typed), false), (answering, false),
        ] {
            let forms = Markup(renderer.html(page)).forms.filter {
                $0.inside.contains { $0.attributes["name"] == "decision" }
            }
            let hidden = forms.map { form in
                form.inside.filter { $0.attributes["type"] == "hidden" }.map(\.attributes)
            }
            #expect(forms.count == 2 && hidden.first == hidden.last && hidden.first?.isEmpty == false)
            #expect(Set(forms.map { $0.form.attributes["action"] }).count == 1)
            let answers = forms.map { form in
                form.inside.filter { $0.attributes["name"] == "decision" }.map { $0.attributes["value"] }
            }
            #expect(answers == [["approve"], mutes ? ["deny", "mute"] : ["deny"]])
        }
    }

    @Test func `to decide says in words where each fact comes from`() {
        let html = renderer.html(SamplePages.confirm("x"))
        #expect(html.contains("Verified by this server"))
        #expect(html.contains("Seen by this server"))
        #expect(html.contains("The screen’s own words, not verified"))
        #expect(html.contains("<code>openid</code>") && html.contains("Know that it is you"))
        #expect(html.contains("You have 4 minutes, until"))
    }

    @Test(arguments: [
        ConfirmView.Comparison.nothing, .code, .message("Order 42"), .number, .numberOfScreen, .demandedNumber,
    ])
    func `to decide has one thing to compare, at most`(comparison: ConfirmView.Comparison) throws {
        let code = try #require(UserCode(parsing: "WDJB-MJHT"))
        let method =
            switch comparison {
            case .nothing, .code, .numberOfScreen, .demandedNumber:
                SignInMethod.deviceCode(UserCodeDigest(restoring: []))
            case .message, .number:
                SignInMethod.backchannel(BackchannelTerms(deliveryMode: .poll, bindingMessage: nil))
            }
        let html = renderer.html(
            SamplePages.confirm("x", RequestReference(.code(code)), over: method, comparing: comparison))
        let tickets = Markup(html).all("p").filter { $0.attributes["class"] == "ticket" }.count
        let numbers = Markup(html).all("input").filter { $0.attributes["name"] == "number" }.count
        switch comparison {
        case .nothing: #expect(tickets == 0 && numbers == 0)
        case .code, .message: #expect(tickets == 1 && numbers == 0)
        case .number, .numberOfScreen, .demandedNumber:
            #expect(tickets == 0 && numbers == 1)
            #expect(html.contains("Number that is shown where you started (2 digits)"))
        }
    }

    @Test func `to decide asks for how long only where it offers to approve`() throws {
        let code = try #require(UserCode(parsing: "WDJB-MJHT"))
        let typing = SignInMethod.deviceCode(UserCodeDigest(restoring: []), nearby: nil)
        func asksForHowLong(_ obstacle: Policy.ViolationError?) -> Bool {
            let page = SamplePages.confirm("x", RequestReference(.code(code)), over: typing, obstacle: obstacle)
            return renderer.html(page).contains("<select id=\"session\"")
        }
        #expect(asksForHowLong(nil))
        #expect(!asksForHowLong(.notNearby) && !asksForHowLong(.notSignedByDevice))
    }

    @Test func `to decide folds what matters less, and has the answers after it`() throws {
        let html = renderer.html(SamplePages.confirm("x"))
        let order = ["<details>", "class=\"foot\"", "value=\"deny\"", "value=\"approve\"", "You have 4 minutes"]
        let places = try order.map { try #require(html.range(of: $0)).lowerBound }
        #expect(places == places.sorted())
    }

    @Test func `to decide asks the stricter question, whoever named a return address`() throws {
        let code = try #require(UserCode(parsing: "WDJB-MJHT"))
        let typing = SignInMethod.deviceCode(UserCodeDigest(restoring: []), nearby: nil)
        let typed = renderer.html(SamplePages.confirm("x", RequestReference(.code(code)), over: typing))
        #expect(typed.contains("Is this screen in front of you?") && typed.contains("WDJB-MJHT"))
        #expect(!typed.contains("name=\"redirect_uri\"") && !typed.contains("name=\"request\""))
        let returning = UnverifiedReturnAddress(rawValue: "a:b")
        let inApp = renderer.html(
            SamplePages.confirm("x", RequestReference(.code(code), returning: returning), over: typing))
        #expect(
            inApp.contains("Is this screen in front of you?") && inApp.contains("name=\"redirect_uri\" value=\"a:b\""))
        let named = RequestReference(.addressed(SignInRequest.ID("r")))
        let addressed = renderer.html(SamplePages.confirm("x", named))
        #expect(addressed.contains("one more service as you") && addressed.contains("name=\"request\" value=\"r\""))
        #expect(!addressed.contains("name=\"user_code\"") && !addressed.contains("class=\"ticket\""))
    }

    @Test func `after approving offers to undo, and else does not`() {
        for (name, outcome) in SamplePages.outcomes("g") {
            let html = renderer.html(ResultView(personName: "Anna", formToken: "t", outcome: outcome))
            #expect(html.contains("action=\"/a/account/undo\"") == (name == "approved"), "\(name)")
            #expect(html.contains("href=\"/a/account\""), "\(name)")
        }
    }

    @Test func `of the account ends a screen, takes an approval back, and leaves the browser`() {
        let posts = Markup(renderer.html(SamplePages.account("g"))).forms.map { $0.form.attributes["action"] }
        #expect(
            posts == [
                "/a/logout", "/a/activate", "/a/activate", "/a/activate/code", "/a/account/undo", "/a/account/undo",
                "/a/account/sign-out", "/a/account/sign-out", "/a/account/devices/name", "/a/account/devices/remove",
                "/a/account/devices/add",
                "/a/account/browsers/sign-out", "/a/account/browsers/sign-out", "/a/account/browsers/sign-out",
                "/a/account/screens/forget",
                "/a/account/recovery-codes", "/a/account/one-time-passwords/remove", "/a/account/passkeys/remove",
                "/a/account/disconnect", "/a/account/connect", "/a/account/withdraw", "/a/account/unmute",
                "/a/account/backchannel-user-code",
                "/a/account/backchannel-user-code/remove", "/a/account/push/remove", "/a/account/push", "/a/logout",
            ]
        )
    }

    @Test func `of the account offers no undo that is over`() {
        let screen = SignedInDeviceView.signedIn(
            grant: "g", client: "TV", deviceName: nil,
            signIns: [.pickedUp("g", from: nil, since: noon - 90, lastUsed: nil, undo: .over, at: noon)]
        )
        let html = renderer.html(AccountView(personName: "Anna", formToken: "t", screens: [screen]))
        #expect(!html.contains("/account/undo") && html.contains("/account/sign-out"))
    }

    @Test func `of an empty account says so`() {
        let html = renderer.html(AccountView(personName: "Anna", formToken: "t", screens: []))
        #expect(html.contains("No screen is signed in as you."))
    }
}
