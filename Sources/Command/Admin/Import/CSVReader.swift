/// Reads rows of comma-separated values one after the other; empty lines are skipped.
///
/// Standard: RFC 4180. Lines may end with LF alone.
struct CSVReader {
    struct Row: Equatable {
        /// The number of the row's first line, from 1.
        let line: Int
        let fields: Result<[String], ImportLineError>
    }

    private let bytes: [UInt8]
    private var place = 0
    private var line = 1

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next row; `nil` at the end.
    mutating func next() -> Row? {
        while let byte = current, byte == Self.lineFeed || byte == Self.carriageReturn { step() }
        guard current != nil else { return nil }
        let first = line
        var fields: [String] = []
        var problem: ImportLineError?
        while true {
            switch field() {
            case .success(let field): fields.append(field)
            case .failure(let error): problem = problem ?? error
            }
            guard current == Self.comma else { break }
            step()
        }
        if current == Self.carriageReturn { step() }
        if current == Self.lineFeed { step() }
        return Row(line: first, fields: problem.map { .failure($0) } ?? .success(fields))
    }

    private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

    private var endsField: Bool {
        guard let byte = current else { return true }
        guard byte == Self.carriageReturn else { return byte == Self.comma || byte == Self.lineFeed }
        return place + 1 == bytes.count || bytes[place + 1] == Self.lineFeed
    }

    private mutating func step() {
        if bytes[place] == Self.lineFeed { line += 1 }
        place += 1
    }

    private mutating func field() -> Result<String, ImportLineError> {
        current == Self.quote ? quoted() : plain()
    }

    private mutating func plain() -> Result<String, ImportLineError> {
        let start = place
        while !endsField { step() }
        let field = bytes[start..<place]
        guard !field.contains(Self.quote) else {
            return .failure(ImportLineError("A field with a quote has quotes around it, and the quote twice."))
        }
        return Self.text(field)
    }

    private mutating func quoted() -> Result<String, ImportLineError> {
        var field: [UInt8] = []
        step()
        while let byte = current {
            step()
            guard byte == Self.quote else {
                field.append(byte)
                continue
            }
            guard current == Self.quote else {
                guard !endsField else { return Self.text(field[...]) }
                while !endsField { step() }
                return .failure(ImportLineError("There is text behind a closing quote."))
            }
            field.append(byte)
            step()
        }
        return .failure(ImportLineError("A quote is never closed; nothing was read after it."))
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> Result<String, ImportLineError> {
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            return .failure(ImportLineError("It is not UTF-8."))
        }
        return .success(text)
    }
}
