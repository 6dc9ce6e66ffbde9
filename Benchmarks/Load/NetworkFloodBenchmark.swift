internal import Foundation

/// Measures how soon an address that behaves has its code while sixty networks, behind a proxy that the server trusts,
/// send more than the limits allow them.
struct NetworkFloodBenchmark {
    let directory: URL
    /// The count of addresses that behave and ask, one after the other.
    var asking = 500
    static let networks = 60

    /// The answers to addresses that behave.
    struct Answers {
        /// The time of each, in milliseconds.
        fileprivate(set) var spans: [Double] = []
        /// Those that got no code.
        fileprivate(set) var refused = 0
    }

    struct Result {
        let before: Answers
        let during: Answers
        /// Requests a second that the networks sent meanwhile; most of them were refused.
        let rate: Double
    }

    /// - Parameter server: One that trusts the proxy at 127.0.0.1 and has its usual limits.
    func measure(_ server: ServerProcess) async throws -> Result {
        let http = PlainHTTP(port: server.port)
        let before = try ask(http, from: "198.18")
        let load = Load(name: "device_authorization of a flood", path: Self.path, script: { _ in Self.flood })
        let asked = Task.detached {
            // By then the networks have used up what they may start.
            try await Task.sleep(for: .seconds(3))
            return try ask(http, from: "198.19")
        }
        let wrk = Wrk(connections: Self.networks, seconds: 10, directory: directory)
        let flood = try wrk.measure(load, on: [server], batch: 0)
        return Result(before: before, during: try await asked.value, rate: flood.rate)
    }

    private static let path = "/device_authorization"
    private static let form = "client_id=screen&scope=profile"

    private static let flood =
        Script.post(form) + """

            local n = 0
            request = function()
              n = (n + 1) % \(networks)
              wrk.headers["X-Forwarded-For"] = "203.0.113." .. n
              return wrk.format()
            end
            """

    private func ask(_ http: PlainHTTP, from network: String) throws -> Answers {
        var answers = Answers()
        for number in 0..<asking {
            let address = "\(network).\(number / 256).\(number % 256)"
            let began = ContinuousClock.now
            let answer = try http.post(Self.path, form: Self.form, headers: ["X-Forwarded-For": address])
            answers.spans.append(began.duration(to: .now) / .milliseconds(1))
            if answer.status != 200 { answers.refused += 1 }
        }
        return answers
    }
}
