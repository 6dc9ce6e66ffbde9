import Testing

@testable import CountersignCommand

@Suite("The origin of a host that gets tokens")
struct CredentialOriginTests {
    @Test(
        arguments: [
            ("https", "git.example.com", "https://git.example.com"),
            ("https", "GIT.Example.COM", "https://git.example.com"),
            ("https", "git.example.com:443", "https://git.example.com"),
            ("https", "git.example.com:0443", "https://git.example.com"),
            ("https", "git.example.com:8443", "https://git.example.com:8443"),
            ("http", "127.0.0.1:80", "http://127.0.0.1"),
            ("http", "127.0.0.1:443", "http://127.0.0.1:443"),
            ("https", "[2001:DB8::1]", "https://[2001:db8::1]"),
            ("https", "[2001:db8::1]:443", "https://[2001:db8::1]"),
            ("https", "[::1]:8443", "https://[::1]:8443"),
        ])
    func `has one spelling`(scheme: String, authority: String, origin: String) {
        #expect(CredentialOrigin(scheme: scheme, authority: authority)?.description == origin)
    }

    @Test(
        arguments: [
            "", ".", "git.example.com.", ".git.example.com", "git..example.com", "git.example.com:",
            "git.example.com:0",
            "git.example.com:65536", "git.example.com:443:443", "git.example.com:+443", "git.example.com: 443",
            "anna@git.example.com", "anna:secret@git.example.com", "git.example.com@evil.example",
            "evil.example/git.example.com", "evil.example?git.example.com", "evil.example#git.example.com",
            #"git.example.com\evil.example"#, "git.example.com%00.evil.example", "git.example.com%2eevil.example",
            "git.example.com\n", "git.example.com\r", "git.example.com\0", "git.example.com\u{200B}",
            " git.example.com",
            "git.example.com ", "git\u{3002}example\u{3002}com", "gıt.example.com", "ｇit.example.com", "[::1", "::1",
            "[]",
            "[::1]x", "[::1%25eth0]", "*.example.com", "-git.example.com", "https://git.example.com",
        ])
    func `is none for what programs read in different ways`(authority: String) {
        #expect(CredentialOrigin(scheme: "https", authority: authority) == nil)
    }

    @Test(arguments: ["", "HTTPS", "ftp", "ssh", "https:", "https://", "http\0", "http ", "file"])
    func `has a scheme of the web`(scheme: String) {
        #expect(CredentialOrigin(scheme: scheme, authority: "git.example.com") == nil)
    }

    @Test(
        arguments: [
            ("registry.example.com", "https://registry.example.com"),
            ("registry.example.com:443", "https://registry.example.com"),
            ("registry.example.com:5000", "https://registry.example.com:5000"),
            ("127.0.0.1:5000", "https://127.0.0.1:5000"),
            ("index.docker.io/v1/", "https://index.docker.io"),
            ("https://index.docker.io/v1/", "https://index.docker.io"),
            ("http://127.0.0.1:5000", "http://127.0.0.1:5000"),
            ("HTTPS://registry.example.com", "https://registry.example.com"),
            ("registry.example.com/anna/image", "https://registry.example.com"),
            ("registry.example.com:5000/anna/image:latest", "https://registry.example.com:5000"),
        ])
    func `is that of an address, whose path does not count, by https without a scheme`(address: String, origin: String)
    {
        #expect(CredentialOrigin(hostOrAddress: address)?.description == origin)
    }

    @Test(
        arguments: [
            #"https://registry.example.com\@evil.example/"#, "https://evil.example?@registry.example.com/",
            "https://evil.example#@registry.example.com/", "https://anna@registry.example.com/",
            "anna:word@registry.example.com", "https://https://registry.example.com", "://registry.example.com", "",
            "registry.example.com:/v1/", "registry.example.com\nhost=evil.example", "registry.example.com\0", "/v1/",
            "registry.example.com://evil.example",
        ])
    func `is none for an address that programs read in different ways`(address: String) {
        #expect(CredentialOrigin(hostOrAddress: address) == nil)
    }
}
