internal import Foundation

/// Measures how soon many screens that are switched on together have their codes, each over a connection of its own.
struct StartingBenchmark {
    let screens: Int

    struct Result {
        /// Seconds from the first connection until the last answer.
        let seconds: Double
        /// Screens that got something else than their codes, or nothing within twenty seconds.
        let refused: Int
    }

    func measure(_ server: ServerProcess) async throws -> Result {
        let all = WaitingScreens(port: server.port)
        let body = "client_id=screen&scope=profile"
        let request = """
            POST /device_authorization HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\
            Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
        let names = (1...screens).map { "screen \($0)" }
        let began = ContinuousClock.now
        try await all.hold(names) { _ in request }
        while all.answered < screens, began.duration(to: .now) < .seconds(20) {
            try await Task.sleep(for: .milliseconds(2))
        }
        let answers = all.all
        let last = answers.map(\.at).max() ?? .now
        let served = answers.count { $0.text.hasPrefix("HTTP/1.1 200") }
        try await all.leave()
        return Result(seconds: began.duration(to: last) / .seconds(1), refused: screens - served)
    }
}
