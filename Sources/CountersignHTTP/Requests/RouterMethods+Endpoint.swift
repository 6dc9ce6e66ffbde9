internal import CountersignWire
package import HTTPTypes
package import Hummingbird
internal import Logging

/// Answers a request.
package typealias Answering = @Sendable (Request, ServerRequestContext) async throws -> Response

extension RouterMethods where Context == ServerRequestContext {
    /// Mounts an endpoint for programs at `path`.
    ///
    /// Other methods get 405 with an `Allow` header.
    ///
    /// - Parameters:
    ///   - pages: The origins of web pages that may call it; none by default.
    ///   - form: The form of its errors; that of OAuth by default.
    package func endpoint(
        _ path: String,
        _ methods: [HTTPRequest.Method: Answering],
        from pages: CrossOriginAccess = .none,
        failingAs form: any ErrorForm.Type = OAuthErrorForm.self
    ) {
        mount(
            path,
            methods.mapValues { pages.allowing(form.answering($0)) },
            preflight: pages.isEmpty ? nil : pages.preflight,
            failing: { form.answering($0) }
        )
    }

    /// Mounts `methods` at `path`. A preflight request of a browser, which names an origin, is answered by `preflight`;
    /// every other method by ``MethodNotAllowedError``, and a request that ``RequestGate`` refuses by its refusal.
    ///
    /// - Parameters:
    ///   - takesHead: Whether HEAD is answered as GET; `true` by default.
    ///   - failing: Wraps the answer to other methods, so that the error takes its form.
    package func mount(
        _ path: String,
        _ methods: [HTTPRequest.Method: Answering],
        takingHead takesHead: Bool = true,
        preflight: Answering? = nil,
        failing: (@escaping Answering) -> Answering
    ) {
        let head = takesHead ? methods[.get] : nil
        let methods = methods.merging(head.map { [.head: $0] } ?? [:]) { first, _ in first }
        let allowed = methods.keys.map(\.rawValue).sorted().joined(separator: ", ")
        let refuse = failing { _, context in
            if let refusal = context.refusal { throw refusal }
            throw MethodNotAllowedError(allowed: allowed)
        }
        let path = RouterPath(path)
        for (method, answer) in methods { on(path, method: method, use: answer) }
        if let preflight, methods[.options] == nil {
            on(path, method: .options) { request, context in
                guard request.headers[.origin] != nil else { return try await refuse(request, context) }
                return try await preflight(request, context)
            }
        }
        // All others: see ``OtherMethodResponder``.
        on(path, method: .trace, use: refuse)
    }
}
