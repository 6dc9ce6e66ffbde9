/// A refusal by a browser or its driver, in the driver's own words.
struct WebDriverError: Error, Equatable, CustomStringConvertible {
    /// The error code of the standard, for instance `no such element`.
    ///
    /// Standard: W3C WebDriver, Errors.
    let code: String

    /// The driver's explanation.
    let reason: String

    /// The command that was refused, for instance `POST /element`.
    let command: String

    var description: String { "\(command): \(code): \(reason)" }
}

extension WebDriverError {
    static let noSuchElement = "no such element"
    static let staleElementReference = "stale element reference"

    static func unexpectedAnswer(_ answer: String, to command: String) -> WebDriverError {
        WebDriverError(code: "unexpected answer", reason: answer, command: command)
    }

    static func notStarted(_ reason: String) -> WebDriverError {
        WebDriverError(code: "not started", reason: reason, command: "chromedriver")
    }
}
