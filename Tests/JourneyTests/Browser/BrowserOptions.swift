import Foundation

/// The options of a browser: the size of its window, light or dark, with scripts or without.
struct BrowserOptions: Sendable {
    enum Scheme: String, Sendable, CaseIterable {
        case light, dark
    }

    /// The width of the page in CSS pixels. Below 600 the browser behaves as one on a phone.
    var width: Int
    var height: Int
    var scheme: Scheme
    var javaScript: Bool
    /// Whether the browser keeps a log of what it asks the network for, for ``Browser/departures()``.
    var logsNetwork = false
    /// Whether the browser shows pages of hosts whose certificate nobody vouches for.
    var acceptsAnyCertificate = false

    init(width: Int = 1280, height: Int = 900, scheme: Scheme = .light, javaScript: Bool = true) {
        self.width = width
        self.height = height
        self.scheme = scheme
        self.javaScript = javaScript
    }

    /// The capabilities that chromedriver is asked for; the browser keeps its profile in the folder.
    ///
    /// - Throws: ``WebDriverError`` when there is no browser.
    func capabilities(profile: URL) throws -> JSONValue {
        let executable = ProcessInfo.processInfo.environment["COUNTERSIGN_TEST_CHROMIUM"] ?? "/usr/bin/chromium"
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            throw WebDriverError.notStarted(
                "no browser at \(executable): run `make test`, which installs what is missing, or name one by"
                    + " COUNTERSIGN_TEST_CHROMIUM"
            )
        }
        return [
            "browserName": "chrome",
            "acceptInsecureCerts": .bool(acceptsAnyCertificate),
            "timeouts": ["implicit": 0, "pageLoad": 30_000, "script": 10_000],
            "unhandledPromptBehavior": "dismiss and notify",
            "goog:loggingPrefs": ["browser": "ALL", "performance": .string(logsNetwork ? "ALL" : "OFF")],
            "goog:chromeOptions": [
                "binary": .string(executable),
                "args": .array(arguments(profile: profile).map(JSONValue.string)),
            ],
        ]
    }

    private func arguments(profile: URL) -> [String] {
        [
            "--headless=new",
            // A container's root has no sandbox to offer; the only pages met here are ours.
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            "--no-proxy-server",
            "--force-color-profile=srgb",
            // A colour on its way to another one cannot be judged.
            "--force-prefers-reduced-motion",
            "--lang=en-US",
            "--window-size=\(width),\(height)",
            "--user-data-dir=\(profile.path)",
        ]
    }
}
