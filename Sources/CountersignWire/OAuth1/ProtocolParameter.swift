/// The parameters that have a meaning in the standard.
///
/// Standard: RFC 5849 §3.1, §2.1, §2.2.
enum ProtocolParameter: Int, CaseIterable {
    case client, token, method, signature, timestamp, nonce, version, callback, verifier

    /// The parameter of an encoded name; `nil` for all other names.
    init?(encoded name: UnsafeBufferPointer<UInt8>) {
        // Length and the first letter behind `oauth_` leave one of them.
        guard name.count > 6 else { return nil }
        let letter = name[6]
        let candidate: ProtocolParameter
        switch name.count {
        case 18: candidate = .client
        case 11: candidate = letter == UInt8(ascii: "t") ? .token : .nonce
        case 22: candidate = .method
        case 15: candidate = letter == UInt8(ascii: "s") ? .signature : .timestamp
        case 13: candidate = .version
        case 14: candidate = letter == UInt8(ascii: "c") ? .callback : .verifier
        default: return nil
        }
        guard candidate.isName(name) else { return nil }
        self = candidate
    }

    /// Whether an encoded name is that of the parameter: none of them has an escape.
    func isName(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let own = self.name
        guard own.utf8CodeUnitCount == name.count else { return false }
        for place in name.indices where own.utf8Start[place] != name[place] { return false }
        return true
    }

    private var name: StaticString {
        switch self {
        case .client: "oauth_consumer_key"
        case .token: "oauth_token"
        case .method: "oauth_signature_method"
        case .signature: "oauth_signature"
        case .timestamp: "oauth_timestamp"
        case .nonce: "oauth_nonce"
        case .version: "oauth_version"
        case .callback: "oauth_callback"
        case .verifier: "oauth_verifier"
        }
    }
}
