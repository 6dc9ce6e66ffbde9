import Countersign
import CountersignWire
import Foundation

extension Parser {
    /// An answer as a client reads it, with its faults: what can be read whole is read as it is, and nothing traps.
    private static func foreign<Message: Decodable & Equatable & SendableMetatype>(
        _ bytes: [UInt8],
        as type: Message.Type,
        _ alsoHolds: (Message) -> Void = { _ in }
    ) {
        let whole = try? JSONDecoder().decode(type, from: Data(bytes))
        let read = try? ForeignMessage.read(type, from: bytes)
        if let whole { expect(read == whole, "what can be read whole is read as it is") }
        if let read { alsoHolds(read) }
    }

    /// Answers of servers as the clients of this package read them, one entry for each kind of client.
    static let clients: [Parser] = [
        Parser(
            "answer-to-sign-in",
            bytes: { bytes in
                foreign(bytes, as: TokenResponse.self) { response in
                    expect((response.expiresIn ?? 0) >= 0, "times are not negative")
                }
                foreign(bytes, as: IDTokenResponse.self)
                foreign(bytes, as: DeviceAuthorizationResponse.self) { response in
                    expect(response.expiresIn >= 0 && response.interval >= 0, "times are not negative")
                }
                foreign(bytes, as: BackchannelAuthenticationResponse.self) { response in
                    expect(response.expiresIn >= 0 && (response.interval ?? 0) >= 0, "times are not negative")
                }
                foreign(bytes, as: PushedAuthorizationResponse.self)
                foreign(bytes, as: OAuthErrorResponse.self)
            }),
        Parser(
            "answer-about-server",
            bytes: { bytes in
                foreign(bytes, as: AuthorizationServerMetadata.self) { metadata in
                    for text in [metadata.tokenEndpoint, metadata.keysURI, metadata.authorizationEndpoint] {
                        guard let text, let endpoint = try? Endpoint(text) else { continue }
                        expect(endpoint.url.port.map { (0...65_535).contains($0) } ?? true, "a port is one")
                    }
                }
                foreign(bytes, as: JSONWebKeySet.self)
                foreign(bytes, as: UserInfo.self)
            }),
        Parser(
            "answer-cross-platform",
            bytes: { bytes in
                foreign(bytes, as: ClientRegistrationResponse.self)
                foreign(bytes, as: AssociationResponse.self) { response in
                    expect(response.expiresIn >= 0, "times are not negative")
                }
                foreign(bytes, as: CrossPlatformTokenResponse.self) { response in
                    expect((response.expiresIn ?? 0) >= 0, "times are not negative")
                }
                foreign(bytes, as: CrossPlatformErrorResponse.self)
                foreign(bytes, as: PendingResponse.self)
                foreign(bytes, as: TokenCheckResponse.self)
            }),
        Parser(
            "answer-of-provider",
            bytes: { bytes in
                _ = SocialGraphError(in: bytes)?.words
                _ = TwitterError.code(in: bytes).map(TwitterError.isTemporary)
            }),
        Parser(
            "answer-header",
            text: { text in
                if let wait = RetryAfter(parsing: text) {
                    expect((0..<1_000_000_000).contains(wait.seconds), "a delay is some years at most")
                }
                if let date = HTTPDate.date(of: text) {
                    expect(HTTPDate.text(of: date) == text, "a date has one spelling")
                }
                if let number = Int64(text) {
                    let date = Date(named: number)
                    expect((0...253_402_300_799).contains(date.timeIntervalSince1970), "an instant has a year")
                }
            }),
    ]
}
