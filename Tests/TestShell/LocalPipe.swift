internal import Foundation
internal import NIOConcurrencyHelpers

/// A pipe between a test and a program that it starts; what is still open of it is closed with it.
package final class LocalPipe: Sendable {
    package let readEnd: Int32
    package let writeEnd: Int32
    private let open: NIOLockedValueBox<Set<Int32>>

    package init() throws {
        // Writing to a program that has ended is no reason to end as well.
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
        let made = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #else
        // Ours alone from the first moment, so that no program that is started just then keeps it open.
        let made = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        #endif
        guard made == 0 else { throw RunningProgram.NotStarted(program: "", reason: String(cString: strerror(errno))) }
        (readEnd, writeEnd) = (ends[0], ends[1])
        open = NIOLockedValueBox(Set(ends))
    }

    deinit {
        closeReadEnd()
        closeWriteEnd()
    }

    package func closeReadEnd() { _ = close(readEnd) }

    /// - Returns: Whether it was open.
    @discardableResult
    package func closeWriteEnd() -> Bool { close(writeEnd) }

    /// Writes a text, unless nobody reads any more.
    package func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(writeEnd, $0.baseAddress, $0.count) }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }

    /// The lines that arrive until the last writer has closed its end.
    package var lines: AsyncStream<String> {
        let (lines, arriving) = AsyncStream.makeStream(of: String.self)
        // A thread of its own: reading waits.
        Thread.detachNewThread { [self] in
            var rest: [UInt8] = []
            var bytes = [UInt8](repeating: 0, count: 4096)
            while case let count = read(readEnd, &bytes, bytes.count), count > 0 {
                rest += bytes.prefix(count)
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    arriving.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeSubrange(...end)
                }
            }
            if !rest.isEmpty { arriving.yield(String(decoding: rest, as: UTF8.self)) }
            arriving.finish()
        }
        return lines
    }

    /// All that arrives until the last writer has closed its end; the thread waits.
    package func rest() -> String {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(readEnd, &bytes, bytes.count), count > 0 { all += bytes.prefix(count) }
        return String(decoding: all, as: UTF8.self)
    }

    private func close(_ end: Int32) -> Bool {
        open.withLockedValue { open in
            guard open.remove(end) != nil else { return false }
            _ = Foundation.close(end)
            return true
        }
    }
}
