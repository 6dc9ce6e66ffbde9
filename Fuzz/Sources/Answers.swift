import Countersign
import CountersignWire
import Foundation

extension Parser {
    /// A message in JSON: what was read is read again, equal, from what is written, and what is written stays the same.
    static func message<Message: Codable & Equatable & SendableMetatype>(
        _ name: String,
        _ type: Message.Type,
        _ alsoHolds: @escaping @Sendable (Message) -> Void = { _ in }
    ) -> Parser {
        Parser(
            name,
            bytes: { bytes in
                guard let message = try? JSONDecoder().decode(Message.self, from: Data(bytes)) else { return }
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys]
                guard let written = try? encoder.encode(message) else {
                    return expect(false, "what was read can be written")
                }
                let read = try? JSONDecoder().decode(Message.self, from: written)
                expect(read == message, "what is written is read again")
                expect((try? encoder.encode(read)) == written, "as the same bytes")
                alsoHolds(message)
            })
    }

    /// The messages that servers send.
    static let answers: [Parser] = [
        message("device-authorization-response", DeviceAuthorizationResponse.self) { response in
            expect(response.expiresIn >= 0 && response.interval >= 0, "times are not negative")
        },
        message("token-response", TokenResponse.self) { response in
            expect(response.expiresIn.map { $0 >= 0 } ?? true, "times are not negative")
        },
        message("backchannel-response", BackchannelAuthenticationResponse.self) { response in
            expect(response.expiresIn >= 0 && (response.interval ?? 0) >= 0, "times are not negative")
        },
        message("backchannel-notification", BackchannelNotification.self),
        message("introspection-response", IntrospectionResponse.self),
        message("error-response", OAuthErrorResponse.self),
        message("approver-error-response", ApproverErrorResponse.self),
        message("metadata", AuthorizationServerMetadata.self),
        message("user-info", UserInfo.self),
        message("nearby-look-response", ApproverLookResponse<NearbyLook>.self),
        message("authorization-look-response", ApproverLookResponse<AuthorizationLook>.self),
        message("activation-look-response", ApproverLookResponse<ActivationLook>.self),
        message("inbox-look-response", ApproverLookResponse<InboxLook>.self),
        message("decision-claims", DecisionClaims.self) { claims in
            expect((1...128).contains(claims.id.utf8.count), "an identifier has a length")
            expect(claims.finding.method.answers.contains(claims.answer), "an answer is one of its method")
        },
        message("approver-decide-response", ApproverDecideResponse.self) { said in
            for method in ApprovalMethod.allCases {
                _ = said.location?.isAnswer(to: method, at: "com.example.app:/done")
            }
        },
        message("approver-key", ApproverKey.self) { key in
            expect(key.rawRepresentation.count == 64, "a key has two coordinates")
        },
    ]

    /// Signed tokens, and the keys that they are checked with.
    static let tokens: [Parser] = [
        Parser(
            "compact-jws",
            text: { text in
                guard let token = CompactJWS(text) else { return }
                let again = CompactJWS.text(header: token.headerBytes, payload: token.payload) { signed in
                    expect(signed == token.signedBytes, "the same bytes are signed")
                    return token.signature
                }
                expect(again == text, "a token has one spelling")
                _ = try? JSONDecoder().decode(CompactJWS.Header.self, from: Data(token.headerBytes))
            }),
        message("jws-header", CompactJWS.Header.self),
        message("id-token-claims", IDTokenClaims.self),
        Parser(
            "id-token",
            text: { text in
                guard let token = try? ParsedIDToken(UnverifiedIDToken(revealing: text)) else { return }
                expect(text.utf8.count <= ParsedIDToken.longest, "only so long a token is read")
                let names = token.unverifiedAudience.names.map { ClientID($0) }
                let demands = ParsedIDToken.Demands(issuer: token.unverifiedIssuer, clients: names)
                let now = Date(timeIntervalSince1970: 0)
                expect((try? token.verified(by: nil, meeting: demands, at: now)) == nil, "nothing without a key")
                let key = JSONWebKey.p256(
                    id: JSONWebKey.ID("one"), x: Array(repeating: 1, count: 32), y: Array(repeating: 2, count: 32))
                expect(
                    (try? token.verified(by: VerificationKey(key), meeting: demands, at: now)) == nil,
                    "nothing by a wrong key")
            }),
        message("logout-token-claims", LogoutTokenClaims.self) { claims in
            let compact = String(decoding: CompactJSON.bytes(of: claims), as: UTF8.self)
            let read = try? JSONDecoder().decode(LogoutTokenClaims.self, from: Data(compact.utf8))
            expect(read == claims, "claims are read again as they are signed")
        },
        message("key-set", JSONWebKeySet.self) { set in
            expect(set.keys.allSatisfy { ["EC", "RSA", "OKP"].contains($0.keyType) }, "only known types are kept")
        },
    ]
}
