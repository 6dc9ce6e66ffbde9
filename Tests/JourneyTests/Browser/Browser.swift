import Foundation

/// A real browser without a window, as one person would use it: Chromium, driven over WebDriver.
///
///     try await Browser.with(.init(width: 360, scheme: .dark)) { browser in
///         try await browser.open("http://127.0.0.1:8080/activate")
///         try await browser.element("input[name=user_code]").type("BCDF-GHJK")
///         try await browser.press(.enter)
///         #expect(try await browser.text().contains("Approve"))
///     }
///
/// Each browser has a profile of its own, and thus cookies of its own. Errors are ``WebDriverError``.
final class Browser: Sendable {
    let session: WebDriverSession
    private let driver: ChromeDriver

    private init(session: WebDriverSession, driver: ChromeDriver) {
        self.session = session
        self.driver = driver
    }

    /// Starts a browser, to be closed with ``close()``.
    ///
    /// One that is forgotten ends with its last reference, or with the test process at the latest.
    static func start(_ options: BrowserOptions = BrowserOptions()) async throws -> Browser {
        let environment = ProcessInfo.processInfo.environment
        let driver = try await ChromeDriver.start(
            environment["COUNTERSIGN_TEST_CHROMEDRIVER"] ?? "/usr/bin/chromedriver"
        )
        do {
            let session = try await WebDriverSession.open(
                port: driver.port,
                capabilities: try options.capabilities(profile: driver.folder.appending(component: "profile"))
            )
            let browser = Browser(session: session, driver: driver)
            try await browser.look(options)
            return browser
        } catch {
            driver.stop()
            throw error
        }
    }

    /// Starts a browser, hands it to the body and closes it, also when the body throws.
    static func with<Result>(
        _ options: BrowserOptions = BrowserOptions(),
        isolation: isolated (any Actor)? = #isolation,
        _ body: (Browser) async throws -> Result
    ) async throws -> Result {
        let browser = try await start(options)
        do {
            let result = try await body(browser)
            await browser.close()
            return result
        } catch {
            await browser.close()
            throw error
        }
    }

    /// Ends the browser and its driver. A second call does nothing.
    func close() async {
        try? await session.delete("")
        driver.stop()
    }

    /// Opens an address and returns when the page is loaded.
    func open(_ address: String) async throws {
        try await session.post("/url", ["url": .string(address)])
    }

    func back() async throws { try await session.post("/back") }

    func reload() async throws { try await session.post("/refresh") }

    /// The address of the page, as the address bar would show it.
    func address() async throws -> String { try await session.get("/url").string ?? "" }

    func title() async throws -> String { try await session.get("/title").string ?? "" }

    /// The page as markup, in its present state.
    func source() async throws -> String { try await session.get("/source").string ?? "" }

    /// The text that a person can read on the page.
    func text() async throws -> String { try await element("body").text() }

    /// A picture of the page as PNG: of what is in view, or of all of it.
    func screenshot(wholePage: Bool = false) async throws -> Data {
        let encoded: String? =
            if wholePage {
                try await session.devTools("Page.captureScreenshot", ["captureBeyondViewport": true])["data"]?.string
            } else {
                try await session.get("/screenshot").string
            }
        guard let encoded, let picture = Data(base64Encoded: encoded) else {
            throw WebDriverError.unexpectedAnswer("no picture", to: "screenshot")
        }
        return picture
    }

    /// Runs the body of a JavaScript function in the page; a value that it returns comes back.
    ///
    /// This works also where the page's own scripts are off.
    @discardableResult
    func run(_ script: String, _ arguments: [JSONValue] = []) async throws -> JSONValue {
        try await session.post("/execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    /// The browser's complaints since the last call: refused resources, breaches of the content security policy, errors
    /// of scripts.
    func complaints() async throws -> [String] {
        let entries = try await session.post("/se/log", ["type": "browser"]).array ?? []
        // The browser has pages of its own, such as that of a new tab, which complain when they are left early.
        return entries.compactMap { $0["message"]?.string }.filter { !$0.hasPrefix("chrome://") }
    }

    /// The addresses that the browser set out for since the last call, also those that it can't open: the scheme of an
    /// app that is not here.
    ///
    /// A redirect that the page's policy forbids is none. Needs ``BrowserOptions/logsNetwork``.
    func departures() async throws -> [String] {
        let entries = try await session.post("/se/log", ["type": "performance"]).array ?? []
        return entries.compactMap { entry in
            guard let text = entry["message"]?.string,
                let event = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))["message"],
                event["method"]?.string == "Network.requestWillBeSent"
            else { return nil }
            return event["params"]?["documentURL"]?.string
        }
    }
}
