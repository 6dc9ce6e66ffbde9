extension Browser {
    /// Opens the same page in a second window, whose handle comes back; the first one stays in front.
    ///
    /// - Parameter javaScript: Whether scripts run in the second window, which does not take that on from the first.
    func duplicate(javaScript: Bool = true) async throws -> String {
        let address = try await address()
        let first = try await session.get("/window").string ?? ""
        let opened = try await session.post("/window/new", ["type": "tab"])
        guard let second = opened["handle"]?.string else {
            throw WebDriverError.unexpectedAnswer("\(opened)", to: "new window")
        }
        try await turn(to: second)
        try await allowJavaScript(javaScript)
        try await open(address)
        try await turn(to: first)
        return second
    }

    /// Brings a window to the front.
    func turn(to window: String) async throws {
        try await session.post("/window", ["handle": .string(window)])
    }

    /// Goes into the first frame of the page; what is asked from now on is asked there.
    func enterFrame() async throws { try await session.post("/frame", ["id": 0]) }
}
