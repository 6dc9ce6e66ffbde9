import Countersign
import CountersignStorage

@testable import CountersignServer

/// A store that leaves to another one what it does not do itself.
protocol ForwardingStore: Store {
    var base: any Store { get }
}

extension ForwardingStore {
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await base.read(body)
    }

    func change<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await base.change(body)
    }

    func observe(_ observer: @escaping @Sendable ([StoreChange]) -> Void) {
        base.observe(observer)
    }
}
