internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire

/// The known settings of some providers.
enum ProviderPreset: String, ExpressibleByArgument, CaseIterable {
    case apple, facebook, google, microsoft
    case facebookGraph = "facebook-graph"
    case twitter, x

    /// The provider's name as people know it.
    var displayName: String {
        switch self {
        case .apple: "Apple"
        case .facebook, .facebookGraph: "Facebook"
        case .google: "Google"
        case .microsoft: "Microsoft"
        case .twitter, .x: "X"
        }
    }

    /// Whether it speaks OpenID Connect; the others are queried about each token.
    var isOpenID: Bool {
        switch self {
        case .apple, .facebook, .google, .microsoft: true
        case .facebookGraph, .twitter, .x: false
        }
    }

    /// The issuer. It is the same wherever one provider names the same people.
    ///
    /// - Parameter tenant: The directory at Microsoft, whose people alone can sign in then.
    /// - Throws: A ``CommandError`` without a tenant at Microsoft: tokens of all directories together have no one
    ///   issuer.
    func issuer(tenant: String?) throws -> IdentityIssuer {
        switch self {
        case .apple: return IdentityIssuer("https://appleid.apple.com")
        case .facebook, .facebookGraph: return IdentityIssuer("https://www.facebook.com")
        case .google: return IdentityIssuer("https://accounts.google.com")
        case .microsoft: return try MicrosoftTenant.issuer(tenant)
        case .twitter, .x: return IdentityIssuer("https://x.com")
        }
    }

    /// The default host of a provider that is queried about each token.
    var host: String {
        switch self {
        case .facebookGraph: "https://graph.facebook.com"
        case .apple, .facebook, .google, .microsoft, .twitter, .x: "https://api.x.com"
        }
    }

    /// The scope that this server asks of an OpenID provider.
    var scope: Scope { Scope(self == .apple ? [.email] : [.profile, .email]) }

    /// Whether it gives an e-mail address only in a posted answer.
    var postsAnswers: Bool { self == .apple }
}

/// A directory at Microsoft.
private enum MicrosoftTenant {
    /// The issuer of a directory.
    ///
    /// Tokens name the identifier of their directory, also where the metadata were read under a name of it. `common`
    /// and `organizations` are all directories together, so the owner of any directory could name people.
    static func issuer(_ tenant: String?) throws -> IdentityIssuer {
        let tenant = try tenant.or(usage: "--preset microsoft needs --tenant, the identifier of a directory.")
        switch tenant.lowercased() {
        case "common", "organizations":
            throw CommandError.usage(
                """
                --tenant \(tenant) stands for all directories, whose tokens have no one issuer. Name one directory by its \
                identifier, and add a provider for each.
                """
            )
        case "consumers":
            throw CommandError.usage(
                "--tenant \(tenant): the directory of personal accounts is 9188040d-6c67-4c5b-b112-36a304b66dad.")
        default: break
        }
        guard isIdentifier(tenant) else {
            throw CommandError.usage(
                """
                --tenant is the identifier of a directory, such as 9188040d-6c67-4c5b-b112-36a304b66dad: its tokens name \
                that, and no domain.
                """
            )
        }
        return IdentityIssuer("https://login.microsoftonline.com/\(tenant.lowercased())/v2.0")
    }

    private static func isIdentifier(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && parts.joined().utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
            }
    }
}
