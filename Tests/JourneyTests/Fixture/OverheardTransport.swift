import Countersign
import CountersignRequester
import CountersignWire
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers

/// The real network, with a note of what a requester keeps to itself: its device codes and tokens.
struct OverheardTransport: HTTPTransport {
    private struct Heard {
        var codes: [DeviceAuthorizationResponse] = []
        var tokens: [TokenResponse] = []
        var polls = 0
        var isCut = false
    }

    /// Whether the server's metadata arrive without the endpoint for pushed requests.
    var hidesPushedRequests = false

    private let network = AsyncHTTPTransport()
    private let heard = NIOLockedValueBox(Heard())

    /// The codes that came, in their order.
    var codes: [DeviceAuthorizationResponse] { heard.withLockedValue(\.codes) }
    /// The tokens that came, in their order.
    var tokens: [TokenResponse] { heard.withLockedValue(\.tokens) }
    /// The count of token requests that were sent.
    var polls: Int { heard.withLockedValue(\.polls) }

    /// Sends nothing any more, as for a program that was killed.
    func cut() { heard.withLockedValue { $0.isCut = true } }

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        if heard.withLockedValue(\.isCut) { throw TransportError(.notReached, because: "a test cut the network") }
        if request.path == "/token" { heard.withLockedValue { $0.polls += 1 } }
        // The time of a story is that of its test: on a slow machine a request that is held may take long by the real
        // clock.
        var answer = try await network.send(request, body: body, within: max(limit, .seconds(3600)))
        if hidesPushedRequests, request.path?.hasPrefix("/.well-known/") == true {
            let metadata = String(decoding: answer.body, as: UTF8.self)
            let edited = metadata.replacing("\"pushed_authorization_request_endpoint\"", with: "\"x\"")
            answer = HTTPAnswer(answer.response, body: Array(edited.utf8))
        }
        let data = Data(answer.body)
        heard.withLockedValue { heard in
            switch request.path {
            case "/device_authorization":
                if let codes = try? JSONDecoder().decode(DeviceAuthorizationResponse.self, from: data) {
                    heard.codes.append(codes)
                }
            case "/token":
                if let tokens = try? JSONDecoder().decode(TokenResponse.self, from: data) {
                    heard.tokens.append(tokens)
                }
            default: break
            }
        }
        return answer
    }
}

/// A network that loses the first good answer from an address after the server gave it.
struct LossyTransport: HTTPTransport {
    private let base: OverheardTransport
    private let path: String
    private let hasLost = NIOLockedValueBox(false)

    init(_ base: OverheardTransport, losing path: String) {
        self.base = base
        self.path = path
    }

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        let answer = try await base.send(request, body: body, within: limit)
        let isLost = hasLost.withLockedValue { hasLost in
            let matches = request.path == path && answer.response.status == .ok
            defer { hasLost = hasLost || matches }
            return !hasLost && matches
        }
        if isLost { throw TransportError(.interrupted, because: "a test lost the answer") }
        return answer
    }
}
