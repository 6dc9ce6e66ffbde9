/// The examples of RFC 7591, "OAuth 2.0 Dynamic Client Registration Protocol", with its extension member.
enum RFC7591 {
    /// §3.1, a registration request.
    static let request = """
        {
         "redirect_uris": [
           "https://client.example.org/callback",
           "https://client.example.org/callback2"],
         "client_name": "My Example Client",
         "client_name#ja-Jpan-JP":
            "\\u30AF\\u30E9\\u30A4\\u30A2\\u30F3\\u30C8\\u540D",
         "token_endpoint_auth_method": "client_secret_basic",
         "logo_uri": "https://client.example.org/logo.png",
         "jwks_uri": "https://client.example.org/my_public_keys.jwks",
         "example_extension_parameter": "example_value"
        }
        """
}

/// The examples of RFC 7592, "OAuth 2.0 Dynamic Client Registration Management Protocol".
enum RFC7592 {
    /// §3, what a client is told.
    static let answer = """
        {
         "registration_access_token": "reg-23410913-abewfq.123483",
         "registration_client_uri":
            "https://server.example.com/register/s6BhdRkqt3",
         "client_id": "s6BhdRkqt3",
         "client_secret": "cf136dc3c1fc93f31185e5885805d",
         "client_id_issued_at": 2893256800,
         "client_secret_expires_at": 2893276800,
         "client_name": "My Example Client",
         "redirect_uris": [
           "https://client.example.org/callback",
           "https://client.example.org/callback2"],
         "grant_types": ["authorization_code", "refresh_token"],
         "token_endpoint_auth_method": "client_secret_basic",
         "logo_uri": "https://client.example.org/logo.png",
         "jwks_uri": "https://client.example.org/my_public_keys.jwks"
        }
        """

    /// §2.2, a client's new metadata.
    static let update = """
        {
         "client_id": "s6BhdRkqt3",
         "client_secret": "cf136dc3c1fc93f31185e5885805d",
         "redirect_uris": [
           "https://client.example.org/callback",
           "https://client.example.org/alt"],
         "grant_types": ["authorization_code", "refresh_token"],
         "token_endpoint_auth_method": "client_secret_basic",
         "jwks_uri": "https://client.example.org/my_public_keys.jwks",
         "client_name": "My New Example",
         "client_name#fr": "Mon Nouvel Exemple",
         "logo_uri": "https://client.example.org/newlogo.png"
        }
        """
}
