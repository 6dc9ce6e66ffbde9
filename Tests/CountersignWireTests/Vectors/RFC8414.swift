/// Example values of RFC 8414 (authorization server metadata).
enum RFC8414 {
    /// §3.1: an issuer, and where its metadata are.
    static let places: [(issuer: String, place: String)] = [
        ("https://example.com", "https://example.com/.well-known/oauth-authorization-server"),
        ("https://example.com/issuer1", "https://example.com/.well-known/oauth-authorization-server/issuer1"),
    ]

    /// §3.2.
    static let metadata = """
        {
          "issuer":
            "https://server.example.com",
          "authorization_endpoint":
            "https://server.example.com/authorize",
          "token_endpoint":
            "https://server.example.com/token",
          "token_endpoint_auth_methods_supported":
            ["client_secret_basic", "private_key_jwt"],
          "token_endpoint_auth_signing_alg_values_supported":
            ["RS256", "ES256"],
          "userinfo_endpoint":
            "https://server.example.com/userinfo",
          "jwks_uri":
            "https://server.example.com/jwks.json",
          "registration_endpoint":
            "https://server.example.com/register",
          "scopes_supported":
            ["openid", "profile", "email", "address",
             "phone", "offline_access"],
          "response_types_supported":
            ["code", "code token"],
          "service_documentation":
            "http://server.example.com/service_documentation.html",
          "ui_locales_supported":
            ["en-US", "en-GB", "en-CA", "fr-FR", "fr-CA"]
        }
        """
}

/// Example values of RFC 7662 (token introspection).
enum RFC7662 {
    /// §2.2.
    static let active = """
        {
          "active": true,
          "client_id": "l238j323ds-23ij4",
          "username": "jdoe",
          "scope": "read write dolphin",
          "sub": "Z5O3upPC88QrAjx00dis",
          "aud": "https://protected.example.net/resource",
          "iss": "https://server.example.com/",
          "exp": 1419356238,
          "iat": 1419350238,
          "extension_field": "twenty-seven"
        }
        """

    /// §2.2.
    static let inactive = """
        {
          "active": false
        }
        """
}
