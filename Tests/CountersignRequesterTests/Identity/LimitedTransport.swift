import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import HTTPTypes
import NIOConcurrencyHelpers

/// Sends over another transport with time enough for a busy machine, and with little where no answer is expected.
final class LimitedTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let isHasty = NIOLockedValueBox(false)

    init(_ base: any HTTPTransport) { self.base = base }

    /// Gives each request two seconds while `fault` is silence.
    func expect(_ fault: ProviderFault?) {
        let isSilence = if case .silence? = fault { true } else { false }
        isHasty.withLockedValue { $0 = isSilence }
    }

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        let limit: Duration = isHasty.withLockedValue { $0 } ? .seconds(2) : .seconds(120)
        return try await base.send(request, body: body, within: limit)
    }
}
