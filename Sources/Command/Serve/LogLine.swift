internal import Countersign
internal import CountersignServer
internal import Foundation
internal import Logging

/// The form of the log's lines.
enum LogForm: String, CaseIterable, Sendable {
    /// `time=… level=info message="…" key=value`
    case text
    /// One JSON object per line.
    case json

    /// Tells an address of a service: the person who started it on standard output, or the log if its lines are JSON.
    ///
    /// - Parameters:
    ///   - sentence: The sentence without its period.
    ///   - hint: The end of the sentence for the person; empty by default.
    ///   - logger: The log of the service.
    func tell(_ sentence: String, hint: String = "", or logger: Logger) {
        switch self {
        case .text: Terminal.say("\(sentence)\(hint).")
        case .json: logger.notice("\(sentence).")
        }
    }
}

/// Writes each event of the log as one line on standard error.
struct LogLines: LogHandler {
    let form: LogForm
    var logLevel: Logger.Level = .info
    var metadata: Logger.Metadata = [:]
    /// Names the request, for loggers that do not know it.
    var metadataProvider: Logger.MetadataProvider? = .request

    init(_ form: LogForm) {
        self.form = form
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        if let error = event.error, all["error"] == nil { all["error"] = "\(error)" }
        let line = LogLine(
            time: TimeSource.system.now(), level: event.level, message: event.message.description, metadata: all)
        try? FileHandle.standardError.write(contentsOf: Data(line.written(as: form).utf8))
    }
}

/// One event of the log.
struct LogLine {
    let time: Date
    let level: Logger.Level
    let message: String
    let metadata: Logger.Metadata

    /// Hummingbird's name for what we call a request.
    private static let names = ["hb.request.id": "request_id"]

    /// The line with its line break. Text from outside cannot break it in two.
    func written(as form: LogForm) -> String {
        var fields: [(name: String, value: String)] = [
            ("time", time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            ("level", level.rawValue),
            ("message", message),
        ]
        for key in metadata.keys.sorted() {
            fields.append((Self.names[key] ?? key, metadata[key].map { "\($0)" } ?? ""))
        }
        switch form {
        case .text:
            return fields.map { "\($0.name)=\(Self.plain($0.value))" }.joined(separator: " ") + "\n"
        case .json:
            return "{" + fields.map { "\(Self.quoted($0.name)):\(Self.quoted($0.value))" }.joined(separator: ",")
                + "}\n"
        }
    }

    /// The value, in quotes unless it is one word.
    private static func plain(_ value: String) -> String {
        let isWord = value.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
        }
        return isWord && !value.isEmpty ? value : quoted(value)
    }

    /// The value in quotes, with an escape in place of each character that is unsafe to show.
    ///
    /// Standard: RFC 8259 §7.
    static func quoted(_ value: String) -> String {
        var quoted = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.isUnsafeToShow:
                // A character above U+FFFF has an escape for each half of its surrogate pair.
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
