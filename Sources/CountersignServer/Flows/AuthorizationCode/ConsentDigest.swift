internal import Countersign

/// The digest of the content of a consent page, so that an answer approves nothing else: an app that registered itself
/// may change its registration while the page is open.
struct ConsentDigest: Sendable, Equatable {
    private static let parameter = LeadingParameter(name: "countersign_shown")

    private let digest: String

    /// The content that the page shows of a request.
    init(_ checked: CheckedAuthorizationRequest) {
        var shown = [checked.client.name, checked.scope.description, checked.answering.redirectURI]
        if let service = checked.request.service { shown += [service.purpose, "\(service.ends.numericDate)"] }
        digest = URLSafeText.encode(SecretDigest(of: shown.joined(separator: "\n")).bytes)
    }

    private init(digest: String) { self.digest = digest }

    /// The form field with the parameters of the request, and what the page showed of it.
    func marking(_ query: String) -> String { Self.parameter.adding(digest, to: query) }

    /// Splits such a form field; without a digest, `shown` is `nil`.
    static func split(_ field: String) -> (shown: ConsentDigest?, query: String) {
        let (digest, query) = parameter.split(field)
        return (digest.map { ConsentDigest(digest: $0) }, query)
    }
}
