/// The head of a request that a browser sends to a port of this machine.
///
/// Standard: RFC 9112 §2, §3.
struct RedirectRequest: Sendable, Equatable {
    /// The longest head that is read, in bytes.
    static let longest = 16_384

    /// The result of reading what has arrived so far.
    enum ReadingResult: Sendable, Equatable {
        /// The head is not complete.
        case incomplete
        /// It is no head of HTTP/1.1, or too long.
        case malformed
        case request(RedirectRequest)
    }

    /// The method, such as `GET`.
    let method: String
    /// Path and query.
    let target: String
    /// The value of the `Host` field; `nil` when there is none, or more than one.
    let host: String?

    /// Reads the bytes that have arrived.
    static func read(_ bytes: some Collection<UInt8>) -> ReadingResult {
        let head = bytes.prefix(longest)
        guard let end = endOfHead(Array(head)) else { return bytes.count >= longest ? .malformed : .incomplete }
        let lines = head.prefix(end).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
        guard let line = lines.first, let words = text(line)?.split(separator: " ", omittingEmptySubsequences: false),
            words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0", words[1].hasPrefix("/")
        else { return .malformed }
        var hosts: [String] = []
        for line in lines.dropFirst() {
            guard let text = text(line), let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
                return .malformed
            }
            guard text[..<colon].lowercased() == "host" else { continue }
            hosts.append(String(text[text.index(after: colon)...].trimmed))
        }
        let host = hosts.count == 1 ? hosts.first : nil
        return .request(RedirectRequest(method: String(words[0]), target: String(words[1]), host: host))
    }

    /// Whether it asks for `path` at `authority`, by GET.
    func asks(for path: String, at authority: String) -> Bool {
        method == "GET" && host == authority && (target == path || target.hasPrefix("\(path)?"))
    }

    /// The number of bytes before the empty line that ends a head; `nil` when there is none yet.
    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let end = Array("\r\n\r\n".utf8)
        guard bytes.count >= end.count else { return nil }
        return (0...(bytes.count - end.count)).first { bytes[$0..<$0 + end.count].elementsEqual(end) }
    }

    /// A line as text; `nil` unless it is printable ASCII.
    private static func text(_ line: some Collection<UInt8>) -> String? {
        guard line.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else { return nil }
        return String(decoding: line, as: UTF8.self)
    }
}

extension Substring {
    /// The text without spaces and tabs at its ends.
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return start.prefix(0) }
        return start[...last]
    }
}
