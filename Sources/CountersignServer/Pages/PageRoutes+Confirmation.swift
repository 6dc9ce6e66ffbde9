internal import CountersignWire
internal import Hummingbird

/// Acts that end, remove or replace something for good ask once, on a page of their own. The handler of the form asks after
/// it knows the person and before it changes anything, and answers with the page where there is one.
extension PageRoutes {
    /// The page that asks before the act of a form; `nil` for a form that the person confirmed.
    ///
    /// - Parameters:
    ///   - act: The act, read only where the page asks; `nil` where there is nothing to lose.
    ///   - form: The submitted form, whose fields the page repeats.
    ///   - request: The request with the form.
    ///   - visitor: The person at their browser.
    func question(
        before act: @autoclosure () async throws -> DestructiveAct?, _ form: Form, of request: Request,
        by visitor: SignedInVisitor
    ) async throws -> Response? {
        guard !form.isConfirmed, let act = try await act() else { return nil }
        return try question(
            before: act, form, sentTo: String(request.uri.path.dropFirst(issuer.path.count)), by: visitor)
    }

    /// The page that asks before the act of a form that it sends to a path below the issuer.
    func question(
        before act: DestructiveAct, _ form: Form, sentTo path: String, by visitor: SignedInVisitor
    ) throws -> Response {
        try html(
            ConfirmationView(
                act, of: form, sentTo: path, personName: visitor.person.name,
                formToken: visitor.formToken.revealed))
    }
}
