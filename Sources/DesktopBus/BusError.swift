#if SecretService && os(Linux)
internal import CLibSecret

/// The reason that a call over the bus had no usable answer. It contains no secret: messages of a service are omitted.
package enum BusError: Error, Sendable, Equatable {
    /// There is no bus, or it went away.
    case unreachable
    /// No whole answer came in time.
    case timedOut
    /// The caller's task was cancelled.
    case cancelled
    /// The bus or the service answered with an error.
    case refused(BusErrorName)
    /// The answer does not match the method.
    case malformed
}

/// The name of an error that came over the bus.
///
/// Standard: D-Bus specification, "Message Protocol", error names.
package struct BusErrorName: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The errors of the bus that say that nothing answers to the name of a service, nor can be started for it.
    package var meansNoService: Bool {
        ["ServiceUnknown", "NameHasNoOwner"].contains(last) || rawValue.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
    }

    /// The errors that say that an object has gone.
    package var meansNoObject: Bool { ["UnknownObject", "UnknownMethod", "UnknownInterface"].contains(last) }

    /// The last component; services have changed its prefix.
    package var last: Substring { rawValue.split(separator: ".").last ?? "" }
}

extension BusError {
    /// Reads GLib's error, and frees it.
    ///
    /// - Parameter reason: The reason that the call was stopped, if it was.
    init(_ error: UnsafeMutablePointer<GError>, stoppedBecause reason: BusError?) {
        defer { g_error_free(error) }
        if let name = g_dbus_error_get_remote_error(error) {
            defer { g_free(name) }
            self = .refused(BusErrorName(rawValue: String(cString: name)))
        } else if let reason {
            self = reason
        } else if error.pointee.domain == g_io_error_quark(),
            error.pointee.code == Int32(bitPattern: G_IO_ERROR_TIMED_OUT.rawValue)
        {
            self = .timedOut
        } else {
            self = .unreachable
        }
    }
}
#endif
