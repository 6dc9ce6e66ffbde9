internal import CountersignWire
internal import Hummingbird

/// The language of pages: the one that an app asked for, then the one that the browser prefers, then the operator's.
extension PageRoutes {
    /// Runs `answer` so that the pages that it makes are in the language of the request.
    ///
    /// Standard: RFC 9110 §12.5.4.
    func inLanguage(of request: Request, _ answer: () async throws -> Response) async throws -> Response {
        let ranges = LanguageRanges(parsing: request.headers[values: .acceptLanguage])
        let preferred = PageLanguage(preferred: ranges, otherwise: language)
        return try await PageLanguage.$ofRequest.withValue(preferred ?? language, operation: answer)
    }

    /// The language that an app asks for with `ui_locales`; `nil` when it names none of ours.
    ///
    /// Standard: OpenID Connect Core 1.0 §3.1.2.1.
    func language(wantedBy request: AuthorizationRequest) -> PageLanguage? {
        request.locales.flatMap { PageLanguage(preferred: LanguageRanges(locales: $0), otherwise: language) }
    }
}
