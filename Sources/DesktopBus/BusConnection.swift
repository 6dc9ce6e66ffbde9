#if SecretService && os(Linux)
internal import CLibSecret
internal import NIOConcurrencyHelpers

/// Ends what waits for the bus, from another thread.
final class BusStop: Sendable {
    // GLib lets any thread cancel; the pointer itself never changes.
    nonisolated(unsafe) let cancellable: UnsafeMutablePointer<GCancellable>?
    private let first = NIOLockedValueBox<BusError?>(nil)

    init() { cancellable = g_cancellable_new() }

    deinit { if let cancellable { g_object_unref(cancellable) } }

    /// The reason that it was stopped; `nil` when it was not.
    var reason: BusError? { first.withLockedValue(\.self) }

    /// Ends every call; the first reason counts.
    func stop(because reason: BusError) {
        first.withLockedValue { if $0 == nil { $0 = reason } }
        g_cancellable_cancel(cancellable)
    }
}

/// A method of an object, with the interface that has it.
package struct BusMethod: Sendable, Hashable {
    package let interface: String
    package let name: String

    package init(interface: String, name: String) { (self.interface, self.name) = (interface, name) }
}

/// A connection to a bus, used by one thread and for one conversation. Its calls block.
package struct BusConnection: ~Copyable {
    let connection: OpaquePointer
    /// The context that gets GLib's later callbacks about the connection, and drops them when it is freed.
    let context: OpaquePointer?
    let stop: BusStop

    init(to address: SessionBusAddress, until stop: BusStop) throws(BusError) {
        let flags =
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
            | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
        let context = g_main_context_new()
        g_main_context_push_thread_default(context)
        var error: UnsafeMutablePointer<GError>?
        // Not the connection that GLib shares: that one ends the process when the bus goes away.
        let connection = g_dbus_connection_new_for_address_sync(
            address.text, GDBusConnectionFlags(rawValue: flags), nil, stop.cancellable, &error)
        guard let connection else {
            g_main_context_pop_thread_default(context)
            g_main_context_unref(context)
            throw error.map { BusError($0, stoppedBecause: stop.reason) } ?? .unreachable
        }
        self.connection = connection
        self.context = context
        self.stop = stop
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(connection))
        g_main_context_pop_thread_default(context)
        g_main_context_unref(context)
    }

    /// Calls a method, and waits for its answer.
    ///
    /// - Parameters:
    ///   - method: Which one.
    ///   - path: The object.
    ///   - service: The service that has it; the bus starts it if it can.
    ///   - argument: The only argument, a string; `nil` for none.
    /// - Returns: The values of the answer.
    package borrowing func call(
        _ method: BusMethod,
        at path: String,
        of service: String,
        _ argument: String? = nil
    ) throws(BusError) -> [BusValue] {
        try call(method, at: path, of: service, with: argument.flatMap { Self.tuple(of: $0) })
    }

    /// Calls a method with a tuple of GLib, which the call takes over.
    borrowing func call(
        _ method: BusMethod,
        at path: String,
        of service: String,
        with arguments: OpaquePointer?
    ) throws(BusError) -> [BusValue] {
        var error: UnsafeMutablePointer<GError>?
        let answer = g_dbus_connection_call_sync(
            connection,
            service,
            path,
            method.interface,
            method.name,
            arguments,
            nil,
            G_DBUS_CALL_FLAGS_NONE,
            // Time is limited by `stop`, for the whole conversation.
            Int32.max,
            stop.cancellable,
            &error
        )
        guard let answer else { throw error.map { BusError($0, stoppedBecause: stop.reason) } ?? .unreachable }
        defer { g_variant_unref(answer) }
        guard case .list(let values) = BusValue(answer) else { throw .malformed }
        return values
    }

    /// A tuple of one string, which the call takes over.
    private static func tuple(of text: String) -> OpaquePointer? {
        var children: [OpaquePointer?] = [g_variant_new_string(text)]
        return g_variant_new_tuple(&children, 1)
    }
}
#endif
