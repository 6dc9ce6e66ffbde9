internal import Foundation
internal import NIOConcurrencyHelpers

/// Reads standard input line by line. Unlike the C library's streams it reads on after Ctrl-D at a terminal.
final class StandardInput: Sendable {
    static let shared = StandardInput()

    /// What was read after the last line.
    private let rest = NIOLockedValueBox<[UInt8]>([])

    /// The next line without its end, or `nil` when the input has ended. Blocks the thread.
    func line() -> String? {
        rest.withLockedValue { rest in
            while true {
                if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { rest.removeSubrange(...end) }
                    return Self.text(rest[..<end])
                }
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    defer { rest = [] }
                    return rest.isEmpty ? nil : Self.text(rest[...])
                }
                rest += bytes.prefix(count)
            }
        }
    }

    private static func text(_ line: ArraySlice<UInt8>) -> String {
        String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
}
