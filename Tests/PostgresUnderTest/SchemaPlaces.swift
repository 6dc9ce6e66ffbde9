#if PostgreSQL
/// Limits the count of tests that use the shared server at a time.
///
/// A store takes ten connections and a test opens up to eight stores, while the server admits 400 connections. All
/// tests begin at once, so without this a slow machine would have more stores open than there are connections.
actor SchemaPlaces {
    static let shared = SchemaPlaces(free: 12)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(free: Int) {
        self.free = free
    }

    /// Runs `body` when there is a place for it.
    nonisolated func take(_ body: () async throws -> Void) async throws {
        await enter()
        do {
            try await body()
        } catch {
            await leave()
            throw error
        }
        await leave()
    }

    private func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// The place goes to whoever has waited longest.
    private func leave() {
        guard !waiting.isEmpty else {
            free += 1
            return
        }
        waiting.removeFirst().resume()
    }
}
#endif
