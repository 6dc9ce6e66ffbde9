internal import CoreMetrics
package import Countersign
package import HTTPTypes
package import Hummingbird
internal import Logging

/// Routes that count and time their requests, with labels that are fixed when a route is mounted.
package struct MeasuredRoutes: RouterMethods {
    package typealias Context = ServerRequestContext

    private let base: any RouterMethods<ServerRequestContext>
    private let metrics: ServerMetrics
    private let clock: TimeSource

    package init(base: any RouterMethods<ServerRequestContext>, metrics: ServerMetrics, clock: TimeSource) {
        self.base = base
        self.metrics = metrics
        self.clock = clock
    }

    @discardableResult
    package func on<Responder: HTTPResponder>(
        _ path: RouterPath,
        method: HTTPRequest.Method,
        responder: Responder
    ) -> Self where Responder.Context == ServerRequestContext {
        let text = path.description
        let route = RouteMeter(
            route: text.hasPrefix("/") ? text : "/\(text)",
            // Requests with another method come as TRACE: see ``OtherMethodResponder``.
            method: method == .trace ? "other" : method.rawValue,
            metrics: metrics
        )
        base.on(path, method: method, responder: MeasuredResponder(base: responder, route: route, clock: clock))
        return self
    }

    @discardableResult
    package func add(middleware: any MiddlewareProtocol<Request, Response, ServerRequestContext>) -> Self {
        _ = base.add(middleware: middleware)
        return self
    }
}

private struct MeasuredResponder<Base: HTTPResponder<ServerRequestContext>>: HTTPResponder {
    let base: Base
    let route: RouteMeter
    let clock: TimeSource

    func respond(to request: Request, context: ServerRequestContext) async throws -> Response {
        let began = clock.instant()
        let measured = route.begin(
            request.headers, from: context.channel.remoteAddress?.ipAddress, since: began)
        let context = measured.span.map(context.logging) ?? context
        do {
            var response = try await measured.span.run {
                try await base.respond(to: request, context: context)
            }
            measured.end(
                response.status, isHeld: context.wasHeld, at: clock.instant(), logger: context.logger)
            if response.status.code >= 500 { response.headers[.xRequestID] = context.requestID }
            return response
        } catch {
            let status = (error as? any HTTPResponseError)?.status ?? .internalServerError
            measured.end(status, isHeld: false, at: clock.instant(), logger: context.logger)
            throw error
        }
    }
}
