import CountersignRequester
import CountersignResource
import CountersignTesting
import HTTPTypes

/// A provider that says what each test wrote down, and remembers what it was asked.
struct ScriptedProvider: HTTPTransport {
    let network = ScriptedTransport()

    init(_ script: [String: [ScriptedTransport.Reply]] = [:]) {
        for (path, replies) in script { network.reply(at: path, with: replies) }
    }

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        try await network.send(request, body: body, within: limit)
    }
}

/// A provider that keeps everybody waiting until it is opened.
actor GatedProvider: HTTPTransport {
    private let answer: HTTPAnswer
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []
    private var isOpen = false
    private(set) var asked = 0

    init(_ answer: HTTPAnswer) {
        self.answer = answer
    }

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        asked += 1
        for watcher in watchers { watcher.resume() }
        watchers = []
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
        return answer
    }

    /// Returns once somebody has asked.
    func untilAsked() async {
        if asked == 0 { await withCheckedContinuation { watchers.append($0) } }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
