internal import CountersignWire
internal import NIOConcurrencyHelpers
internal import Foundation

/// The steps of a fake provider, and the port that it answers at: which of them fail, and the received requests.
struct ProviderSteps<Step: Hashable & Sendable>: Sendable {
    private struct State {
        var faults: [Step: [ProviderFault]] = [:]
        var received: [ProviderRequest] = []
    }

    private let state = NIOLockedValueBox(State())
    private let listener = NIOLockedValueBox<LoopbackListener?>(nil)

    /// The address that the provider listens at, such as `http://127.0.0.1:40123`; empty before it does.
    var base: String { listener.withLockedValue(\.self)?.base ?? "" }

    /// Listens on a free port; `answer` handles each request, and `nil` resets the connection.
    func listen(_ answer: @escaping @Sendable (ProviderRequest) -> LoopbackListener.Outcome?) async throws {
        let started = try await LoopbackListener.start { answer($0) ?? .reset }
        listener.withLockedValue { $0 = started }
    }

    /// Stops to listen, and ends all connections.
    func stop() async { await listener.withLockedValue(\.self)?.stop() }

    var received: [ProviderRequest] { state.withLockedValue(\.received) }

    /// Sets what goes wrong at a step; the last fault remains, and none lets it work again.
    func set(_ faults: [ProviderFault], at step: Step) {
        state.withLockedValue { $0.faults[step] = faults.isEmpty ? nil : faults }
    }

    /// The address of a step, changed by its fault.
    func address(_ address: String, of step: Step) -> String {
        state.withLockedValue { $0.faults[step]?.first }?.address(for: address) ?? address
    }

    /// Records a request, and returns its outcome.
    func outcome(of request: ProviderRequest, at step: Step?, _ answer: () -> ProviderReply) -> LoopbackListener.Outcome
    {
        let fault: ProviderFault? = state.withLockedValue { state in
            state.received.append(request)
            guard let step, var faults = state.faults[step], let fault = faults.first else { return nil }
            if faults.count > 1 {
                faults.removeFirst()
                state.faults[step] = faults
            }
            return fault
        }
        switch fault {
        case nil, .refused, .unknownHost, .noTLS: return .reply(answer())
        case .reset: return .reset
        case .silence: return .silence
        case .status(let status): return .reply(ProviderReply(status: status))
        case .answer(let status, let type, let body): return .reply(.text(body, type: type, status: status))
        case .badUTF8: return .reply(changed(answer()) { _ in [0x7B, 0xFF, 0xFE, 0xC3, 0x28] })
        case .huge: return .reply(changed(answer()) { _ in Array(repeating: 0x20, count: 2 << 20) })
        case .truncated: return .cut(answer())
        case .missing(let name): return .reply(changed(answer()) { Self.without(name, in: $0) })
        }
    }

    private func changed(_ reply: ProviderReply, _ change: ([UInt8]) -> [UInt8]) -> ProviderReply {
        var reply = reply
        reply.body = change(reply.body)
        return reply
    }

    /// The body without a member of JSON, or a parameter of a form.
    private static func without(_ name: String, in body: [UInt8]) -> [UInt8] {
        if var members = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] {
            members[name] = nil
            if var inner = members["data"] as? [String: Any] {
                inner[name] = nil
                members["data"] = inner
            }
            return (try? JSONSerialization.data(withJSONObject: members)).map(Array.init) ?? body
        }
        var form = (try? Form(parsing: body)) ?? Form()
        form[name] = nil
        return Array(form.encoded.utf8)
    }
}
