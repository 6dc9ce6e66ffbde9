import Foundation

extension Browser {
    /// The first element that matches a CSS selector; waits for it to appear.
    ///
    /// - Throws: ``WebDriverError`` with the code `no such element` when it does not appear in time.
    func element(_ selector: String, within timeLimit: Duration = .seconds(60)) async throws -> PageElement {
        let clock = ContinuousClock()
        let giveUp = clock.now + timeLimit
        while true {
            do {
                return try PageElement(
                    try await session.post("/element", ["using": "css selector", "value": .string(selector)]),
                    in: session
                )
            } catch let error as WebDriverError where error.code == WebDriverError.noSuchElement {
                guard clock.now < giveUp else { throw error }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// All elements that match a CSS selector at this moment.
    func elements(_ selector: String) async throws -> [PageElement] {
        let found = try await session.post("/elements", ["using": "css selector", "value": .string(selector)])
        return try (found.array ?? []).map { try PageElement($0, in: session) }
    }

    /// Whether an element matches a CSS selector at this moment.
    func has(_ selector: String) async throws -> Bool { try await !elements(selector).isEmpty }

    /// The element that has the keyboard's focus; the body when none has.
    func focused() async throws -> PageElement {
        try PageElement(try await session.get("/element/active"), in: session)
    }

    /// Presses and releases keys one after the other, wherever the focus is.
    func press(_ keys: Key...) async throws {
        let actions = keys.flatMap(\.actions)
        try await session.post(
            "/actions",
            ["actions": [["type": "key", "id": "keyboard", "actions": .array(actions)]]]
        )
    }

    /// Does what leads to another page, and returns once that one is there as a whole.
    func leaving(isolation: isolated (any Actor)? = #isolation, _ act: () async throws -> Void) async throws {
        let left = try await run("return performance.timeOrigin")
        try await act()
        try await wait(for: "another page", within: .seconds(60)) {
            // Between two pages there is none to be asked.
            let state = try? await run("return [performance.timeOrigin, document.readyState]").array
            return state?.first != left && state?.last == "complete"
        }
    }

    /// Asks again and again until the answer is yes. A page that changes while it is asked about is asked about again.
    ///
    /// - Throws: ``WebDriverError`` with the code `timeout` and what was waited for.
    func wait(
        for what: String,
        within timeLimit: Duration = .seconds(60),
        isolation: isolated (any Actor)? = #isolation,
        _ isTrue: () async throws -> Bool
    ) async throws {
        let clock = ContinuousClock()
        let giveUp = clock.now + timeLimit
        while true {
            do {
                if try await isTrue() { return }
            } catch let error as WebDriverError where error.code == WebDriverError.staleElementReference {}
            guard clock.now < giveUp else {
                throw WebDriverError(
                    code: "timeout",
                    reason: "not within \(timeLimit); the page is \(try await address())",
                    command: "wait for \(what)"
                )
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}

/// A key that moves through a page or acts on it.
enum Key: Sendable {
    case tab, shiftTab, enter, space, escape, up, down

    fileprivate var actions: [JSONValue] {
        switch self {
        case .tab: Key.stroke("\u{E004}")
        case .shiftTab: [Key.press("\u{E008}")] + Key.stroke("\u{E004}") + [Key.release("\u{E008}")]
        case .enter: Key.stroke("\u{E007}")
        case .space: Key.stroke(" ")
        case .escape: Key.stroke("\u{E00C}")
        case .up: Key.stroke("\u{E013}")
        case .down: Key.stroke("\u{E015}")
        }
    }

    private static func stroke(_ key: String) -> [JSONValue] { [press(key), release(key)] }
    private static func press(_ key: String) -> JSONValue { ["type": "keyDown", "value": .string(key)] }
    private static func release(_ key: String) -> JSONValue { ["type": "keyUp", "value": .string(key)] }
}
