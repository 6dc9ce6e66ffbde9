internal import CountersignServer
internal import GRDB
internal import NIOConcurrencyHelpers

/// Those who want to hear what changes.
final class Followers: Sendable {
    private struct State {
        var all: [@Sendable ([StoreNews]) -> Void] = []
        /// What SQLite's counter of other connections' changes showed last.
        var version: Int?
    }

    private let state = NIOLockedValueBox(State())

    func add(_ hear: @escaping @Sendable ([StoreNews]) -> Void) {
        state.withLockedValue { $0.all.append(hear) }
    }

    /// Tells everybody; only the writer's thread does, so all hear it in the order of the commits.
    func tell(_ news: [StoreNews]) {
        guard !news.isEmpty else { return }
        for hear in state.withLockedValue(\.all) { hear(news) }
    }

    /// Tells everybody when another process has changed the database since the last call.
    ///
    /// The counter of the writer's connection moves when others write, and not when it writes itself.
    func noticeOthers(in writer: Database) {
        let seen = try? writer.first("PRAGMA data_version", [], { $0[0] as Int })
        let isNews = state.withLockedValue { state in
            guard !state.all.isEmpty, let seen else { return seen == nil && !state.all.isEmpty }
            defer { state.version = seen }
            return state.version != seen
        }
        if isNews { tell([.anything]) }
    }
}
