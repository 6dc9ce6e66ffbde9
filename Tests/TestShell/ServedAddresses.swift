/// The addresses of `countersign serve`, as it prints them, or logs them as JSON: tests let it choose its ports.
package struct ServedAddresses: Sendable, Equatable {
    /// The base of its addresses, as `https://localhost:8443`.
    package let issuer: String
    /// The address that it listens on, as `127.0.0.1:8443`.
    package let listening: String
    /// The address that it listens on for its operators, as `127.0.0.1:9090`; `nil` when there is none.
    package let operations: String?

    /// Reads what it has printed.
    ///
    /// - Parameter operations: Whether it was told to listen for its operators as well.
    /// - Returns: `nil` as long as it does not listen everywhere.
    package init?(printed: String, operations isAwaited: Bool) {
        guard
            let issuer = printed.firstMatch(
                of: /Countersign answers at ([^\s"]+?)(?: \(press Ctrl-C to stop\))?\.(?:\n|")/),
            let listening = printed.firstMatch(of: /It listens on ([^\s"]+)\.(?:\n|")/)
        else { return nil }
        let operations = printed.firstMatch(of: /Metrics and health are answered on ([^\s"]+)\.(?:\n|")/)
        guard !isAwaited || operations != nil else { return nil }
        self.issuer = String(issuer.1)
        self.listening = String(listening.1)
        self.operations = operations.map { String($0.1) }
    }
}
