internal import Countersign
internal import FoundationEssentialsCompat

/// The state of a browser's request, as its page shows it.
enum BrowserSignInState: Sendable {
    /// The browser has none.
    case absent
    /// No answer yet.
    case waiting(SignInExchangeRecord)
    /// A person approved, who may sign in.
    case approved(Approval)
    /// A person denied, took the approval back, or may not sign in.
    case denied
    /// Its time is over.
    case expired
    /// The browser gave it up.
    case cancelled
    /// It signed the browser in.
    case redeemed

    /// An approval that is not redeemed yet.
    struct Approval: Sendable {
        let stored: SignInExchangeRecord
        let grant: Grant
        let person: Person
    }
}

extension SignInExchangeRecord {
    /// The entity tag of the page while the request waits: it changes with the link and with the number.
    func pageTag(at now: Date) -> String {
        let shown = [terms.freshLink?.mark(at: now).rawValue, numberToShow(at: now)?.rawValue]
        let text = "\(id) " + shown.map { $0 ?? "" }.joined(separator: " ")
        // The digest covers the code of the request, so that nobody finds the number by trying all.
        return "\"\(URLSafeText.encode(SecretDigest(of: requestCode.bytes + Array(text.utf8)).bytes.prefix(16)))\""
    }
}
