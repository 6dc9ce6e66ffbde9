import Countersign
import CountersignApprover
import CountersignRequester
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

/// The push service is Python's, with the keys of the receiver: `http-ece` decrypts, `py_vapid` verifies, and `pywebpush` sends
/// for comparison.
///
/// Standard: RFC 8030, RFC 8188, RFC 8291, RFC 8292.
@Suite("A message by Web Push", .timeLimit(.minutes(10)))
struct WebPushJourneyTests {
    @Test func `to an app of UnifiedPush is read by libraries that others wrote, and brings the request`() async throws
    {
        try await PushServiceProgram.with(answering: "201") { service in
            try await JourneyServer.with(configuring: service.allow) { server in
                try await server.addPhoneApp()
                let phone = JourneyPhone(at: server)
                try await phone.enroll(by: try await server.ticket(of: .anna))
                var change = DeviceDetails()
                change.pushSubscription = try JSONDecoder().decode(
                    WebPushSubscription.self, from: Data(service.subscription.utf8))
                change.isPushEnabled = true
                let registration = try await phone.approver.register(change)

                let asked = try await server.backendAsks("Order 42")
                let message = try await service.message(advancing: server.clock)
                #expect(message.isVerified && message.key == registration.webPushKey)
                let origin = try #require(message.claims.aud.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+/))
                #expect(registration.pushToken == "\(origin.0)\(message.path)" && message.path == "/send/one?way=in")
                #expect(message.claims.sub == "mailto:you@example.org")
                let left = Double(message.claims.exp) - server.clock.date.timeIntervalSince1970
                #expect(left > 3600 && left <= 86_400)
                #expect(message.urgency == "high" && message.coding == "aes128gcm" && message.topic.count == 32)
                #expect(try #require(Int(message.ttl)) <= asked.expiresIn && message.length <= 4096)
                #expect(!message.content.contains("Order 42"))

                let payload = PushPayload(try #require(message.members))
                guard case .request(let shown) = try await phone.approver.received(payload) else {
                    Issue.record("there is no request: \(payload)")
                    return
                }
                #expect(shown.message?.value == "Order 42")
                try await phone.approver.answer(.deny, to: shown)
            }
        }
    }

    @Test func `has the form of one by pywebpush`() async throws {
        try await PushServiceProgram.with(answering: "201", sendingFirst: true) { service in
            try await JourneyServer.with(configuring: service.allow) { server in
                let theirs = try await service.message(advancing: server.clock)
                #expect(theirs.content == "from Python" && theirs.isVerified)
                try await server.addPhoneApp()
                let phone = JourneyPhone(at: server)
                try await phone.enroll(by: try await server.ticket(of: .anna))
                var change = DeviceDetails()
                change.pushSubscription = try JSONDecoder().decode(
                    WebPushSubscription.self, from: Data(service.subscription.utf8))
                change.isPushEnabled = true
                _ = try await phone.approver.register(change)
                _ = try await server.backendAsks("Order 42")
                let ours = try await service.message(2, advancing: server.clock)
                #expect(ours.form == theirs.form && ours.claims.aud == theirs.claims.aud)
            }
        }
    }

    @Test func `that pywebpush encrypted is read by our app`() async throws {
        let receiver = WebPushReceiver(drawingFrom: .system)
        let subscription = try #require(receiver.subscription(at: "https://push.example.net/a"))
        try await PushServiceProgram.with(answering: "201", encryptingFor: subscription) { service in
            let encrypted = try #require(service.encrypted)
            let content = try #require(receiver.opened(encrypted))
            let members = try JSONDecoder().decode([String: String].self, from: Data(content))
            #expect(members == ["type": "auth_instant", "authId": "from Python"])
        }
    }

    @Test func `to a browser shows a notification; the person decides on the page, and a dead address is forgotten`()
        async throws
    {
        try await PushServiceProgram.with(answering: "201", "410") { service in
            try await BrowserStory.play(.desk, configuring: service.allow) { story in
                let browser = story.browser
                try await story.visitAsSomebody()
                try await connect(browser, to: service)
                try await story.open("/account")
                try await browser.press("Notify me here")
                try await browser.expect("Where you are signed in", in: [.largePhone, .desk], axe: .firstAndLast)
                #expect(try await browser.text().contains("This browser tells you from now on."))
                #expect(try await browser.text().contains("Browsers that notify you"))
                try await offersNothing(browser)

                _ = try await story.server.backendAsks("Order 42")
                let message = try await service.message(advancing: story.server.clock)
                #expect(message.isVerified && message.members?["message"] == "A screen asks to be signed in.")
                // A busy browser loses a message, as to a worker that does not start in time; its repetition shows no
                // second notification, since both are of one request.
                try await browser.wait(for: "the notification") {
                    try await deliver(message.content, to: browser, at: story.server.issuer)
                    return try await notifications(in: browser) == ["A screen asks to be signed in."]
                }
                // A message that cannot be read is shown, too, since browsers demand it.
                try await browser.wait(for: "the second notification") {
                    try await deliver("no JSON", to: browser, at: story.server.issuer)
                    return try await notifications(in: browser).count >= 2
                }

                try await story.open("/account")
                try await browser.press("See what Backend asks")
                try await browser.expect("Approve this sign-in?")
                try await browser.press("Deny")

                _ = try await story.server.backendAsks("Order 43")
                #expect(try await service.message(2, advancing: story.server.clock).answer == 410)
                try await browser.wait(for: "the end of the registration") {
                    try await story.open("/account")
                    return try await browser.offers("Notify me here")
                }
                #expect(try await !browser.text().contains("This browser tells you"))
            }
        }
    }

    @Test
    func `to a browser goes to one address after two clicks, and another is asked for when the browser has dropped it`()
        async throws
    {
        try await PushServiceProgram.with(answering: "201") { service in
            try await BrowserStory.play(.desk, configuring: service.allow) { story in
                let browser = story.browser
                try await story.visitAsSomebody()
                try await connect(browser, to: service)
                try await story.open("/account")
                try await browser.leaving {
                    try await browser.run(
                        """
                        const button = document.querySelector('form[data-push-key] button');
                        button.click();
                        button.click();
                        """)
                }
                #expect(try await browser.text().contains("This browser tells you from now on."))
                #expect(try await browser.run("return localStorage.getItem('subscribed')").string == "1")
                for address in ["null", "{ endpoint: 'https://push.example.net/another' }"] {
                    try await browser.expect("Where you are signed in")
                    #expect(try await browser.has("[data-push-here]"))
                    try await offersNothing(browser)
                    try await browser.run("localStorage.setItem('subscription', JSON.stringify(\(address)));")
                    try await story.open("/account")
                    try await browser.wait(for: "the offer") { try await browser.offers("Notify me here") }
                    #expect(try await !browser.has("[data-push-here]"))
                    try await browser.press("Notify me here")
                }
                #expect(try await browser.run("return localStorage.getItem('subscribed')").string == "3")
            }
        }
    }

    @Test func `to a browser ends where the person stops it, and is not offered without scripts`() async throws {
        try await PushServiceProgram.with(answering: "201") { service in
            try await BrowserStory.play(.phone, configuring: service.allow) { story in
                let browser = story.browser
                try await story.visitAsSomebody()
                try await connect(browser, to: service)
                try await story.open("/account")
                try await browser.press("Notify me here")
                let stop = try await browser.element("form[action$='/account/push/remove'] button")
                try await browser.leaving { try await stop.click() }
                try await browser.expect("Where you are signed in")
                #expect(try await browser.text().contains("That browser tells you nothing more."))

                try await browser.look(.phone.withoutScripts)
                try await story.open("/account")
                try await browser.expect("Where you are signed in")
                #expect(try await !browser.text().contains("Browsers that notify you"))
                #expect(try await !browser.text().contains("Notify me here"))
            }
        }
    }

    @Test func `is not offered in vain: the page says where the browser does not allow it`() async throws {
        try await BrowserStory.play(.desk) { story in
            let browser = story.browser
            try await story.visitAsSomebody()
            try await story.open("/account")
            try await allowNotifications(false, in: browser)
            try await browser.pressAndStay("Notify me here")
            try await browser.wait(for: "the sentence") {
                try await browser.text().contains("The browser does not allow notifications")
            }
            try await browser.expect("Where you are signed in")
        }
    }

    // MARK: The story

    /// Expects that the page offers no registration, once its script has compared the addresses.
    private func offersNothing(_ browser: Browser) async throws {
        try await browser.wait(for: "the comparison") { try await browser.has("form[data-push-key][data-decided]") }
        #expect(try await !browser.offers("Notify me here"))
    }

    /// Lets the pages that are opened from now on register the browser; the subscription is that of the test's push service,
    /// since the browser's own cannot be reached.
    private func connect(_ browser: Browser, to service: PushServiceProgram) async throws {
        try await allowNotifications(true, in: browser)
        let script = """
            (() => {
                if (!window.PushManager) return;
                const present = () => {
                    const subscription = JSON.parse(localStorage.getItem('subscription'));
                    return subscription && {
                        endpoint: subscription.endpoint,
                        toJSON: () => subscription,
                        unsubscribe: async () => { localStorage.removeItem('subscription'); return true; },
                    };
                };
                PushManager.prototype.getSubscription = async () => present();
                PushManager.prototype.subscribe = async (options) => {
                    if (!options.userVisibleOnly || !options.applicationServerKey) throw new Error('no options');
                    localStorage.setItem('subscribed', 1 + Number(localStorage.getItem('subscribed')));
                    localStorage.setItem('subscription', JSON.stringify(\(service.subscription)));
                    return present();
                };
            })();
            """
        try await browser.session.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
    }

    /// Answers the question of the browser whether pages may show notifications.
    ///
    /// Standard: W3C Permissions, Automation.
    private func allowNotifications(_ isAllowed: Bool, in browser: Browser) async throws {
        try await browser.session.post(
            "/permissions",
            ["descriptor": ["name": "notifications"], "state": .string(isAllowed ? "granted" : "denied")])
    }

    /// Hands a decrypted message to the service worker, as the browser does with what its push service sends.
    private func deliver(_ content: String, to browser: Browser, at issuer: Issuer) async throws {
        try await browser.session.devTools("ServiceWorker.enable")
        // The registrations of a new profile are counted from zero.
        try await browser.session.devTools(
            "ServiceWorker.deliverPushMessage",
            ["origin": .string(issuer.text), "registrationId": "0", "data": .string(content)])
    }

    /// The titles of the notifications that the service worker of the account page shows.
    private func notifications(in browser: Browser) async throws -> [String] {
        let titles = try await browser.run(
            """
            return navigator.serviceWorker.getRegistration(location.href).then(async (registration) =>
                (await registration.getNotifications()).map((notification) => notification.title));
            """)
        return (titles.array ?? []).compactMap(\.string)
    }
}
