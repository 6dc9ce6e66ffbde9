/// Example values of RFC 7515 (JSON Web Signature). Lines end in CR and LF, as its Appendix A says.
enum RFC7515 {
    /// Appendix A.1.1; the same payload serves A.3.
    static let payload = "{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n \"http://example.com/is_root\":true}"

    /// Appendix A.1: signed by HS256.
    static let headerOfA1 = "{\"typ\":\"JWT\",\r\n \"alg\":\"HS256\"}"
    static let tokenOfA1 = """
        eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9\
        .eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ\
        .dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk
        """
    /// A.1.1, as the list of octets begins and ends.
    static let signatureOfA1 = (first: [116, 24, 223, 180] as [UInt8], last: [88, 83, 132, 141, 121] as [UInt8])

    /// Appendix A.3: signed by ES256.
    static let headerOfA3 = "{\"alg\":\"ES256\"}"
    static let tokenOfA3 = """
        eyJhbGciOiJFUzI1NiJ9\
        .eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ\
        .DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q
        """
    /// A.3.1: the two numbers of the signature.
    static let signatureOfA3: [UInt8] = [
        14, 209, 33, 83, 121, 99, 108, 72, 60, 47, 127, 21, 88, 7, 212, 2, 163, 178, 40, 3, 58, 249, 124, 126, 23,
        129, 154, 195, 22, 158, 166, 101, 197, 10, 7, 211, 140, 60, 112, 229, 216, 241, 45, 175, 8, 74, 84, 128, 166,
        101, 144, 197, 242, 147, 80, 154, 143, 63, 127, 138, 131, 163, 84, 213,
    ]
}

/// Example values of RFC 7517 (JSON Web Key).
enum RFC7517 {
    static let x = "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4"
    static let y = "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"
    static let modulus = """
        0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4\
        n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0\
        zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-c\
        sFCur-kEgU8awapJzKnqDKgw
        """

    /// Appendix A.1.
    static let keySet = """
        {"keys":
          [
            {"kty":"EC",
             "crv":"P-256",
             "x":"\(x)",
             "y":"\(y)",
             "use":"enc",
             "kid":"1"},

            {"kty":"RSA",
             "n": "\(modulus)",
             "e":"AQAB",
             "alg":"RS256",
             "kid":"2011-04-29"}
          ]
        }
        """
}
