#if SecretService && os(Linux)
internal import CLibSecret
package import Countersign
internal import FoundationEssentialsCompat

/// The address of the bus that connects the programs of a person's desktop.
///
/// Standard: D-Bus specification, "Server Addresses".
public struct SessionBusAddress: Sendable, Hashable {
    /// The address as D-Bus writes it, such as `unix:path=/run/user/1000/bus`.
    public let text: String

    /// An address.
    public init(_ text: String) { self.text = text }

    /// The bus of this process's session, by `DBUS_SESSION_BUS_ADDRESS` or the socket in `XDG_RUNTIME_DIR`; `nil`
    /// without one. No bus is started for it.
    public static var current: SessionBusAddress? {
        let environment = ProcessInfo.processInfo.environment
        if let named = environment["DBUS_SESSION_BUS_ADDRESS"], !named.isEmpty { return SessionBusAddress(named) }
        guard let directory = environment["XDG_RUNTIME_DIR"], directory.hasPrefix("/") else { return nil }
        let path = "\(directory)/bus"
        guard FileManager.default.fileExists(atPath: path), let escaped = g_dbus_address_escape_value(path) else {
            return nil
        }
        defer { g_free(escaped) }
        return SessionBusAddress("unix:path=\(String(cString: escaped))")
    }
}

/// Conversations over the session's bus, each with an end.
package struct SessionBus: Sendable {
    /// The address of the bus; `nil` without one.
    let address: SessionBusAddress?
    let timeLimit: Duration
    let clock: TimeSource

    /// A bus.
    ///
    /// - Parameter address: The address of the bus; `nil` without one.
    package init(address: SessionBusAddress?, timeLimit: Duration, clock: TimeSource) {
        self.address = address
        self.timeLimit = timeLimit
        self.clock = clock
    }

    /// Connects and runs `talk`, on a thread that may block. Its calls fail at the time limit, and when the task is
    /// cancelled.
    package func conversation<Value: Sendable>(
        _ talk: @escaping @Sendable (borrowing BusConnection) throws(BusError) -> Value
    ) async throws(BusError) -> Value {
        guard let address else { throw .unreachable }
        let (stop, clock, timeLimit) = (BusStop(), clock, timeLimit)
        let timer = Task {
            try await clock.sleep(for: timeLimit)
            stop.stop(because: .timedOut)
        }
        defer { timer.cancel() }
        let outcome: Result<Value, BusError> = await withTaskCancellationHandler {
            do throws(BusError) {
                return .success(
                    try await BlockingCall.run { () throws(BusError) -> Value in
                        try talk(BusConnection(to: address, until: stop))
                    }
                )
            } catch {
                return .failure(error)
            }
        } onCancel: {
            stop.stop(because: .cancelled)
        }
        return try outcome.get()
    }
}
#endif
