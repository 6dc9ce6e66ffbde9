/// Example values of RFC 6749 (OAuth 2.0), and of RFC 7617 (Basic) and RFC 6750 (Bearer) beside it.
enum RFC6749 {
    /// §2.3.1: the header of a confidential client.
    static let basicHeader = "Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3"
    static let client = "s6BhdRkqt3"
    static let secret = "7Fjfp0ZBr1KtDRbnfVdmIw"

    /// §4.4.2.
    static let clientCredentialsForm = "grant_type=client_credentials"

    /// §5.1.
    static let tokenResponse = """
        {
          "access_token":"2YotnFZFEjr1zCsicMWpAA",
          "token_type":"example",
          "expires_in":3600,
          "refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA",
          "example_parameter":"example_value"
        }
        """

    /// §5.2.
    static let errorResponse = """
        {
          "error":"invalid_request"
        }
        """

    /// §6.
    static let refreshForm = "grant_type=refresh_token&refresh_token=tGzv3JOkF0XG5Qx2TlKWIA"

    /// Appendix B: a space, then `%&+`, a pound sign and a euro sign.
    static let plainValue = " %&+\u{A3}\u{20AC}"
    static let encodedValue = "+%25%26%2B%C2%A3%E2%82%AC"
}

/// Example values of RFC 7617 (the Basic scheme).
enum RFC7617 {
    /// §2: user `Aladdin`, password `open sesame`.
    static let section2 = "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
    /// §2.1: user `test`, password `123` and a pound sign, in UTF-8.
    static let section2_1 = "Basic dGVzdDoxMjPCow=="
}

/// Example values of RFC 6750 (bearer tokens).
enum RFC6750 {
    /// §2.1.
    static let header = "Bearer mF_9.B5f-4.1JqM"
    static let token = "mF_9.B5f-4.1JqM"
}
