/// A parser, and what must be true of it for any input.
struct Parser: Sendable {
    let name: String
    let trial: @Sendable ([UInt8]) -> Void

    static var all: [Parser] {
        codes + parties + columns + http + credentials + requests + crossPlatform + answers + clients + tokens
            + discovery
            + nearby + oauth1 + authenticator + secondFactors
    }

    /// A parser of text; input that is no UTF-8 is repaired, as it is where text comes from outside.
    init(_ name: String, text trial: @escaping @Sendable (String) -> Void) {
        self.name = name
        self.trial = { trial(String(decoding: $0, as: UTF8.self)) }
    }

    /// A parser of bytes.
    init(_ name: String, bytes trial: @escaping @Sendable ([UInt8]) -> Void) {
        self.name = name
        self.trial = trial
    }
}

/// Ends the run with a finding, unless `holds`.
func expect(_ holds: @autoclosure () -> Bool, _ promise: @autoclosure () -> String) {
    // A precondition would print no message in a release build.
    guard holds() else { fatalError("A promise is broken: \(promise())") }
}

extension String {
    /// Whether it is printable ASCII, without quotes and backslashes where a header or log could not hold them.
    var isPrintable: Bool { utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}
