internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// `/activate`: a person brings the code that a screen shows, by typing it or by a link.
///
/// Opening a link does nothing; only the form that follows takes the request.
/// Standard: RFC 8628 §3.3, §3.3.1.
struct ActivatePage: Sendable {
    let pages: PageRoutes
    let store: any Store
    let keys: KeyRing
    let clock: ServerClock
    let limits: Limits
    let sight: AddressSight

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("activate", [.get: show, .post: take], on: router)
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.person(visiting: request)
        let query = request.uri.queryParameters
        if query["not_mine"] != nil {
            return try pages.html(entry(for: visitor, notice: CodeEntryView.notMyScreen))
        }
        // A plus in a query stands for a space.
        guard let text = query["user_code"].map({ String($0).replacing("+", with: " ") }) else {
            return try pages.html(entry(for: visitor))
        }
        guard let code = UserCode(parsing: text) else {
            return try pages.html(entry(for: visitor, typed: text, problem: Self.unreadable))
        }
        return try pages.html(
            LinkArrivalView(
                personName: visitor.person.name,
                formToken: visitor.formToken.revealed,
                userCode: code.description
            )
        )
    }

    private func take(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        let typed = form["user_code"] ?? ""
        guard let code = UserCode(parsing: typed) else {
            return try pages.html(
                entry(for: visitor, typed: typed, problem: Self.unreadable),
                status: .unprocessableContent
            )
        }
        let proof: Evidence.Proof = form["by_link"] == nil ? .codeTyped : .linkOpened
        let address = context.address(of: request, by: sight)
        guard try await take(code, for: visitor, proving: Evidence([proof]), from: address) else {
            return try pages.html(
                entry(for: visitor, typed: code.description, problem: Self.unknown),
                status: .unprocessableContent
            )
        }
        return pages.redirect(to: "/activate/confirm?user_code=\(code)")
    }

    /// Binds the request to its visitor; whether there is one to bind. Wrong, expired and used codes look alike.
    private func take(
        _ code: UserCode,
        for visitor: SignedInVisitor,
        proving evidence: Evidence,
        from address: String?
    ) async throws -> Bool {
        let digest = try await keys.current().digest(of: code)
        let now = clock.now()
        let guesses: [Tally] = [
            .address(.userCodePerAddress, address),
            .subject(.userCodePerAccount, visitor.person.subject),
            .overall(.userCodeOverall),
        ]
        return try await store.change { [limits] repositories in
            try limits.admit(guesses, in: repositories)
            guard var stored = try repositories.exchanges.find(digest) else {
                try limits.count(guesses, in: repositories)
                return false
            }
            do {
                try stored.exchange.take(by: visitor.session.approver, proving: evidence, at: now)
            } catch is TakingRefused {
                // Whoever goes back to what they decided themselves has not guessed.
                if stored.exchange.decider != visitor.person.subject { try limits.count(guesses, in: repositories) }
                return false
            }
            try limits.admitAndCount([Tally(limit: .takingPerCode, whom: stored.id.rawValue)], in: repositories)
            try repositories.exchanges.update(stored)
            try repositories.record(
                AuditEntry.Facts(
                    at: now,
                    .taken,
                    by: .person,
                    subject: visitor.person.subject,
                    client: stored.exchange.request.client.value,
                    request: stored.id,
                    address: address,
                    detail: Self.origin(of: stored.exchange.request)
                )
            )
            return true
        }
    }

    /// When a request was made and from where.
    private static func origin(of request: SignInRequest) -> String {
        let asked = "asked \(request.asked.value.formatted(.iso8601))"
        return request.address.map { "\(asked) from \($0.value)" } ?? asked
    }

    private static let unreadable = "A code has eight letters, like WDJB-MJHT. Check what your screen shows."
    private static let unknown = "That code doesn’t work. Check what your screen shows, or let it show a new one."

    private func entry(
        for visitor: SignedInVisitor,
        typed: String = "",
        notice: String? = nil,
        problem: String? = nil
    ) -> CodeEntryView {
        CodeEntryView(
            personName: visitor.person.name,
            formToken: visitor.formToken.revealed,
            userCode: String(typed.prefix(40)),
            notice: notice,
            problem: problem
        )
    }
}
