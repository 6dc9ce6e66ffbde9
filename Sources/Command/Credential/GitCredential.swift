internal import Countersign
internal import CountersignWire
internal import Foundation

/// The description of a credential that git writes to a helper, and the helper's answer.
///
/// Standard: gitcredentials(7), git-credential(1).
struct GitCredential: Sendable, Equatable {
    /// The names of the attributes.
    private enum Attribute {
        static let (scheme, host, username, password) = ("protocol", "host", "username", "password")
        static let (credential, authtype, expiry) = ("credential", "authtype", "password_expiry_utc")
        static let (capability, challenge, state) = ("capability[]", "wwwauth[]", "state[]")
    }

    /// The capabilities that this helper has.
    private enum Capability {
        static let (authtype, state) = ("authtype", "state")
    }

    /// The beginning of this helper's own state, which has the digest of the token that was answered before.
    private static let ownState = "countersign.token="

    /// The host that is to get the credential.
    let origin: CredentialOrigin
    /// The user name in the address; `nil` for none.
    let username: String?
    /// The secret that was refused or accepted; `nil` in a request for one.
    let presented: String?
    /// The digest of the token that was answered before in this conversation; `nil` in its first request.
    let answered: String?
    private let capabilities: Set<String>
    /// The challenges of the host.
    private let challenges: [String]

    /// Reads the attributes, up to an empty line.
    ///
    /// A carriage return or a zero in a line, a host that is named twice, one that is no UTF-8, and one that is missing
    /// make the whole description unusable: they are how a host pretends to be another one (CVE-2020-5260, CVE-2020-11008,
    /// CVE-2024-52006). Another value may be any bytes, such as a challenge or a path in Latin-1: a user name or a secret
    /// that is no UTF-8 counts as absent.
    init?(_ bytes: [UInt8]) {
        var single: [String: String] = [:]
        var lists: [String: [String]] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            guard !line.isEmpty else { break }
            guard !line.contains(0), !line.contains(UInt8(ascii: "\r")),
                let equals = line.firstIndex(of: UInt8(ascii: "="))
            else { return nil }
            let (name, value) = (String(decoding: line[..<equals], as: UTF8.self), line[equals...].dropFirst())
            if name.hasSuffix("[]") {
                // An empty value begins the list anew. A challenge counts by its scheme, whatever its realm is.
                let text = String(decoding: value, as: UTF8.self)
                if text.isEmpty { lists[name] = [] } else { lists[name, default: []].append(text) }
            } else {
                let text = String(validating: value, as: UTF8.self)
                if [Attribute.scheme, Attribute.host].contains(name) {
                    guard single[name] == nil, text != nil else { return nil }
                }
                single[name] = text
            }
        }
        guard let scheme = single[Attribute.scheme], let host = single[Attribute.host],
            let origin = CredentialOrigin(scheme: scheme, authority: host)
        else { return nil }
        self.origin = origin
        username = single[Attribute.username].flatMap { $0.isEmpty ? nil : $0 }
        presented = single[Attribute.credential] ?? single[Attribute.password]
        capabilities = Set(lists[Attribute.capability] ?? [])
        challenges = lists[Attribute.challenge] ?? []
        answered =
            (lists[Attribute.state] ?? []).compactMap { state in
                state.hasPrefix(Self.ownState) ? String(state.dropFirst(Self.ownState.count)) : nil
            }.first
    }

    /// Whether git sends a token under its own scheme, and the host takes that.
    private var takesBearer: Bool {
        guard capabilities.contains(Capability.authtype) else { return false }
        // The space ends a scheme without parameters.
        return challenges.isEmpty
            || challenges.contains { AuthenticationChallenge.parameters(of: "bearer", in: "\($0) ") != nil }
    }

    /// The lines that answer with a token.
    ///
    /// The first answer is not final if git keeps a state: when the host refuses the token, git asks again in the same run,
    /// and gets a new one.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - username: The user name where git sends a name and a password.
    func answer(_ token: ProgramToken, username: String) -> String {
        var lines: [(String, String)] = []
        let keepsState = capabilities.contains(Capability.state)
        if takesBearer { lines.append((Attribute.capability, Capability.authtype)) }
        if keepsState { lines.append((Attribute.capability, Capability.state)) }
        if takesBearer {
            lines += [(Attribute.authtype, "Bearer"), (Attribute.credential, token.revealed), ("ephemeral", "1")]
        } else {
            lines += [(Attribute.username, username), (Attribute.password, token.revealed)]
        }
        if let expires = token.expires {
            lines.append((Attribute.expiry, String(expires.numericDate)))
        }
        if keepsState {
            lines.append((Attribute.state, Self.ownState + token.digest))
            if answered == nil { lines.append(("continue", "1")) }
        }
        return lines.map { "\($0.0)=\($0.1)\n" }.joined()
    }

    /// The answer to the question for capabilities.
    static let capabilities = "version 0\ncapability \(Capability.authtype)\ncapability \(Capability.state)\n"

    /// The answer that keeps git from asking for a password.
    static let refusal = "quit=1\n"
}
