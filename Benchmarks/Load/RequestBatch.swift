internal import Foundation
internal import NIOConcurrencyHelpers
internal import Synchronization

/// Requests that were written beforehand, sent over some connections at once, each by a thread of its own.
///
/// Both sides share the machine, so the client does as little as it can: it writes bytes, and keeps those of the
/// answers.
struct RequestBatch: Sendable {
    /// The requests, each whole as it is sent.
    let requests: [String]
    let port: Int
    let connections: Int

    /// Sends all of them; each connection begins its next one when it has the answer to the one before.
    ///
    /// - Returns: The bodies of the answers, in the order of the requests.
    /// - Throws: ``BenchmarkFailure`` for a status other than 2xx, or a connection that broke off.
    func sent() async throws -> [[UInt8]] {
        let answers = NIOLockedValueBox([[UInt8]](repeating: [], count: requests.count))
        let failure = NIOLockedValueBox((any Error)?.none)
        let next = Atomic(0)
        await withCheckedContinuation { continuation in
            let group = DispatchGroup()
            for _ in 0..<min(connections, requests.count) {
                group.enter()
                Thread.detachNewThread {
                    defer { group.leave() }
                    do {
                        let connection = try BlockingConnection(port: port)
                        var own: [(Int, [UInt8])] = []
                        while true {
                            let place = next.add(1, ordering: .relaxed).oldValue
                            guard place < requests.count else { break }
                            own.append((place, try connection.answer(to: requests[place])))
                        }
                        answers.withLockedValue { for (place, answer) in own { $0[place] = answer } }
                    } catch {
                        failure.withLockedValue { $0 = error }
                    }
                }
            }
            group.notify(queue: .global()) { continuation.resume() }
        }
        if let failure = failure.withLockedValue({ $0 }) { throw failure }
        return answers.withLockedValue { $0 }
    }
}

/// A connection of one thread, which waits for each answer.
private final class BlockingConnection {
    private let socket: CInt
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    init(port: Int) throws {
        socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        let outcome = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard socket >= 0, outcome == 0 else { throw BenchmarkFailure("no connection: \(errno)") }
        var on: CInt = 1
        setsockopt(socket, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
    }

    deinit { close(socket) }

    /// Sends a request, and returns the body of its answer.
    func answer(to request: String) throws -> [UInt8] {
        var request = request
        let isSent = request.withUTF8 { send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) == $0.count }
        guard isSent else { throw BenchmarkFailure("a request could not be sent: \(errno)") }
        var length = 0
        while true {
            let count = buffer.withUnsafeMutableBytes {
                recv(socket, $0.baseAddress! + length, $0.count - length - 1, 0)
            }
            guard count > 0 else { throw BenchmarkFailure("a connection broke off: \(errno)") }
            length += count
            buffer[length] = 0
            guard let start = end(of: "\r\n\r\n") else { continue }
            var size = 0
            if let number = end(of: "\r\nContent-Length: ") {
                for digit in buffer[number...].prefix(while: { (0x30...0x39).contains($0) }) {
                    size = size * 10 + Int(digit - 0x30)
                }
            }
            guard length >= start + size else { continue }
            let body = Array(buffer[start..<start + size])
            guard buffer.starts(with: "HTTP/1.1 2".utf8) else {
                let head = String(decoding: buffer.prefix(40), as: UTF8.self)
                throw BenchmarkFailure("\(head): \(String(decoding: body.prefix(300), as: UTF8.self))")
            }
            return body
        }
    }

    /// The place behind the first `text` in the buffer, which ends with a zero, if it is there.
    private func end(of text: StaticString) -> Int? {
        buffer.withUnsafeBytes { bytes in
            let all = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
            return strstr(all, UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self))
                .map { UnsafePointer($0) - all + text.utf8CodeUnitCount }
        }
    }
}
