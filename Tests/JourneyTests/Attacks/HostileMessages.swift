/// A hostile message to one address of the server.
struct HostileMessage: Sendable, CustomStringConvertible {
    let description: String
    let bytes: [UInt8]
    /// Whether the server may also take it for a harmless request.
    var mayPass = false
    /// Whether it names the server's first page, whatever the address that it was made for.
    var isForFirstPage = false
    /// Whether it names no path, so that no page refuses it.
    var isForNoPath = false
}

/// All of it.
enum HostileMessages {
    /// Messages to the address `path` of a server that calls itself `host`; the body in small chunks has 100,000 bytes,
    /// `chunkSize` in each.
    static func all(to path: String, at host: String, chunkSize: Int = 1) -> [HostileMessage] {
        let address = Address(path: path, host: host, chunkSize: chunkSize)
        return address.methods + address.targets + address.versions + address.fields + address.lengths
            + address.chunks + address.bodies
    }
}

private struct Address {
    let path: String
    let host: String
    let chunkSize: Int

    private var form: String { "Host: \(host)\r\nContent-Type: application/x-www-form-urlencoded\r\n" }

    private func message(_ name: String, _ parts: [UInt8]..., mayPass: Bool = false) -> HostileMessage {
        HostileMessage(description: name, bytes: parts.reduce(into: []) { $0 += $1 }, mayPass: mayPass)
    }

    private func get(_ name: String, _ target: [UInt8], mayPass: Bool = true) -> HostileMessage {
        message(name, Array("GET ".utf8), target, Array(" HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8), mayPass: mayPass)
    }

    private func getFirstPage(_ name: String, _ target: String) -> HostileMessage {
        var message = get(name, target)
        message.isForFirstPage = true
        return message
    }

    private func getNoPath(_ name: String, _ target: String) -> HostileMessage {
        var message = get(name, target, mayPass: false)
        message.isForNoPath = true
        return message
    }

    private func get(_ name: String, _ target: String, mayPass: Bool = true) -> HostileMessage {
        get(name, Array(target.utf8), mayPass: mayPass)
    }

    private func post(_ name: String, _ fields: String, _ body: [UInt8]) -> HostileMessage {
        message(name, Array("POST \(path) HTTP/1.1\r\n\(fields)\r\n".utf8), body)
    }

    private func post(_ name: String, _ fields: String, _ body: String) -> HostileMessage {
        post(name, fields, Array(body.utf8))
    }

    // MARK: The first line

    var methods: [HostileMessage] {
        let names: [(String, String)] = [
            ("TRACE", "TRACE"), ("CONNECT", "CONNECT"), ("a method that nobody knows", "BREW"),
            ("a small method", "get"),
            ("HTTP/2’s own method", "PRI"), ("a method with a NUL", "G\0T"), ("a method of 5 KB", repeated("A", 5_000)),
            ("a method of WebDAV", "PROPFIND"), ("an empty method", ""),
        ]
        return names.map { message($0.0, Array("\($0.1) \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)) }
    }

    var targets: [HostileMessage] {
        [
            get("a percent sign alone in the query", "\(path)?x=%"),
            get("a percent escape that is none", "\(path)?x=%zz&user_code=%g1"),
            get("an escape that is no UTF-8", "\(path)?user_code=%ff%fe&return_to=%c0%af"),
            get("an escaped NUL in the query", "\(path)?user_code=%00&return_to=%00"),
            get("a parameter named twice in the query", "\(path)?user_code=B&user_code=C"),
            get(
                "an escaped line break in the query",
                "\(path)?return_to=/account%0d%0aSet-Cookie:%20a=b&user_code=%0d%0a"),
            get("a percent sign alone in the path", "\(path)%", mayPass: false),
            get("an escaped NUL in the path", "\(path)%00", mayPass: false),
            get("an escaped way up", "\(path)/%2e%2e/%2e%2e/etc/passwd", mayPass: false),
            get("bytes that are no UTF-8 in the path", Array(path.utf8) + [0xFF, 0xFE], mayPass: false),
            get("a control character in the path", "\(path)\u{1}", mayPass: false),
            get("a space in the path", "\(path) x", mayPass: false),
            get("two spaces before the path", " \(path)"),
            get("a fragment", "\(path)#x"),
            get("a whole address", "http://evil.test\(path)"),
            getFirstPage("a whole address without a path", "http://evil.test"),
            getFirstPage("a whole address without a host", "http://"),
            get("a host and a port only", "evil.test:443", mayPass: false),
            get("two slashes", "//evil.test\(path)"),
            getNoPath("a star", "*"),
            get("no address", "", mayPass: false),
            get("a path of 90 KB", "\(path)\(repeated("a", 90_000))", mayPass: false),
            get("a path of 70 KB", "\(path)\(repeated("/a", 35_000))", mayPass: false),
            get("a query of 70 KB", "\(path)?user_code=\(repeated("B", 70_000))"),
            get("15,000 parameters in the query", "\(path)?\(repeated("a=b&", 15_000))"),
        ]
    }

    var versions: [HostileMessage] {
        [
            message("HTTP/0.9", Array("GET \(path)\r\n\r\n".utf8)),
            message("HTTP/1.0", Array("GET \(path) HTTP/1.0\r\nHost: \(host)\r\n\r\n".utf8), mayPass: true),
            message("a version of 2.0", Array("GET \(path) HTTP/2.0\r\nHost: \(host)\r\n\r\n".utf8)),
            message("a version of 9.9", Array("GET \(path) HTTP/9.9\r\nHost: \(host)\r\n\r\n".utf8)),
            message("no version that can be read", Array("GET \(path) HTTP/x\r\nHost: \(host)\r\n\r\n".utf8)),
            message("HTTP/2 as it begins", Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)),
            message("TLS", [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03] + Array("\r\n".utf8)),
            message("nothing but zeros", [UInt8](repeating: 0, count: 1_000)),
            message("lines that end with a line feed only", Array("GET \(path) HTTP/1.1\nHost: \(host)\n\n".utf8)),
        ]
    }

    // MARK: The fields

    private func field(_ name: String, _ line: [UInt8], mayPass: Bool = true) -> HostileMessage {
        message(
            name,
            Array("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n".utf8),
            line,
            Array("\r\n\r\n".utf8),
            mayPass: mayPass
        )
    }

    private func field(_ name: String, _ line: String, mayPass: Bool = true) -> HostileMessage {
        field(name, Array(line.utf8), mayPass: mayPass)
    }

    var fields: [HostileMessage] {
        [
            field("a folded field", "X: a\r\n b", mayPass: false),
            field("a space before the colon", "X : a", mayPass: false),
            field("a field without a name", ": a", mayPass: false),
            field("a line without a colon", "nonsense", mayPass: false),
            field("a carriage return in a field", "X: a\rb", mayPass: false),
            field("a NUL in a field", "X: a\0b", mayPass: false),
            field("a field of a megabyte", "X: \(repeated("a", 1_000_000))", mayPass: false),
            field("a name of a megabyte", "\(repeated("a", 1_000_000)): x", mayPass: false),
            field("5,000 fields", repeated("X: a\r\n", 5_000) + "X: a", mayPass: false),
            field("900 fields with cookies", repeated("Cookie: a=b\r\n", 900) + "X: a"),
            field("15,000 cookies", "Cookie: \(repeated("a=b; ", 15_000))"),
            field("a cookie that is no UTF-8", Array("Cookie: ".utf8) + [0xFF, 0xFE] + Array("=\u{1F600}; ;;==".utf8)),
            field("a cookie of ours with 60 KB", "Cookie: countersign-80=\(repeated("a", 60_000))"),
            field("nonsense for who is asking", "Authorization: Basic \(repeated("=", 200))"),
            field("60 KB for who is asking", "Authorization: Bearer \(repeated("a", 60_000))"),
            field("two who are asking", "Authorization: Bearer a\r\nAuthorization: Basic YTpi"),
            field("a proxy’s words that are none", "X-Forwarded-For: \(repeated("::,", 10_000))"),
            field("nonsense preferences", "Prefer: wait=99999999999999999999, \(repeated("\"", 999)), wait=\"\\"),
            field("ranges", "Range: bytes=\(repeated("0-1,", 5_000))"),
            field("an upgrade", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x"),
            field("a web socket", "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x"),
            field("the last one, in capitals", "Connection: CLOSE"),
        ]
    }

    // MARK: The framing

    var lengths: [HostileMessage] {
        let body = "client_id=nobody"
        let wrong: [(String, String)] = [
            ("no length", ""), ("a negative length", "Content-Length: -1\r\n"),
            ("a length of 10 GB", "Content-Length: 9999999999\r\n"),
            ("a length beyond numbers", "Content-Length: 99999999999999999999\r\n"),
            ("a length in hexadecimal", "Content-Length: 0x10\r\n"),
            ("a length with a sign", "Content-Length: +16\r\n"),
            ("a list of lengths", "Content-Length: 16, 16\r\n"), ("an empty length", "Content-Length:\r\n"),
            ("a length twice", "Content-Length: 16\r\nContent-Length: 16\r\n"),
            ("two lengths", "Content-Length: 16\r\nContent-Length: 17\r\n"),
            ("a length too short", "Content-Length: 3\r\n"), ("a length too long", "Content-Length: 50\r\n"),
            ("an expectation", "Content-Length: 16\r\nExpect: 100-continue\r\n"),
            ("an expectation that nobody knows", "Content-Length: 16\r\nExpect: a miracle\r\n"),
            ("a body that says it is compressed", "Content-Length: 16\r\nContent-Encoding: gzip\r\n"),
        ]
        return wrong.map { post($0.0, form + $0.1, body) }
    }

    var chunks: [HostileMessage] {
        let chunked = form + "Transfer-Encoding: chunked\r\n"
        let whole = "10\r\nclient_id=nobody\r\n0\r\n\r\n"
        return [
            post("a length and chunks", chunked + "Content-Length: 16\r\n", whole),
            post("chunks and a length", form + "Content-Length: 16\r\nTransfer-Encoding: chunked\r\n", whole),
            post("chunks with HTTP/1.0’s length", form + "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n", whole),
            post("a chunk without a size", chunked, "zz\r\nclient_id=nobody\r\n0\r\n\r\n"),
            post("a chunk longer than its size", chunked, "3\r\nclient_id=nobody\r\n0\r\n\r\n"),
            post("a chunk of more than there is", chunked, "ffffffffffffffffff\r\nclient_id=nobody"),
            post("a chunk with a negative size", chunked, "-10\r\nclient_id=nobody\r\n0\r\n\r\n"),
            post(
                "a chunk with 200 KB of extensions", chunked,
                "10;\(repeated("x", 200_000))\r\nclient_id=nobody\r\n0\r\n\r\n"),
            post("small chunks", chunked, smallChunks + "0\r\n\r\n"),
            post("a length after the chunks", chunked, "10\r\nclient_id=nobody\r\n0\r\nContent-Length: 5\r\n\r\n"),
            post(
                "3,000 fields after the chunks", chunked,
                "10\r\nclient_id=nobody\r\n0\r\n\(repeated("X: y\r\n", 3_000))\r\n"),
            post("chunks in a wrapping", form + "Transfer-Encoding: gzip, chunked\r\n", whole),
            post("chunks inside a wrapping", form + "Transfer-Encoding: chunked, gzip\r\n", whole),
            post("chunks twice", chunked + "Transfer-Encoding: chunked\r\n", whole),
            post("a coding that nobody knows", form + "Transfer-Encoding: xchunked\r\n", whole),
            post("a coding in disguise", form + "Transfer-Encoding:\u{B}chunked\r\n", whole),
            post("chunks that break off", chunked, "10\r\nclient"),
        ]
    }

    private var smallChunks: String {
        let chunk = "\(String(chunkSize, radix: 16))\r\n\(repeated("a", chunkSize))\r\n"
        return repeated(chunk, 100_000 / chunkSize)
    }

    // MARK: The body

    var bodies: [HostileMessage] {
        let types: [(String, String)] = [
            ("no type", ""), ("JSON", "Content-Type: application/json\r\n"), ("text", "Content-Type: text/plain\r\n"),
            ("parts", "Content-Type: multipart/form-data; boundary=x\r\n"),
            ("a type that is none", "Content-Type: /;=\r\n"),
            ("an odd character set", "Content-Type: application/x-www-form-urlencoded; charset=utf-7\r\n"),
            ("two types", "Content-Type: application/x-www-form-urlencoded\r\nContent-Type: application/json\r\n"),
        ]
        let contents: [(String, [UInt8])] = [
            ("a parameter named twice", Array("client_id=nobody&client_id=nobody".utf8)),
            ("bytes that are no UTF-8", Array("client_id=nobody&x=".utf8) + [0xFF, 0xFE]),
            ("escapes that are no UTF-8", Array("client_id=nobody&x=%ff%fe%c0%af%ed%a0%80".utf8)),
            ("escapes that are none", Array("client_id=nobody&x=%&y=%zz".utf8)),
            ("NUL bytes", Array("client_id=nobody\0&x=\0".utf8)),
            ("escaped NUL bytes", Array("client_id=nobody%00&x=%00".utf8)),
            ("a thousand parameters", Array((0..<1_000).map { "p\($0)=1" }.joined(separator: "&").utf8)),
            ("nothing but separators", Array(repeated("&=", 30_000).utf8)),
            ("a megabyte", Array("client_id=nobody&x=\(repeated("a", 1_000_000))".utf8)),
            ("three megabytes", Array("client_id=nobody&x=\(repeated("a", 3_000_000))".utf8)),
            ("deep JSON", Array(repeated("[", 60_000).utf8)),
            ("an empty body", []),
        ]
        let typed = types.map { name, line in
            post("a body of \(name)", "Host: \(host)\r\n\(line)Content-Length: 16\r\n", "client_id=nobody")
        }
        let filled = contents.map { post("\($0.0) in a form", form + "Content-Length: \($0.1.count)\r\n", $0.1) }
        let objects: [(String, [UInt8])] = [
            ("deep JSON", Array(repeated("{\"a\":", 12_000).utf8)),
            ("JSON that breaks off", Array("{\"client_id\":\"nobody".utf8)),
            ("an array of JSON", Array("[{\"client_id\":\"nobody\"}]".utf8)),
            ("numbers of JSON", Array("{\"client_id\":1e999,\"domain\":-0}".utf8)),
            ("a member named twice", Array("{\"client_id\":\"a\",\"client_\\u0069d\":\"b\"}".utf8)),
            ("half a character", Array("{\"client_id\":\"\\ud800\"}".utf8)),
            ("bytes that are no UTF-8", Array("{\"client_id\":\"".utf8) + [0xFF, 0xFE] + Array("\"}".utf8)),
            ("NUL bytes", Array("{\"client_id\":\"\0\"}".utf8)),
            ("ten thousand members", Array("{\((0..<10_000).map { "\"\($0)\":\"\"" }.joined(separator: ","))}".utf8)),
            ("JSON of a megabyte", Array("{\"client_id\":\"\(repeated("a", 1_000_000))\"}".utf8)),
        ]
        let json = objects.map { name, bytes in
            let fields = "Host: \(host)\r\nContent-Type: application/json\r\nContent-Length: \(bytes.count)\r\n"
            return post("\(name) as JSON", fields, bytes)
        }
        return typed + filled + json
    }
}

/// `text` many times.
func repeated(_ text: String, _ times: Int) -> String {
    let text = Array(text.utf8)
    // One character is by far the most frequent, and megabytes of it.
    if text.count == 1 { return String(decoding: [UInt8](repeating: text[0], count: times), as: UTF8.self) }
    var all: [UInt8] = []
    all.reserveCapacity(text.count * times)
    for _ in 0..<times { all += text }
    return String(decoding: all, as: UTF8.self)
}
