import Countersign
import CountersignWire
import Foundation

extension Parser {
    /// The messages and headers of Cross-Platform Authentication.
    static let crossPlatform: [Parser] = [
        Parser(
            "text-members",
            bytes: { bytes in
                guard let members = try? TextMembers(parsing: bytes) else { return }
                let whole = Dictionary(uniqueKeysWithValues: members.names.map { ($0, members[$0] ?? "") })
                let other = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: String]
                // Foundation leaves U+FEFF out of texts; RFC 8259 §7 allows it there.
                func bare(_ text: String) -> String {
                    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\u{FEFF}" }))
                }
                func bare(_ members: [String: String]) -> [String: String] {
                    Dictionary(members.map { (bare($0), bare($1)) }, uniquingKeysWith: { first, _ in first })
                }
                expect(other == nil || other.map(bare) == bare(whole), "another reader reads the same, if it reads it")
                guard let written = try? JSONEncoder().encode(whole) else { return expect(false, "it can be written") }
                expect((try? TextMembers(parsing: written)) == members, "and is read again")
            }),
        Parser(
            "cross-platform-requests",
            bytes: { bytes in
                guard let members = try? TextMembers(parsing: bytes) else { return }
                if let request = try? ClientRegistrationRequest(members: members) {
                    expect((try? ClientRegistrationRequest(members: written(request))) == request, "it is read again")
                    expect(members.names.count == 3 && !request.clientName.isEmpty, "it has three texts")
                }
                if let request = try? AssociationRequest(members: members) {
                    expect((try? AssociationRequest(members: written(request))) == request, "it is read again")
                }
                if let request = try? CrossPlatformTokenRequest(members: members) {
                    expect((try? CrossPlatformTokenRequest(members: written(request))) == request, "it is read again")
                }
                if let request = try? TokenCheckRequest(members: members) {
                    expect((try? TokenCheckRequest(members: written(request))) == request, "it is read again")
                }
            }),
        Parser(
            "domain",
            text: { text in
                guard let domain = Domain(parsing: text) else { return }
                expect(domain.rawValue == text && text.isPrintable, "a domain is kept as it is written, in ASCII")
                expect(!text.contains { "/?#@ \\%\"<>,;*".contains($0) }, "it is no more than a host and a port")
                guard !text.hasPrefix("[") else { return }
                expect(URL(string: "https://\(text)/")?.host?.isEmpty == false, "and makes a URL")
            }),
        Parser(
            "web-origin",
            text: { text in
                guard let origin = WebOrigin(parsing: text) else { return }
                expect(WebOrigin(parsing: origin.rawValue) == origin, "an origin is read again as it is kept")
                expect(origin.rawValue.isPrintable && !origin.rawValue.contains(" "), "it is ASCII")
                expect(origin.rawValue.split(separator: "/").count == 2, "it has no path")
            }),
        Parser(
            "cross-platform-challenge",
            text: { text in
                guard let challenge = CrossPlatformChallenge(headerValues: text.split(separator: "\n").map(String.init))
                else { return }
                expect(!challenge.uri.isEmpty && !challenge.modes.isEmpty, "a challenge says where and how")
                guard challenge.uri.isPrintable, !challenge.uri.contains(where: { "\"\\".contains($0) }) else { return }
                let again = CrossPlatformChallenge(headerValues: [challenge.headerValue])
                expect(again?.uri == challenge.uri && again?.modes == challenge.modes, "and is read again")
                expect(challenge.headerValue.isPrintable, "it is written in one line")
            }),
    ]

    private static func written(_ message: some Encodable) throws -> TextMembers {
        try TextMembers(parsing: JSONEncoder().encode(message))
    }
}
