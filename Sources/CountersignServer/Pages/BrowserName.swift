internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// The name of a browser and of its system, for the person who used it: "Firefox, Linux".
///
/// Only names of this list are in it, never the words of the header.
/// Standard: RFC 9110 §10.1.5 (`User-Agent`).
enum BrowserName {
    /// The products with their names; the first that the header has is the browser, since most name others, too.
    private static let browsers = [
        ("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Vivaldi", "Vivaldi"),
        ("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"),
        ("Safari", "Safari"),
    ]
    private static let systems = [
        ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
        ("Mac OS X", "macOS"), ("Linux", "Linux"),
    ]

    /// The name; `nil` for a browser that the list does not have.
    static func of(_ header: String?) -> String? {
        guard let header, let browser = browsers.first(where: { header.contains($0.0) })?.1 else { return nil }
        guard let system = systems.first(where: { header.contains($0.0) })?.1 else { return browser }
        return "\(browser), \(system)"
    }

    /// The name, or the words of the header for a browser that the list does not have; `nil` without a header.
    static func shown(_ header: String?) -> String? {
        of(header) ?? header.flatMap { DeviceAuthorizationRequest.presentable($0, upTo: FactLine.longestClaim) }
    }
}

extension BrowserDetails {
    /// The browser that sent a request.
    ///
    /// - Parameter address: Its network address; `nil` when the server sees none.
    init(of request: Request, from address: String?) {
        self.init(name: BrowserName.of(request.headers[.userAgent]), address: address)
    }

    /// The name of the browser, as pages show it.
    var shownName: LocalizedText { name.map { .verbatim(FactLine.claim($0)) } ?? .text(.accountABrowser) }
}
