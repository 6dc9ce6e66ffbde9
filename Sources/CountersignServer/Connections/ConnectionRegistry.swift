internal import NIOConcurrencyHelpers
internal import NIOCore

/// The open connections, up to a maximum number.
///
/// At the maximum, the connection that has been idle longest is closed for a new one. So a client that opens
/// connections and sends nothing loses its own, and other clients are still served. A connection whose request is being
/// answered is never closed.
final class ConnectionRegistry: Sendable {
    /// One connection's entry among the others.
    final class Entry: Sendable {
        fileprivate struct Standing {
            var isAnswered = false
            /// Whether it was answered since the registry last considered it for closing.
            var isRecent = false
            var isGone = false
        }

        fileprivate let standing = NIOLockedValueBox(Standing())
        fileprivate let giveWay: @Sendable () -> Void

        fileprivate init(givingWay: @escaping @Sendable () -> Void) {
            giveWay = givingWay
        }

        /// Notes whether its request is being answered.
        func isAnswered(_ isAnswered: Bool) {
            standing.withLockedValue { standing in
                standing.isAnswered = isAnswered
                standing.isRecent = true
            }
        }
    }

    fileprivate struct State {
        /// In the order in which they are considered for closing; closed ones are skipped.
        var entries = CircularBuffer<Entry>()
        var count = 0
    }

    private let most: Int
    private let state = NIOLockedValueBox(State())

    /// How many entries are considered before a new connection is refused.
    private static let longestSearch = 1_000

    init(most: Int) {
        self.most = most
    }

    /// The number of open connections.
    var count: Int { state.withLockedValue { $0.count } }

    /// Returns an entry for a new connection, which `givingWay` closes; `nil` when all others are being answered.
    func enter(givingWay: @escaping @Sendable () -> Void) -> Entry? {
        let entry = Entry(givingWay: givingWay)
        let (isAdmitted, leaving) = state.withLockedValue { state -> (Bool, Entry?) in
            var leaving: Entry?
            if state.count >= most {
                leaving = state.silentForLongest(lookingAt: Self.longestSearch)
                guard leaving != nil else { return (false, nil) }
            } else {
                state.count += 1
            }
            state.entries.append(entry)
            return (true, leaving)
        }
        leaving?.giveWay()
        return isAdmitted ? entry : nil
    }

    /// Frees the entry of a connection that was closed.
    func leave(_ entry: Entry) {
        state.withLockedValue { state in
            let wasGone = entry.standing.withLockedValue { standing in
                defer { standing.isGone = true }
                return standing.isGone
            }
            guard !wasGone else { return }
            state.count -= 1
            guard state.entries.count > 2 * state.count + 64 else { return }
            state.entries.removeAll { $0.standing.withLockedValue { $0.isGone } }
        }
    }
}

extension ConnectionRegistry.State {
    /// Removes a connection that is not being answered; one that was answered recently is considered again
    /// after all others.
    fileprivate mutating func silentForLongest(lookingAt limit: Int) -> ConnectionRegistry.Entry? {
        for _ in 0..<min(limit, 2 * entries.count) {
            guard let entry = entries.popFirst() else { return nil }
            enum Finding { case silent, lately, gone }
            let finding = entry.standing.withLockedValue { standing -> Finding in
                if standing.isGone { return .gone }
                if standing.isAnswered || standing.isRecent {
                    standing.isRecent = standing.isAnswered
                    return .lately
                }
                standing.isGone = true
                return .silent
            }
            switch finding {
            case .silent: return entry
            case .lately: entries.append(entry)
            case .gone: break
            }
        }
        return nil
    }
}
