internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// Answers one request.
typealias Answering = @Sendable (Request, ServerRequestContext) async throws -> Response

extension RouterMethods where Context == ServerRequestContext {
    /// Mounts a protocol endpoint at `path`; every error is answered as an ``OAuthError``.
    ///
    /// Other methods get 405 with an `Allow` header.
    ///
    /// - Parameter pages: The origins whose web pages may call it; none by default.
    func endpoint(
        _ path: String,
        _ methods: [HTTPRequest.Method: Answering],
        from pages: CrossOriginAccess = .none
    ) {
        mount(
            path,
            methods.mapValues { pages.allowing(OAuthFailures.answering($0)) },
            preflight: pages.isEmpty ? nil : pages.preflight,
            otherwise: { _, allowed in try OAuthFailures.methodNotAllowed(allowed) }
        )
    }

    /// Mounts `methods` at `path`. A preflight request of a browser, which names an origin, is answered by `preflight`;
    /// every other method by `otherwise`, which gets the request and the value of the `Allow` header.
    ///
    /// - Parameter takesHead: Whether HEAD is answered as GET; `true` by default.
    func mount(
        _ path: String,
        _ methods: [HTTPRequest.Method: Answering],
        takingHead takesHead: Bool = true,
        preflight: Answering? = nil,
        otherwise: @escaping @Sendable (Request, String) async throws -> Response
    ) {
        let head = takesHead ? methods[.get] : nil
        let methods = methods.merging(head.map { [.head: $0] } ?? [:]) { first, _ in first }
        let allowed = methods.keys.map(\.rawValue).sorted().joined(separator: ", ")
        let path = RouterPath(path)
        for (method, answer) in methods { on(path, method: method, use: answer) }
        if let preflight, methods[.options] == nil {
            on(path, method: .options) { request, context in
                guard request.headers[.origin] != nil else { return try await otherwise(request, allowed) }
                return try await preflight(request, context)
            }
        }
        // All others: see ``OtherMethodResponder``.
        on(path, method: .trace) { request, _ in try await otherwise(request, allowed) }
    }
}
