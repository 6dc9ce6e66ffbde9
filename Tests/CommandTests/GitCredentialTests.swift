import Foundation
import Testing

@testable import CountersignCommand

@Suite("A credential of git")
struct GitCredentialTests {
    private let token = ProgramToken(revealed: "token-1", expires: Date(timeIntervalSince1970: 1_800_000_000))

    @Test func `is a name and a password for a git without capabilities`() throws {
        let asked = try #require(GitCredential(Array("protocol=https\nhost=git.example.com\npath=a/b.git\n".utf8)))
        #expect(asked.origin.description == "https://git.example.com" && asked.username == nil && asked.answered == nil)
        #expect(
            asked.answer(token, username: "oauth2") == """
                username=oauth2
                password=token-1
                password_expiry_utc=1800000000

                """)
        let unknown = ProgramToken(revealed: "token-1", expires: nil)
        #expect(asked.answer(unknown, username: "anna") == "username=anna\npassword=token-1\n")
    }

    @Test(
        arguments: [
            ([], true), ([#"Bearer realm="git""#], true), (["bearer"], true), ([#"Basic realm="Bearer""#], false),
            (["Basic", "Bearer"], true), ([#"Basic realm="a", Bearer realm="b""#], true),
            (["Negotiate", "Basic"], false),
            (["Bearers"], false), (["Basic", "", "Bearer"], true), (["Bearer", "", "Basic"], false),
        ])
    func `is a bearer token where git and the host take one`(challenges: [String], isBearer: Bool) throws {
        let lines =
            ["capability[]=authtype", "protocol=https", "host=git.example.com"] + challenges.map { "wwwauth[]=\($0)" }
        let asked = try #require(GitCredential(Array(lines.joined(separator: "\n").utf8)))
        let bearer = """
            capability[]=authtype
            authtype=Bearer
            credential=token-1
            ephemeral=1
            password_expiry_utc=1800000000

            """
        let basic = "username=oauth2\npassword=token-1\npassword_expiry_utc=1800000000\n"
        #expect(asked.answer(token, username: "oauth2") == (isBearer ? bearer : basic))
    }

    @Test func `is not final the first time where git keeps a state, so that a refused token is replaced`() throws {
        let lines = "capability[]=authtype\ncapability[]=state\nprotocol=https\nhost=git.example.com\n"
        let first = try #require(GitCredential(Array(lines.utf8))).answer(token, username: "oauth2")
        #expect(first.hasPrefix("capability[]=authtype\ncapability[]=state\n") && first.hasSuffix("\ncontinue=1\n"))
        let state = try #require(first.firstMatch(of: /state\[\]=countersign\.token=.+\n/)).0
        #expect(!state.contains("token-1"))
        let second = try #require(GitCredential(Array("\(lines)state[]=other.one=1\n\(state)".utf8)))
        #expect(second.answered == token.digest)
        let renewed = ProgramToken(revealed: "token-2", expires: nil)
        let answer = second.answer(renewed, username: "oauth2")
        #expect(answer.contains("credential=token-2\n") && !answer.contains("continue"))
    }

    @Test func `has the secret that was refused, in either form`() throws {
        let head = "protocol=https\nhost=git.example.com\n"
        #expect(GitCredential(Array("\(head)username=oauth2\npassword=a=b\n".utf8))?.presented == "a=b")
        #expect(GitCredential(Array("\(head)authtype=Bearer\ncredential=token-1\n".utf8))?.presented == "token-1")
        #expect(GitCredential(Array(head.utf8))?.presented == nil)
    }

    @Test func `ends at an empty line, and may have what is not known yet`() throws {
        let text = "protocol=https\nhost=git.example.com\nnovelty=1\nnovelty[]=2\n\nhost=evil.example\n"
        #expect(GitCredential(Array(text.utf8))?.origin.host == "git.example.com")
    }

    @Test(
        arguments: [
            "", "\n", "protocol=https\n", "host=git.example.com\n", "protocol=https\nhost=\n",
            "protocol=\nhost=git.example.com\n", "protocol=https\nhost\n", "git.example.com\n",
            // CVE-2020-5260: a line break in the address of a repository.
            "protocol=https\nhost=evil.example\nhost=git.example.com\n",
            "protocol=https\nhost=git.example.com\nprotocol=http\n",
            "protocol=https\nhost=git.example.com\nhost=git.example.com\n",
            // CVE-2020-11008: no host, so that any would do.
            "protocol=https\npath=git.example.com\n", "protocol=https\n\nhost=git.example.com\n",
            // CVE-2024-52006: a carriage return, which some helpers read as the end of a line.
            "protocol=https\nhost=git.example.com\r\n", "protocol=https\r\nhost=git.example.com\n",
            "protocol=https\nhost=evil.example\rhost=git.example.com\n",
            "protocol=https\nhost=git.example.com\npath=a\rhost=evil.example\n",
            "protocol=https\nhost=git.example.com\0.evil.example\n",
            "protocol=https\nhost=git.example.com\nusername=a\0b\n",
            "protocol=https\nhost=git.example.com.\n", "protocol=https\nhost=anna@git.example.com\n",
            "protocol=https\n host=git.example.com\n", "protocol=https\nHost=git.example.com\n",
            "protocol=ssh\nhost=git.example.com\n", "url=https://git.example.com\n",
        ])
    func `is none where a host could pretend to be another one`(text: String) {
        #expect(GitCredential(Array(text.utf8)) == nil)
    }

    @Test(arguments: Array("\0\t\n\r =@/:?#%[]\\.-~A\u{7F}".utf8) + [0x80, 0xFF])
    func `is of another host, or none, when a byte of its host is another one`(byte: UInt8) throws {
        let (head, host) = (Array("protocol=https\nhost=".utf8), Array("git.example.com".utf8))
        for place in host.indices where host[place] != byte && host[place] != byte | 0x20 {
            for length in [0, 1] {
                var changed = host
                changed.replaceSubrange(place..<place + length, with: [byte])
                let asked = GitCredential(head + changed + Array("\nusername=anna\n".utf8))
                #expect(asked?.origin.description != "https://git.example.com", "\(changed)")
            }
        }
    }

    @Test(arguments: ["protocol", "host"])
    func `is none where its host is no UTF-8`(attribute: String) {
        let lines = ["protocol": "https", "host": "git.example.com"].map { name, value in
            Array("\(name)=\(value)".utf8) + (name == attribute ? [0xE4] : [])
        }
        #expect(GitCredential(Array(lines.joined(separator: [0x0A]))) == nil)
    }

    @Test(arguments: ["path", "username", "password", "credential", "novelty", "novelty[]", "state[]", "capability[]"])
    func `may have another attribute that is no UTF-8`(attribute: String) throws {
        let head = Array("protocol=https\nhost=git.example.com\n\(attribute)=Zug".utf8)
        let asked = try #require(GitCredential(head + [0xE4] + Array("nge\n".utf8)))
        #expect(asked.origin.description == "https://git.example.com")
        #expect(asked.username == nil && asked.presented == nil && asked.answered == nil)
    }

    @Test(arguments: [("Basic realm=", false), ("Bearer realm=", true)])
    func `goes by the scheme of a challenge whose realm is no UTF-8`(challenge: String, isBearer: Bool) throws {
        let head = Array(
            "capability[]=authtype\nprotocol=https\nhost=git.example.com\nwwwauth[]=\(challenge)\"Zug".utf8)
        let asked = try #require(GitCredential(head + [0xE4] + Array("nge\"\n".utf8)))
        #expect(asked.answer(token, username: "oauth2").contains("authtype=Bearer\n") == isBearer)
    }

    @Test func `has no user name where the last one is no UTF-8`() throws {
        let head = Array("protocol=https\nhost=git.example.com\nusername=anna\nusername=".utf8)
        #expect(try #require(GitCredential(head + [0xE4, 0x0A])).username == nil)
    }
}
