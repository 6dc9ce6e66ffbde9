internal import Countersign

/// A line to the PAM module, which shows or logs it, or asks the person at the application.
///
/// Documentation/HostSignIn.md describes the lines; `PAM/pam_countersign.c` reads them.
enum PAMLine: Sendable, Equatable {
    /// A text for the person, who need not answer.
    case info(String)
    /// A text to which the person types a line, often an empty one.
    case prompt(String)
    /// A sentence for the system's log.
    case log(String)
    /// A sentence for the system's log, as an error.
    case logError(String)
    /// The last line.
    case verdict(PAMVerdict)

    /// The line without its end.
    var text: String {
        switch self {
        case .info(let text): "info \(Self.escaped(text))"
        case .prompt(let text): "prompt \(Self.escaped(text))"
        case .log(let text): "log \(Self.escaped(text.shown))"
        case .logError(let text): "log-error \(Self.escaped(text.shown))"
        case .verdict(let verdict): verdict.rawValue
        }
    }

    /// Writes the line at once.
    func send() { Terminal.say(text) }

    /// The text in one line: a backslash and the end of a line are two characters.
    static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\r\n", with: "\\n").replacing("\n", with: "\\n")
    }

    /// The text that a line stands for; `nil` for another escape.
    static func unescaped(_ line: String) -> String? {
        var (text, isEscaped) = ("", false)
        for character in line {
            switch (isEscaped, character) {
            case (false, "\\"):
                isEscaped = true
                continue
            case (false, _): text.append(character)
            case (true, "n"): text.append("\n")
            case (true, "\\"): text.append("\\")
            case (true, _): return nil
            }
            isEscaped = false
        }
        return isEscaped ? nil : text
    }
}

/// The decision about a person at an application of the system; the PAM module returns a code for each.
enum PAMVerdict: String, Sendable, Hashable {
    /// The right person approved, with the evidence that the service demands (`PAM_SUCCESS`).
    case success
    /// Nobody approved, or not the right person (`PAM_AUTH_ERR`).
    case denied
    /// The server is away (`PAM_AUTHINFO_UNAVAIL`).
    case unavailable
    /// The user or the service is not asked for here (`PAM_USER_UNKNOWN`).
    case unknown
    /// The set-up is wrong (`PAM_SERVICE_ERR`).
    case failed
}
