internal import Countersign
internal import CountersignServer
internal import CountersignTesting
internal import CountersignTransport
internal import CountersignWire

extension Home {
    /// Sends a request on the network, which may fail.
    func send(_ request: HomeRequest, by party: HomeParty) async throws -> Result<HTTPAnswer, TransportError> {
        guard !network.cut.contains(party) else {
            note("\(party) is cut off")
            return .failure(TransportError(.notReached, because: "the network is cut"))
        }
        let fate = network.takeFate()
        switch fate {
        case .arrives:
            return .success(try await deliver(request))
        case .requestLost:
            note("\(request.route) is lost")
            return .failure(TransportError(.interrupted, because: "the request was lost"))
        case .answerLost:
            _ = try await deliver(request)
            note("its answer is lost")
            return .failure(TransportError(.interrupted, because: "the answer was lost"))
        case .repeated:
            let first = try await deliver(request)
            _ = try await deliver(request)
            return .success(first)
        case .late:
            network.late.append(HomeNetwork.LateRequest(request: request, due: clock.instant + HomeNetwork.delay))
            note("\(request.route) is late")
            return .failure(TransportError(.timedOut, because: "no answer"))
        }
    }

    /// Delivers a request to the server, and checks every token that it gives.
    func deliver(_ request: HomeRequest) async throws -> HTTPAnswer {
        try await alone { try await answer(request) }
    }

    private func answer(_ request: HomeRequest) async throws -> HTTPAnswer {
        let answer: HTTPAnswer
        do {
            answer = try await server.answer(request)
        } catch {
            throw HomeFault(.server, "\(request.method) \(request.route): \(error)")
        }
        let status = answer.response.status.code
        let refusal = status >= 400 ? (try? answer.decoded(OAuthErrorResponse.self)).map { " \($0.error)" } ?? "" : ""
        note("\(request.method) \(request.route): \(status)\(refusal)")
        guard status < 500 else { throw HomeFault(.server, "\(request.route) answers \(status)") }
        if request.route == "/token", status == 200 {
            try await checkTokens(try answer.decoded(TokenResponse.self), for: request)
            if faults.leaks.contains(request.route) {
                var stolen = try HomeRequest("/token", Form(parsing: request.body), from: HomeAddress.attacker)
                stolen.fields = request.fields
                try await checkTokens(try answer.decoded(TokenResponse.self), for: stolen)
            }
        }
        try await check()
        return answer
    }

    /// Delivers the late requests that arrive by now; nobody waits for their answers.
    func deliverLate() async throws {
        for request in network.arrivals(at: clock.instant) {
            note("late:")
            _ = try await deliver(request)
        }
    }

    /// Starts the server again over the same store.
    func restart() async throws {
        server = try await HomeServer(ground.settings, keeping: faults.store(store), clock: clock, random: random)
    }

    /// Adds to the line of the present event.
    func note(_ text: String) {
        guard let last = trace.indices.last else { return trace.append(text) }
        trace[last] += "; \(text)"
    }
}
