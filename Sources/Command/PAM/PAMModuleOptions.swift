/// The options on a line of the module, as `PAM/pam_countersign.c` reads them.
struct PAMModuleOptions: Sendable, Equatable {
    /// The program that the module starts.
    private(set) var command = "/usr/bin/countersign"
    /// The time limit of the module, in seconds.
    private(set) var timeout = 120

    /// The longest time limit, in seconds.
    static let longestTimeout = 600

    /// The error of an option that the module refuses, and everybody with it.
    struct RefusedError: Error, Sendable, Equatable {
        let option: String
    }

    /// Reads the words after the module's name.
    init(_ words: [String]) throws(RefusedError) {
        for word in words {
            if word.hasPrefix("command=/") {
                command = String(word.dropFirst("command=".count))
            } else if word.hasPrefix("timeout="), let seconds = Int(word.dropFirst("timeout=".count)),
                (1...Self.longestTimeout).contains(seconds)
            {
                timeout = seconds
            } else {
                throw RefusedError(option: word)
            }
        }
    }
}
