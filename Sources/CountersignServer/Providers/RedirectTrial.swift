internal import CountersignTransport
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// The provider's answer to an authorization request that no person sees (`prompt=none`).
///
/// Standard: OpenID Connect Core 1.0 §3.1.2.1, §3.1.2.6: the error goes to the redirect URI, unless that is not
/// registered.
enum RedirectTrial: Sendable, Equatable {
    /// The answer goes to the redirect URI.
    case cameBack
    /// The provider shows an error.
    case refused(Int)
    /// It shows something else: not every provider knows `prompt=none`.
    case unknown(Int)

    /// Reads an answer.
    ///
    /// - Parameter isPosted: Whether the provider was asked to post its answer, by a page with a form.
    init(_ answer: HTTPAnswer, to redirectURI: String, isPosted: Bool) {
        let status = answer.response.status.code
        switch status {
        case 300..<400:
            let location = answer.response.headerFields[.location] ?? ""
            if Self.leads(location, to: redirectURI) {
                self = .cameBack
            } else {
                self = location.lowercased().contains("error") ? .refused(status) : .unknown(status)
            }
        case 400...: self = .refused(status)
        default:
            let page = String(decoding: answer.body, as: UTF8.self)
            self = isPosted && page.contains("action=\"\(redirectURI)\"") ? .cameBack : .unknown(status)
        }
    }

    private static func leads(_ location: String, to redirectURI: String) -> Bool {
        guard location.hasPrefix(redirectURI) else { return false }
        return ["?", "&", "#", nil].contains(location.dropFirst(redirectURI.count).first)
    }
}
