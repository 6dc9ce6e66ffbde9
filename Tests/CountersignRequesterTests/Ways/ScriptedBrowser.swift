import Countersign
import CountersignRequester
import NIOConcurrencyHelpers

import FoundationEssentialsCompat

/// A browser of this device in which the test is the person.
final class ScriptedBrowser: SignInBrowser {
    static let redirectURI = "http://127.0.0.1:49152/callback"

    private struct State {
        var accept: (@Sendable (String) async -> Bool)?
        var opened: [URL] = []
        var ends = 0
    }

    private let place: BrowserPlace?
    private let isReachable: Bool
    private let state = NIOLockedValueBox(State())
    private let returns: AsyncStream<String>
    private let returning: AsyncStream<String>.Continuation
    private let openings: AsyncStream<Void>
    private let opening: AsyncStream<Void>.Continuation

    /// A browser that opens pages at `place`; nothing for `nil`. One that is not reachable cannot come back.
    init(at place: BrowserPlace? = .browser, isReachable: Bool = true) {
        self.place = place
        self.isReachable = isReachable
        (returns, returning) = AsyncStream.makeStream(of: String.self)
        (openings, opening) = AsyncStream.makeStream(of: Void.self)
    }

    var opened: [URL] { state.withLockedValue(\.opened) }
    /// How often a visit was ended.
    var ends: Int { state.withLockedValue(\.ends) }

    /// Returns once a page was opened.
    func isOpened() async {
        for await _ in openings { return }
    }

    /// Comes back with this query; returns whether the address was accepted.
    @discardableResult
    func comeBack(_ query: String, to redirectURI: String = ScriptedBrowser.redirectURI) async -> Bool {
        let address = "\(redirectURI)?\(query)"
        guard let accept = state.withLockedValue(\.accept), await accept(address) else { return false }
        returning.yield(address)
        return true
    }

    /// The person closes the page.
    func close() { returning.finish() }

    func prepare(
        accepting accept: @escaping @Sendable (String) async -> Bool
    ) async throws(SignInError) -> any BrowserVisit {
        guard isReachable else { throw SignInError(.browserNotOpened, because: "scripted") }
        state.withLockedValue { $0.accept = accept }
        return Visit(browser: self)
    }

    private struct Visit: BrowserVisit {
        let browser: ScriptedBrowser
        var redirectURI: String { ScriptedBrowser.redirectURI }
        var returns: AsyncStream<String> { browser.returns }

        func open(_ address: URL) async -> BrowserPlace? {
            browser.state.withLockedValue { $0.opened.append(address) }
            browser.opening.yield(())
            return browser.place
        }

        func end() async { browser.state.withLockedValue { $0.ends += 1 } }
    }
}
