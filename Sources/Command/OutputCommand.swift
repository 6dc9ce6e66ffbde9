internal import ArgumentParser

/// A command that ends with one output.
protocol OutputCommand: AsyncParsableCommand {
    /// Whether it prints JSON.
    var json: Bool { get }

    /// Does its work.
    func output() async throws -> CommandOutput
}

extension OutputCommand {
    var json: Bool { false }

    func run() async throws {
        try await ending { try await output().print(asJSON: json) }
    }
}

/// The output of a command: as JSON with `--json`, and otherwise in words.
struct CommandOutput {
    private let json: (any Encodable)?
    private let words: String?
    private let error: (any Error)?

    init(_ json: OutputMembers, _ words: String?, endingBy error: (any Error)? = nil) {
        self.init(encoding: json, words, endingBy: error)
    }

    /// The output of a command that prints words in any case.
    init(words: String) {
        self.init(encoding: nil, words)
    }

    /// - Parameters:
    ///   - json: The value that is printed as JSON; `nil` for words in any case.
    ///   - words: The words; `nil` for none.
    ///   - error: The error with which the command ends after that.
    init(encoding json: (any Encodable)?, _ words: String?, endingBy error: (any Error)? = nil) {
        self.json = json
        self.words = words
        self.error = error
    }

    /// The output of a list: a table, or `none` where it is empty.
    init<Row>(_ rows: [Row], as json: (Row) -> some Encodable, in columns: Columns<Row>, none: String? = nil) {
        let table = OutputTable.text(of: rows, in: columns)
        self.init(encoding: rows.map(json), rows.isEmpty ? none ?? table : table)
    }

    func print(asJSON printsJSON: Bool) throws {
        if printsJSON, let json {
            try Terminal.sayJSON(json)
        } else if let words {
            Terminal.say(words)
        }
        if let error { throw error }
    }
}
