import CountersignWire
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 9700 §4.11 (open redirectors).
@Suite("A link that is to lead people elsewhere")
struct RedirectAttackTests {
    /// The destinations of an attacker, in every spelling that some browser or parser has fallen for.
    static let payloads: [String] = {
        let hosts = ["evil.test", "evil.test:443", "evil.test/account", "evil.test%2f@localhost", "①②⑦.⓪.⓪.①"]
        let openings = [
            "//", "///", "////", "/\\", "\\\\", "\\/", "/\t/", "/\n/", "/\r/", "\t//", " //", "\u{0}//", "//\u{0}",
            "/%09/",
            "/%5c", "%2f%2f", "/%2f", "/%2e%2e//", "/.//", "/..//", "/;//", "/?//", "/#//", "//localhost@",
            "https://", "https:", "https:/", "https:///", "HTTPS://", "https:\\\\", "http://localhost:8080@",
            "http://localhost:8080.", "//localhost:8080@", "javascript://%0aalert(1)//", "java\tscript:",
            "data:text/html,",
            "vbscript:", "blob:", "file://", "ftp://", "ws://", "view-source:", "@", ".", "x@", "/account//",
            "/account@",
            "/account/..//", "/account/%2e%2e//", "/account\\", "/account.", "/account:", "/account;//",
            "/account\u{2028}//",
            "／／", "〱", "/\u{FF0F}", "/\u{2215}", "\u{FEFF}//", "\u{200B}//", "/account/\u{202E}",
        ]
        return openings.flatMap { opening in hosts.map { opening + $0 } }
    }()

    @Test(arguments: ["http://localhost:8080", "https://id.example/a"])
    func `leads to a page of ours`(issuer: String) async throws {
        #expect(Self.payloads.count > 250)
        try await TestServer.open(issuer: issuer) { server in
            let anna = try await server.browser(of: .anna)
            for payload in Self.payloads + Self.payloads.map({ server.path("") + $0 }) {
                var query = Form()
                query["return_to"] = payload
                let page = try await server.get("\(server.path("login"))?\(query.encoded)")
                #expect(page.field("return_to") == "/account", "\(payload.debugDescription)")
                let sent = try await anna.get("login?\(query.encoded)")
                #expect(sent.location == server.path("account"), "\(payload.debugDescription)")
                #expect(sent.headers.count { $0.name == .location } == 1)
            }
        }
    }

    @Test(arguments: ["http://localhost:8080", "https://id.example/a"])
    func `does not come out of any other parameter either`(issuer: String) async throws {
        try await TestServer.open(issuer: issuer) { server in
            let anna = try await server.browser(of: .anna)
            var redirects = 0
            for payload in Self.payloads.filter({ $0.contains("evil.test/") }) {
                var query = Form()
                query["x"] = payload
                let text = query.encoded.dropFirst(2)
                for page in [
                    "activate?user_code=\(text)", "activate/confirm?user_code=\(text)",
                    "activate/result?request=\(text)", "cpa/verify?redirect_uri=\(text)",
                    "cpa/verify?user_code=BCDFGHJK&redirect_uri=\(text)",
                    "activate/confirm?user_code=BCDFGHJK&redirect_uri=\(text)",
                    "activate/confirm?request=\(text)&redirect_uri=\(text)", "admin?domain=\(text)",
                    "account?done=\(text)", "?return_to=\(text)", "account?return_to=\(text)",
                ] {
                    for answer in [try await anna.get(page), try await server.get(server.path(page))] {
                        guard let location = answer.headers[.location] else { continue }
                        redirects += 1
                        #expect(location.hasPrefix(server.path("")), "\(page)")
                        #expect(!location.hasPrefix("//"), "\(page)")
                        #expect(location.allSatisfy { $0.isASCII && !$0.isNewline && $0 != "\\" }, "\(page)")
                    }
                }
            }
            #expect(redirects > 0)
        }
    }

    /// Standard: RFC 9112 §11.1 (response splitting).
    @Test(.server) func `puts no header into an answer`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        let splits = [
            "%0d%0aX-Split:%20a", "%0aX-Split:%20a", "%0d%0a%0d%0a<script>", "%E5%98%8D%E5%98%8AX-Split:a",
        ]
        for split in splits {
            for page in [
                "login?return_to=/account\(split)", "activate?user_code=BCDFGHJK\(split)",
                "activate/confirm?user_code=BCDFGHJK\(split)", "activate/result?request=x\(split)",
                "account?done=\(split)", "cpa/verify?redirect_uri=cpacred://verification\(split)",
                "activate/confirm?user_code=BCDFGHJK&redirect_uri=\(split)", "activate/confirm?request=x\(split)",
                "admin/domains?done=\(split)",
            ] {
                for answer in [try await anna.get(page), try await server.get(server.path(page))] {
                    #expect(answer.headers.allSatisfy { $0.name.canonicalName != "x-split" }, "\(page)")
                    #expect(answer.headers.allSatisfy { !$0.value.contains { $0.isNewline } }, "\(page)")
                }
            }
        }
    }
}
