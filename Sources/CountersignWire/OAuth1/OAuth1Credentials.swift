/// A secret that a client or token shares with a server, of OAuth 1.
///
/// Standard: RFC 5849 §1.1.
public struct OAuth1Secret: Secret {
    /// The secret in the clear.
    public let revealed: String
    public init(revealing text: String) { revealed = text }
}

/// Names temporary or token credentials in requests (`oauth_token`). It is no secret: a secret goes with it.
///
/// Standard: RFC 5849 §1.1.
public struct OAuth1Token: Identifier {
    /// The wire form of the identifier.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The credentials that a provider gave an app at its registration: identifier and shared secret ("consumer key and
/// secret").
///
/// Standard: RFC 5849 §1.1.
public struct ClientCredentials: Sendable, Equatable {
    /// The identifier (`oauth_consumer_key`).
    public let client: ClientID
    /// The shared secret; empty for a client that signs by RSA.
    public let secret: OAuth1Secret

    /// The credentials of a client.
    public init(client: ClientID, secret: OAuth1Secret) {
        self.client = client
        self.secret = secret
    }
}

/// The credentials that represent a person's permission in requests: identifier and shared secret ("access token and
/// secret").
///
/// Standard: RFC 5849 §1.1, §2.3.
public struct TokenCredentials: Sendable, Equatable {
    /// The identifier (`oauth_token`).
    public let token: OAuth1Token
    /// The shared secret (`oauth_token_secret`).
    public let secret: OAuth1Secret

    /// The credentials of a token.
    public init(token: OAuth1Token, secret: OAuth1Secret) {
        self.token = token
        self.secret = secret
    }

    /// Reads the answer of a provider; the caller handles other parameters.
    ///
    /// - Throws: ``OAuth1Error`` `malformed` without `oauth_token` or `oauth_token_secret`.
    ///
    /// Standard: RFC 5849 §2.3.
    public init(form: Form) throws(OAuth1Error) {
        guard let token = form["oauth_token"], let secret = form["oauth_token_secret"] else {
            throw OAuth1Error(.malformed, because: "the answer has no token or no secret")
        }
        self.init(token: OAuth1Token(token), secret: OAuth1Secret(revealing: secret))
    }

    /// The wire form of an answer.
    public var form: Form { ["oauth_token": token.rawValue, "oauth_token_secret": secret.revealed] }
}

/// The credentials of a request for permission until the person has decided ("request token and secret").
///
/// Standard: RFC 5849 §1.1, §2.1.
package struct TemporaryCredentials: Sendable, Equatable {
    /// Identifier and secret, for the request that follows.
    package let credentials: TokenCredentials

    package init(_ credentials: TokenCredentials) { self.credentials = credentials }

    /// Reads the answer of a provider.
    ///
    /// - Throws: ``OAuth1Error`` `malformed` without token or secret, or without `oauth_callback_confirmed=true`,
    ///   which distinguishes providers of OAuth 1.0a from those open to session fixation.
    ///
    /// Standard: RFC 5849 §2.1.
    package init(form: Form) throws(OAuth1Error) {
        guard form["oauth_callback_confirmed"] == "true" else {
            throw OAuth1Error(.malformed, because: "the callback is not confirmed")
        }
        credentials = try TokenCredentials(form: form)
    }

    /// The wire form of an answer.
    package var form: Form {
        var form = credentials.form
        form["oauth_callback_confirmed"] = "true"
        return form
    }
}
