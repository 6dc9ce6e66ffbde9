import Countersign
import Foundation
import Testing

@testable import CountersignWire

/// A message of another server, with what each step needs of it: the table of `Documentation/OtherProviders.md`.
struct ForeignMessageCase: Sendable, CustomTestStringConvertible {
    let name: String
    /// Each member with a value of the standard's type.
    let members: [String: String]
    /// The members without which the message is refused.
    let needed: Set<String>
    /// Further members that are never left out, because they prove or restrict something.
    let proving: Set<String>
    let read: @Sendable ([UInt8]) throws -> Void

    var testDescription: String { name }

    init<Message: Decodable & Sendable>(
        _ type: Message.Type,
        _ members: [String: String],
        needed: Set<String>,
        proving: Set<String> = []
    ) {
        name = "\(type)"
        self.members = members
        self.needed = needed
        self.proving = proving
        read = { _ = try ForeignMessage.read(type, from: $0) }
    }

    func bytes(replacing member: String? = nil, by value: String? = nil) -> [UInt8] {
        var members = members
        if let member { members[member] = value }
        let text = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        return Array("{\(text)}".utf8)
    }

    static let all: [ForeignMessageCase] = [
        ForeignMessageCase(
            AuthorizationServerMetadata.self,
            [
                "issuer": "\"https://id.example.com\"", "token_endpoint": "\"https://id.example.com/token\"",
                "jwks_uri": "\"https://id.example.com/jwks\"", "scopes_supported": "[\"openid\"]",
                "grant_types_supported": "[\"authorization_code\"]", "require_pushed_authorization_requests": "true",
                "authorization_response_iss_parameter_supported": "false", "claims_supported": "[\"sub\"]",
                "mtls_endpoint_aliases": "{\"token_endpoint\":\"https://mtls.example.com/token\"}",
                "code_challenge_methods_supported": "[\"S256\"]", "service_documentation": "\"https://example.com\"",
            ],
            needed: ["issuer"]),
        ForeignMessageCase(
            TokenResponse.self,
            [
                "access_token": "\"a\"", "token_type": "\"Bearer\"", "expires_in": "3600", "refresh_token": "\"r\"",
                "scope": "\"openid\"", "id_token": "\"i\"", "issued_token_type": "\"urn:x\"", "not_before": "1",
            ],
            needed: ["access_token", "token_type"], proving: ["scope"]),
        ForeignMessageCase(
            IDTokenResponse.self,
            [
                "access_token": "\"a\"", "token_type": "\"Bearer\"", "expires_in": "3600", "refresh_token": "\"r\"",
                "scope": "\"openid\"", "id_token": "\"i\"",
            ],
            needed: ["id_token"]),
        ForeignMessageCase(
            DeviceAuthorizationResponse.self,
            [
                "device_code": "\"d\"", "user_code": "\"WDJB-MJHT\"", "verification_uri": "\"https://id.example.com\"",
                "verification_uri_complete": "\"https://id.example.com/?c\"", "expires_in": "600", "interval": "5",
                "message": "\"Go to\"",
            ],
            needed: ["device_code", "user_code", "verification_uri", "expires_in"]),
        ForeignMessageCase(
            BackchannelAuthenticationResponse.self,
            ["auth_req_id": "\"a\"", "expires_in": "120", "interval": "2", "verification_number": "\"12\""],
            needed: ["auth_req_id", "expires_in"]),
        ForeignMessageCase(
            PushedAuthorizationResponse.self, ["request_uri": "\"urn:x\"", "expires_in": "90"],
            needed: ["request_uri"]),
        ForeignMessageCase(
            OAuthErrorResponse.self,
            ["error": "\"invalid_grant\"", "error_description": "\"no\"", "error_uri": "\"https://example.com\""],
            needed: ["error"]),
        ForeignMessageCase(
            UserInfo.self,
            ["sub": "\"s\"", "name": "\"n\"", "preferred_username": "\"p\"", "email": "\"e\"", "address": "{}"],
            needed: ["sub"]),
        ForeignMessageCase(JSONWebKeySet.self, ["keys": "[]", "x": "1"], needed: ["keys"]),
        ForeignMessageCase(
            CrossPlatformTokenResponse.self,
            [
                "access_token": "\"a\"", "token_type": "\"bearer\"", "expires_in": "60", "domain": "\"radio.example\"",
                "domain_display_name": "\"Radio\"", "user_name": "\"Anna\"",
            ],
            needed: ["access_token", "token_type", "domain"]),
        ForeignMessageCase(
            CrossPlatformErrorResponse.self,
            ["error": "\"cancelled\"", "error_description": "\"no\"", "retry_in": "5"], needed: ["error"]),
        ForeignMessageCase(
            TokenCheckResponse.self,
            [
                "client_id": "\"c\"", "user_id": "\"u\"", "display_name": "\"Anna\"",
                "cnf": "{\"jkt\":\"0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I\"}",
            ],
            needed: ["client_id"], proving: ["user_id", "cnf"]),
    ]
}

@Suite("A message of another server")
struct ForeignMessageTests {
    /// Values of every type of JSON; none is right for all members.
    private static let values = [
        "null", "true", "5", "-1", "1.5", "1e999", "99999999999999999999", "\"text\"", "\"\"", "[]", "[null]",
        "[5,null,{}]",
        "{}", "{\"a\":[null]}", "[[[[]]]]",
    ]

    @Test(arguments: ForeignMessageCase.all)
    func `is read though a member that is only read is missing or of another type`(message: ForeignMessageCase) throws {
        try message.read(message.bytes())
        for member in message.members.keys where !message.needed.union(message.proving).contains(member) {
            try message.read(message.bytes(replacing: member))
            for value in Self.values {
                #expect(throws: Never.self, "\(member): \(value)") {
                    try message.read(message.bytes(replacing: member, by: value))
                }
            }
        }
    }

    @Test(arguments: ForeignMessageCase.all)
    func `is refused without what is needed`(message: ForeignMessageCase) {
        for member in message.needed {
            #expect(throws: (any Error).self, "\(member)") { try message.read(message.bytes(replacing: member)) }
            for value in ["null", "true", "{}"] {
                #expect(throws: (any Error).self, "\(member): \(value)") {
                    try message.read(message.bytes(replacing: member, by: value))
                }
            }
        }
    }

    @Test(arguments: ForeignMessageCase.all)
    func `is refused when what it proves cannot be read, and read when it is left out`(
        message: ForeignMessageCase
    ) throws {
        for member in message.proving {
            try message.read(message.bytes(replacing: member))
            for value in ["true", "{\"jkt\":5}", "[[[[]]]]"] {
                #expect(throws: (any Error).self, "\(member): \(value)") {
                    try message.read(message.bytes(replacing: member, by: value))
                }
            }
        }
    }

    @Test func `keeps the rest of a list of which an element cannot be read`() throws {
        let json = #"""
            {"issuer":"https://id.example.com","scopes_supported":["openid",null,5,"email",null,{"a":1}],\#
            "code_challenge_methods_supported":"S256","require_pushed_authorization_requests":"true",\#
            "authorization_response_iss_parameter_supported":"yes","mtls_endpoint_aliases":{"token_endpoint":5}}
            """#
        let metadata = try ForeignMessage.read(AuthorizationServerMetadata.self, from: Array(json.utf8))
        #expect(metadata.scopesSupported == ["openid", "email"])
        #expect(metadata.codeChallengeMethodsSupported == nil)
        #expect(metadata.requirePushedAuthorizationRequests == true)
        #expect(metadata.authorizationResponseIssParameterSupported == nil)
    }

    @Test func `reads numbers in quotes`() throws {
        let json = #"{"error":"slow_down","retry_in":"7"}"#
        #expect(try ForeignMessage.read(CrossPlatformErrorResponse.self, from: Array(json.utf8)).retryIn == 7)
    }

    @Test func `costs no more than some repairs, however much of it is wrong`() throws {
        let list = Array(repeating: "null,5,{},[]", count: 10_000).joined(separator: ",")
        let json = #"{"issuer":"https://id.example.com","scopes_supported":[\#(list)]}"#
        let metadata = try ForeignMessage.read(AuthorizationServerMetadata.self, from: Array(json.utf8))
        #expect(metadata.scopesSupported == [])
    }

    @Test(arguments: ["", "null", "[]", "5", "\"x\"", "{", "{\"issuer\":}", "<html>", "{\"issuer\":\"a\"} x"])
    func `is refused when it is no object of JSON`(text: String) {
        #expect(throws: (any Error).self) {
            try ForeignMessage.read(AuthorizationServerMetadata.self, from: Array(text.utf8))
        }
    }

    @Test func `is not repaired where a person decides by it`() throws {
        let kind = try #require(AuthenticationRequest.Kind.allCases.first).rawValue
        func list(_ pin: String) -> [UInt8] {
            let created = "2026-01-01T00:00:00+0000"
            let request = #"{"id":"a","auth_type":"\#(kind)","expiry":60,"created_at":"\#(created)","pin":\#(pin)}"#
            return Array("[\(request)]".utf8)
        }
        #expect(try ForeignMessage.read([AuthenticationRequest].self, from: list("\"5\"")).count == 1)
        #expect(throws: (any Error).self) { try ForeignMessage.read([AuthenticationRequest].self, from: list("5")) }
    }
}
