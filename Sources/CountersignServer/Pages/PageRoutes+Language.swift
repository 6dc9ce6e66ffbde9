internal import Hummingbird

/// The language of pages: that of the app's request, then of the browser, then of the operator; and the time zone of
/// their reader.
extension PageRoutes {
    /// Runs `answer` with the language of the request, and a note of the time zone of its person.
    ///
    /// Standard: RFC 9110 §12.5.4.
    func inLanguage(of request: Request, _ answer: () async throws -> Response) async throws -> Response {
        let ranges = LanguageRanges(parsing: request.headers[values: .acceptLanguage])
        let preferred = PageLanguage(preferred: ranges, otherwise: language)
        return try await ReaderZone.$ofRequest.withValue(ReaderZone()) {
            try await PageLanguage.$ofRequest.withValue(preferred ?? language, operation: answer)
        }
    }

    /// The language of the current request, for a mail that it causes.
    var languageOfRequest: PageLanguage { PageLanguage.ofRequest ?? language }

    /// The language of `ui_locales` in a request; `nil` for none with texts.
    ///
    /// Standard: OpenID Connect Core 1.0 §3.1.2.1.
    func language(wantedBy request: AuthorizationRequest) -> PageLanguage? {
        request.locales.flatMap { PageLanguage(preferred: LanguageRanges(locales: $0), otherwise: language) }
    }
}
