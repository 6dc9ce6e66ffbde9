internal import Foundation
internal import NIOConcurrencyHelpers

/// Reads standard input line by line. Unlike the C library's streams it reads on after Ctrl-D at a terminal.
final class StandardInput: Sendable {
    static let shared = StandardInput()

    /// The bytes that were read after the last line.
    private let rest = NIOLockedValueBox<[UInt8]>([])

    /// The next line without its end, or `nil` when the input has ended. Blocks the thread.
    ///
    /// - Throws: a ``CommandError`` for a line that is not UTF-8.
    func line() throws(CommandError) -> String? {
        guard let bytes = bytes() else { return nil }
        return try SuppliedText.text(bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes, of: "Standard input")
    }

    /// All bytes that are left, or those up to an empty line; what follows it is discarded. Blocks the thread.
    ///
    /// - Parameter endingAtEmptyLine: Whether an empty line ends them; `false` by default.
    /// - Throws: a ``CommandError`` for more than a mebibyte.
    func allBytes(endingAtEmptyLine: Bool = false) throws(CommandError) -> [UInt8] {
        var lines: [UInt8] = []
        while let line = bytes(), !line.isEmpty || !endingAtEmptyLine {
            lines += line + [UInt8(ascii: "\n")]
            guard lines.count <= 1 << 20 else { throw CommandError("Standard input is too long.") }
        }
        // No answer to a later question, which is read from a terminal.
        rest.withLockedValue { $0 = [] }
        return lines
    }

    private func bytes() -> ArraySlice<UInt8>? {
        rest.withLockedValue { rest in
            while true {
                if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { rest.removeSubrange(...end) }
                    return rest[..<end]
                }
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    defer { rest = [] }
                    return rest.isEmpty ? nil : rest[...]
                }
                rest += bytes.prefix(count)
            }
        }
    }
}
