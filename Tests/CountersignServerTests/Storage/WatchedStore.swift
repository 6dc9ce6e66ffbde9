import Countersign
import CountersignSQLite
import Foundation
import NIOConcurrencyHelpers

@testable import CountersignServer

/// A store on a database of a test's own that counts what it is asked, and can be made to notify of anything.
final class WatchedStore: Store {
    let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("countersign-cache-\(UUID().uuidString)")
    let base: SQLiteStore
    private let state = NIOLockedValueBox(State())

    private struct State {
        var reads = 0
        var observers: [@Sendable ([StoreChange]) -> Void] = []
        var afterRead: (@Sendable () -> Void)?
    }

    private init() throws {
        base = try SQLiteStore.open(in: directory)
    }

    /// A new store, after its first look for changes of other processes: until then it takes everything for changed.
    static func open() async throws -> WatchedStore {
        let store = try WatchedStore()
        await withCheckedContinuation { caller in
            let waiting = NIOLockedValueBox<CheckedContinuation<Void, Never>?>(caller)
            store.base.observe { _ in
                waiting.withLockedValue { waiting in
                    waiting?.resume()
                    waiting = nil
                }
            }
        }
        return store
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    /// The number of look-ups so far.
    var reads: Int { state.withLockedValue(\.reads) }

    /// Notifies the observers.
    func notify(_ changes: StoreChange...) {
        for observer in state.withLockedValue(\.observers) { observer(changes) }
    }

    /// Does something when the next look-up has its answer and its caller has not.
    func afterNextRead(_ act: @escaping @Sendable () -> Void) {
        state.withLockedValue { $0.afterRead = act }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        state.withLockedValue { $0.reads += 1 }
        let value = try await base.read(body)
        let act = state.withLockedValue { state in
            defer { state.afterRead = nil }
            return state.afterRead
        }
        act?()
        return value
    }

    func change<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await base.change(body)
    }

    func observe(_ observer: @escaping @Sendable ([StoreChange]) -> Void) {
        state.withLockedValue { $0.observers.append(observer) }
        base.observe(observer)
    }
}
