internal import Countersign

/// What a consent page showed, so that an answer to it approves nothing else: an app that registered itself may change its
/// registration while the page is open.
struct ShownConsent: Sendable, Equatable {
    private static let field = "countersign_shown"

    private let digest: String

    /// What the page shows of a request.
    init(_ checked: CheckedAuthorizationRequest) {
        let shown = [checked.client.name, checked.scope.description, checked.answering.redirectURI]
        digest = URLSafeText.encode(SecretDigest(of: shown.joined(separator: "\n")).bytes)
    }

    private init(digest: String) { self.digest = digest }

    /// The form field with the parameters of the request, and what the page showed of it.
    func marking(_ query: String) -> String { "\(Self.field)=\(digest)&\(query)" }

    /// Takes such a form field apart; `nil` in place of what was shown when it does not say so.
    static func split(_ field: String) -> (shown: ShownConsent?, query: String) {
        let prefix = "\(Self.field)="
        guard field.hasPrefix(prefix) else { return (nil, field) }
        let rest = field.dropFirst(prefix.count)
        let digest = rest.prefix { $0 != "&" }
        return (ShownConsent(digest: String(digest)), String(rest.dropFirst(digest.count + 1)))
    }
}
