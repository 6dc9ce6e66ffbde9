/// The name of a session's folder: the attempt that it belongs to, and since the session is open, the process that leads it.
struct HostSessionName: Sendable, Hashable, LosslessStringConvertible {
    /// The process that a session belongs to.
    enum Owner: Sendable, Hashable {
        /// The process that asked, and the one that started it; `nil` for one that cannot be seen from here.
        case asking(HostProcess, parent: HostProcess?)
        /// The process that leads the open session.
        case leading(HostProcess)
    }

    let owner: Owner
    /// The digits of the attempt, so that a process that asks again has another folder.
    let attempt: String

    init(_ owner: Owner, attempt: String) {
        self.owner = owner
        self.attempt = attempt
    }

    /// Reads ``description``.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let process = HostProcess(parts[0]), parts[2].allSatisfy(\.isNumber) else { return nil }
        switch parts[1] {
        case "open": owner = .leading(process)
        case "none": owner = .asking(process, parent: nil)
        default:
            guard let parent = HostProcess(parts[1]) else { return nil }
            owner = .asking(process, parent: parent)
        }
        attempt = parts[2]
    }

    var description: String {
        switch owner {
        case .asking(let process, let parent): "\(process)-\(parent?.description ?? "none")-\(attempt)"
        case .leading(let process): "\(process)-open-\(attempt)"
        }
    }

    /// The same of a session that is open.
    func led(by process: HostProcess) -> HostSessionName { HostSessionName(.leading(process), attempt: attempt) }

    /// Whether a process that opens a session may take it: it asked itself, or started the one that did.
    func isAsked(by process: HostProcess) -> Bool {
        guard case .asking(let asking, let parent) = owner else { return false }
        return asking == process || parent == process
    }

    /// Whether it is left from an attempt that came to nothing, or from a session that is over, when a process asks.
    ///
    /// - Parameters:
    ///   - process: The process that asks.
    ///   - parent: The one that started it.
    ///   - isRunning: Whether a process still runs.
    func isStale(for process: HostProcess, of parent: HostProcess?, isRunning: (HostProcess) -> Bool) -> Bool {
        switch owner {
        case .leading(let leader): return !isRunning(leader)
        case .asking(process, _): return true
        case .asking(let other, let starter):
            guard !isRunning(other) else { return false }
            // sshd starts a process for each attempt, and opens the session itself.
            guard let starter, starter != parent else { return true }
            return !isRunning(starter)
        }
    }
}
