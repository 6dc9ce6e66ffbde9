/// Example values of RFC 8628 (the device authorization grant).
enum RFC8628 {
    /// §3.1: the body of the request.
    static let requestForm = "client_id=1406020730&scope=example_scope"

    /// §3.2.
    static let response = """
        {
          "device_code": "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS",
          "user_code": "WDJB-MJHT",
          "verification_uri": "https://example.com/device",
          "verification_uri_complete":
              "https://example.com/device?user_code=WDJB-MJHT",
          "expires_in": 1800,
          "interval": 5
        }
        """

    /// §3.4: the body of the request, without the line breaks of the page.
    static let tokenForm = """
        grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code\
        &device_code=GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS\
        &client_id=1406020730
        """
}
