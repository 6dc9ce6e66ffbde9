import CountersignApprover
import CountersignTesting
import CountersignWire
import Foundation

/// Reads the events of an approver in a task of its own, and tells each in words.
final class EventReader: Sendable {
    private let reading: Task<Void, Never>
    private let words: AsyncStream<String>

    init(of approver: Approver) {
        let (words, telling) = AsyncStream.makeStream(of: String.self)
        self.words = words
        reading = Task {
            do {
                for try await event in approver { telling.yield(event.words) }
            } catch {
                telling.yield("ended \((error as? ApprovalError)?.code.rawValue ?? "?")")
            }
            telling.finish()
        }
    }

    /// The next event, in words; `nil` after the last one.
    func next() async -> String? {
        for await event in words { return event }
        return nil
    }

    /// The next event, for which time passes until it comes.
    func next(advancing clock: ManualClock) async -> String? {
        let passing = Task {
            while !Task.isCancelled {
                clock.advance(by: .milliseconds(100))
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        defer { passing.cancel() }
        return await next()
    }

    func stop() { reading.cancel() }
}

extension ApproverEvent {
    /// The event with the requests that it is about.
    var words: String {
        switch self {
        case .waiting(let requests): (["waiting"] + requests.map(\.id.rawValue)).joined(separator: " ")
        case .answered(let request, at: let place): "answered \(request.id) \(place)"
        case .cancelled(let request): "cancelled \(request.id)"
        case .withdrawn(let request): "withdrawn \(request.id)"
        case .expired(let request): "expired \(request.id)"
        case .undone(let decision): "undone \(decision.exchange)"
        case .newDevice(let device): "new device \(device.id)"
        case .passwordChanged(let changed): "password changed \(Int(changed.timeIntervalSince1970))"
        case .failed(let request, let error): "failed \(request) \(error.code)"
        case .temporaryFailure(_, retryingIn: let pause): "temporary \(pause.components.seconds)"
        }
    }
}
