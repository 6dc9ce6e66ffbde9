internal import NIOCore
internal import NIOHTTP1

/// Turns requests into HTTP/1.1 with a target in origin form, which is all that later handlers know.
///
/// The host of an absolute target replaces the value of `Host`. A target in another form becomes empty, so that it is
/// refused: the codec below would take the path out of `ftp://example.com/jwks`. For a request by HTTP/1.0:
///
/// - Without `Connection: keep-alive` it is the last one on its connection, so `Connection: close` is added.
/// - With it, on a connection that began so, the answer says `Connection: keep-alive`, unless the server closes the
///   connection.
/// - If it has no `Host`, the server's own is added.
/// - `Expect` is removed.
///
/// Standard: RFC 9112 §3.2, §3.2.2, §3.2.4, §9.3; RFC 9110 §10.1.1.
final class RequestNormalizer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let authority: String
    private var isFirst = true
    /// The handler of answers; `nil` on a connection that began with HTTP/1.1.
    private var answers: HTTP10Answers?

    init(authority: String) {
        self.authority = authority
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        if isFirst, head.version == .http1_0 {
            let answers = HTTP10Answers()
            try? context.pipeline.syncOperations.addHandler(answers, position: .before(self))
            self.answers = answers
        }
        isFirst = false
        let isAbsolute = head.uri.utf8.first != UInt8(ascii: "/")
        guard isAbsolute || head.version == .http1_0 || answers != nil else { return context.fireChannelRead(data) }
        if head.version == .http1_0 {
            normalizeVersion(of: &head)
        } else {
            answers?.expect(keepAlive: false)
        }
        if isAbsolute { normalizeTarget(of: &head) }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    private func normalizeVersion(of head: inout HTTPRequestHead) {
        let isKeptAlive = head.isKeepAlive && answers != nil
        answers?.expect(keepAlive: isKeptAlive)
        if !isKeptAlive {
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        }
        if !head.headers.contains(name: "Host") { head.headers.add(name: "Host", value: authority) }
        head.headers.remove(name: "Expect")
    }

    /// Leaves the `Host` unchanged when it is not one well-formed field, so that the request is refused later.
    private func normalizeTarget(of head: inout HTTPRequestHead) {
        guard head.uri != "*" else { return }
        guard let target = AbsoluteTarget(head.uri) else {
            head.uri = ""
            return
        }
        head.uri = target.path
        guard head.headers["Host"].count == 1, HostField.isWellFormed(head.headers["Host"][0]) else { return }
        head.headers.replaceOrAdd(name: "Host", value: target.authority)
    }
}

/// Adds `Connection: keep-alive` to the answers to requests by HTTP/1.0 after which the connection stays open.
///
/// Standard: RFC 9112 §9.3.
private final class HTTP10Answers: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Whether the answers to the requests that are not answered yet have the field.
    private var expected = CircularBuffer<Bool>()

    func expect(keepAlive: Bool) {
        expected.append(keepAlive)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), head.status.code >= 200, expected.popFirst() == true else {
            return context.write(data, promise: promise)
        }
        if !head.headers.contains(name: "Connection") { head.headers.add(name: "Connection", value: "keep-alive") }
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}

/// A request target in absolute form, of a web server.
///
/// Standard: RFC 9112 §3.2.2.
private struct AbsoluteTarget {
    let authority: String
    /// Path and query, as in origin form.
    let path: String

    init?(_ text: String) {
        guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else { return nil }
        let rest = text.dropFirst(scheme.count)
        authority = String(rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" })
        let path = rest.dropFirst(authority.count).prefix { $0 != "#" }
        self.path = path.hasPrefix("/") ? String(path) : "/\(path)"
    }
}
