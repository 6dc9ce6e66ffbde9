/// Decides what SIGHUP means to a server, by the way it was started: the end of its terminal, or a request to read its
/// certificate again, as is the custom for services.
struct HangUp: Sendable {
    /// The reaction to the signal.
    enum Action: Sendable, Equatable {
        /// Stop as after SIGTERM.
        case stop
        /// Read the certificate again, and go on.
        case reload
    }

    /// Whether a standard stream is a terminal.
    let hasTerminal: Bool
    /// Whether SIGHUP was ignored at the start, as `nohup` sets it.
    let wasIgnored: Bool
    /// The process identifier.
    let process: Int32
    let environment: [String: String]

    var action: Action { hasTerminal && !wasIgnored && !isService ? .stop : .reload }

    /// Whether systemd started this process itself. Its other variables, such as `INVOCATION_ID`, do not say so:
    /// shells of a desktop inherit them from the service that is their terminal.
    ///
    /// Standard: systemd.exec(5), sd_notify(3).
    private var isService: Bool {
        environment["SYSTEMD_EXEC_PID"] == "\(process)" || environment["NOTIFY_SOCKET"]?.isEmpty == false
    }
}
