import Countersign
import CountersignTesting
import Testing

@testable import CountersignWire

@Suite("The credentials of a client")
struct PresentedCredentialsTests {
    @Test func `are read from the header of RFC 6749`() throws {
        let credentials = try presented(RFC6749.basicHeader)
        #expect(credentials == presented(RFC6749.client, RFC6749.secret, .clientSecretBasic))
        let header = PresentedCredentials.basicHeader(
            client: ClientID(RFC6749.client),
            secret: ClientSecret(revealing: RFC6749.secret)
        )
        #expect(header == RFC6749.basicHeader)
    }

    @Test func `are read from the headers of RFC 7617`() throws {
        #expect(try presented(RFC7617.section2) == presented("Aladdin", "open sesame", .clientSecretBasic))
        #expect(try presented(RFC7617.section2_1) == presented("test", "123\u{A3}", .clientSecretBasic))
    }

    @Test(arguments: [
        ("a:b", "c:d"), ("a b", "c d"), ("a+b", "c%20d"), ("é€📻", "ü\u{301}"), ("https://tv.example", "a&b=c"),
        ("-._~", "!\"#$%&'()*+,/:;<=>?@[\\]^`{|}"), ("100%", "%zz"),
    ])
    func `come back from a header as they were sent`(client: String, secret: String) throws {
        let header = PresentedCredentials.basicHeader(
            client: ClientID(client),
            secret: ClientSecret(revealing: secret)
        )
        #expect(header.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        #expect(try presented(header) == presented(client, secret, .clientSecretBasic))
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `come back from a header whatever they are`(seed: UInt64) throws {
        let random = SeededRandom(seed: seed)
        let (client, secret) = (random.text(upTo: 30), "a" + random.text(upTo: 60))
        let header = PresentedCredentials.basicHeader(
            client: ClientID(client),
            secret: ClientSecret(revealing: secret)
        )
        #expect(try presented(header) == presented(client, secret, .clientSecretBasic))
    }

    /// Standard: RFC 6749 §2.3.1.
    @Test func `have no secret where it is empty`() throws {
        let read = try presented(
            PresentedCredentials.basicHeader(client: ClientID("a"), secret: ClientSecret(revealing: "")))
        #expect(read == PresentedCredentials(client: ClientID("a"), secret: nil, method: .none))
    }

    @Test(arguments: ["basic czZCaGRSa3F0Mzo3", "BASIC czZCaGRSa3F0Mzo3", "Basic  czZCaGRSa3F0Mzo3 "])
    func `are read whatever the case of the scheme`(header: String) throws {
        #expect(try presented(header) == presented("s6BhdRkqt3", "7", .clientSecretBasic))
    }

    @Test func `have the secret begin at the first colon`() throws {
        // a:b:c
        #expect(try presented("Basic YTpiOmM=") == presented("a", "b:c", .clientSecretBasic))
    }

    @Test(arguments: [
        "", "Basic", "Basic ", "Basic =", "Basic !!!!", "Basic YQ==", "Basic YTpi=", "Basic YTpi====",
        "Basic YTpi YTpi", "Basic YTp\u{E9}", "YTpi", "Bearer YTpi", "Digest YTpi", "Basic,YTpi", "Basic\tYTpi",
        "Basic YTr/",  // a, a colon, and a byte that is not UTF-8
        "Basic JTo=",  // a broken escape before the colon
        "Basic YTol",  // a broken escape behind it
        "Basic YToA",  // NUL
        "Basic YTolMDA=",  // NUL, escaped
    ])
    func `are refused in a header that cannot be read`(header: String) {
        #expect(throws: OAuthError(.invalidClient, because: "")) { try presented(header) }
        // Nor does the form stand in for a broken header.
        #expect(throws: OAuthError(.invalidClient, because: "")) { try presented(header, "client_id=a") }
    }

    @Test func `are read from the form`() throws {
        let form = "client_id=\(RFC6749.client)&client_secret=\(RFC6749.secret)"
        #expect(try presented(nil, form) == presented(RFC6749.client, RFC6749.secret, .clientSecretPost))
    }

    @Test(arguments: ["client_id=tv", "client_id=tv&client_secret=", "client_id=tv&client_secret"])
    func `are only a name for a public client`(form: String) throws {
        let credentials = try presented(nil, form)
        #expect(credentials == PresentedCredentials(client: ClientID("tv"), secret: nil, method: .none))
    }

    @Test(arguments: ["", "client_id=", "client_secret=hush", "client_id=&client_secret=hush"])
    func `are missing without a name`(form: String) {
        #expect(throws: OAuthError(.invalidClient, because: "")) { try presented(nil, form) }
    }

    // RFC 6749 §2.3: a client must not use more than one method in a request.
    @Test(arguments: ["client_secret=\(RFC6749.secret)", "client_id=\(RFC6749.client)&client_secret=x"])
    func `come by one way only`(form: String) {
        #expect(throws: OAuthError(.invalidRequest, because: "")) { try presented(RFC6749.basicHeader, form) }
    }

    @Test func `name one client only`() throws {
        let same = "client_id=\(RFC6749.client)"
        #expect(try presented(RFC6749.basicHeader, same).method == .clientSecretBasic)
        #expect(throws: OAuthError(.invalidRequest, because: "")) {
            try presented(RFC6749.basicHeader, "client_id=other")
        }
    }

    @Test func `print without the secret`() {
        let credentials = presented("tv", "hush", .clientSecretBasic)
        #expect(!"\(credentials)".contains("hush"))
        #expect(!String(reflecting: credentials).contains("hush"))
    }

    private func presented(_ header: String?, _ form: String = "") throws -> PresentedCredentials {
        try PresentedCredentials(authorization: header, form: Form(parsing: Array(form.utf8)))
    }

    private func presented(
        _ client: String,
        _ secret: String,
        _ method: PresentedCredentials.Method
    ) -> PresentedCredentials {
        PresentedCredentials(client: ClientID(client), secret: ClientSecret(revealing: secret), method: method)
    }
}
