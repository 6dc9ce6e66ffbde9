internal import Countersign
internal import CountersignServer
internal import Foundation

/// Measures how soon a waiting screen has its token after the person decided, while many others wait.
struct DecisionBenchmark {
    let waiting: Int
    let decisions: Int

    struct Result {
        let median: Double
        let p99: Double
        let memory: Double
        let memoryBefore: Double
        /// Screens that were answered although no person had decided on them.
        let disturbed: Int
    }

    func measure(_ server: ServerProcess) async throws -> Result {
        // By then it has released what only its start needs.
        try await Task.sleep(for: .seconds(1))
        let memoryBefore = server.residentMemory
        let screens = WaitingScreens(port: server.port)
        let http = PlainHTTP(port: server.port)
        try await screens.hold((1...waiting).map { Dataset.deviceCode(Dataset.pendingCodes + $0).revealed })
        let asked = try (0..<decisions).map { _ in try ask(http) }
        try await screens.hold(asked.map(\.device))
        try await Task.sleep(for: .milliseconds(300))
        let memory = server.residentMemory

        let person = try Approving(http)
        var spans: [Double] = []
        for code in asked {
            try person.take(code.user)
            let began = ContinuousClock.now
            try person.approve(code.user)
            guard let answer = try await screens.answer(to: code.device, within: .seconds(5)),
                answer.text.contains("access_token")
            else { throw BenchmarkFailure("a waiting screen did not get its token") }
            spans.append(began.duration(to: answer.at) / .milliseconds(1))
        }
        let disturbed = screens.answered - decisions
        try await screens.leave()
        return Result(
            median: spans.middle,
            p99: spans.percentile99,
            memory: memory,
            memoryBefore: memoryBefore,
            disturbed: disturbed
        )
    }

    private func ask(_ http: PlainHTTP) throws -> (device: String, user: String) {
        let answer = try http.post("/device_authorization", form: "client_id=screen&scope=profile")
        guard let device = answer.member("device_code") as? String, let user = answer.member("user_code") as? String
        else { throw BenchmarkFailure("no device code: \(answer.status) \(answer.body)") }
        return (device, user)
    }
}

/// The person who decides, in a browser that is signed in.
struct Approving {
    private let http: PlainHTTP
    private let headers: [String: String]
    private let formToken: String

    init(_ http: PlainHTTP) throws {
        self.http = http
        headers = ["Cookie": "countersign-\(http.port)=\(Dataset.cookie.revealed)"]
        let page = try http.get("/activate", headers: headers).body
        guard let name = page.range(of: "name=\"form_token\" value=\""),
            let end = page[name.upperBound...].firstIndex(of: "\"")
        else { throw BenchmarkFailure("the page for codes has no form: \(page.prefix(300))") }
        formToken = String(page[name.upperBound..<end])
    }

    func take(_ userCode: String) throws {
        let answer = try http.post("/activate", form: "form_token=\(formToken)&user_code=\(userCode)", headers: headers)
        guard answer.status == 303 else { throw BenchmarkFailure("a code was not taken: \(answer.status)") }
    }

    func approve(_ userCode: String) throws {
        let form = "form_token=\(formToken)&user_code=\(userCode)&decision=approve"
        let answer = try http.post("/activate/decision", form: form, headers: headers)
        guard answer.status == 303 else { throw BenchmarkFailure("a request was not approved: \(answer.status)") }
    }
}
