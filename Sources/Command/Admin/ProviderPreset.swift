internal import ArgumentParser
internal import Countersign
internal import CountersignServer

/// What is known beforehand of some providers.
enum ProviderPreset: String, ExpressibleByArgument, CaseIterable {
    case apple, facebook, google, microsoft

    /// The provider's name as people know it.
    var displayName: String {
        switch self {
        case .apple: "Apple"
        case .facebook: "Facebook"
        case .google: "Google"
        case .microsoft: "Microsoft"
        }
    }

    /// The issuer.
    ///
    /// - Parameter tenant: The directory at Microsoft, whose people alone can sign in then.
    /// - Throws: A ``Failure`` without a tenant at Microsoft: tokens of all directories together have no one issuer.
    func issuer(tenant: String?) throws -> IdentityIssuer {
        switch self {
        case .apple: return IdentityIssuer("https://appleid.apple.com")
        case .facebook: return IdentityIssuer("https://www.facebook.com")
        case .google: return IdentityIssuer("https://accounts.google.com")
        case .microsoft:
            guard let tenant else {
                throw Failure("--preset microsoft needs --tenant, the identifier of a directory.", status: .usage)
            }
            return IdentityIssuer("https://login.microsoftonline.com/\(tenant)/v2.0")
        }
    }

    /// What this server asks of it.
    var scope: Scope { Scope(self == .apple ? [.email] : [.profile, .email]) }

    /// Whether it gives an e-mail address only in a posted answer.
    var postsAnswers: Bool { self == .apple }
}
