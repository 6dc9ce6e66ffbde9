import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

/// Standard: RFC 8414 §2, §3.1; OpenID Connect Discovery 1.0 §3, §4.
@Suite("The metadata", .server)
struct MetadataEndpointTests {
    let server = TestServer.current

    @Test func `are the same in both documents, and may be kept`() async throws {
        let oauth = try await server.get("/.well-known/oauth-authorization-server")
        let openID = try await server.get("/.well-known/openid-configuration")

        #expect(oauth.status == .ok && openID.status == .ok)
        #expect(oauth.headers[.contentType] == "application/json")
        #expect(oauth.headers[.cacheControl] == "public, max-age=300")
        #expect(oauth.body == openID.body)
    }

    @Test func `name every endpoint below the issuer, and no other`() async throws {
        let answer = try await server.get("/.well-known/oauth-authorization-server")
        let metadata = try answer.json(AuthorizationServerMetadata.self)
        let base = "http://localhost:8080"

        #expect(metadata.issuer == base)
        #expect(metadata.tokenEndpoint == "\(base)/token")
        #expect(metadata.deviceAuthorizationEndpoint == "\(base)/device_authorization")
        #expect(metadata.introspectionEndpoint == "\(base)/introspect")
        #expect(metadata.revocationEndpoint == "\(base)/revoke")
        #expect(metadata.userInfoEndpoint == "\(base)/userinfo")
        #expect(metadata.approverEndpoint == "\(base)/approver")
        #expect(metadata.keysURI == "\(base)/jwks")
        #expect(metadata.authorizationEndpoint == "\(base)/authorize")
        #expect(metadata.pushedAuthorizationRequestEndpoint == "\(base)/par")
        #expect(metadata.backchannelAuthenticationEndpoint == "\(base)/bc-authorize")
        #expect(metadata.endSessionEndpoint == "\(base)/end_session")
        #expect(metadata.authenticatorEndpoint == "\(base)/authenticator")
        #expect(metadata.exchangeNonceEndpoint == "\(base)/exchange/nonce")
        #expect(
            answer.members == [
                "issuer", "token_endpoint", "device_authorization_endpoint", "introspection_endpoint",
                "revocation_endpoint", "userinfo_endpoint", "jwks_uri", "scopes_supported",
                "response_types_supported", "grant_types_supported", "token_endpoint_auth_methods_supported",
                "introspection_endpoint_auth_methods_supported", "revocation_endpoint_auth_methods_supported",
                "subject_types_supported", "id_token_signing_alg_values_supported", "claims_supported",
                "refresh_token_expiration_types_supported", "service_max_lifetime",
                "approver_endpoint", "authorization_endpoint",
                "authenticator_endpoint", "exchange_nonce_endpoint", "request_id_parameter_supported",
                "pushed_authorization_request_endpoint", "require_pushed_authorization_requests",
                "response_modes_supported", "prompt_values_supported", "code_challenge_methods_supported",
                "authorization_response_iss_parameter_supported", "request_parameter_supported",
                "request_uri_parameter_supported", "claims_parameter_supported", "end_session_endpoint",
                "request_object_signing_alg_values_supported", "require_signed_request_object",
                "acr_values_supported", "display_values_supported", "ui_locales_supported",
                "backchannel_authentication_endpoint", "backchannel_token_delivery_modes_supported",
                "backchannel_authentication_request_signing_alg_values_supported",
                "backchannel_user_code_parameter_supported",
                "backchannel_logout_supported", "backchannel_logout_session_supported",
                "introspection_endpoint_auth_signing_alg_values_supported",
                "revocation_endpoint_auth_signing_alg_values_supported",
                "dpop_signing_alg_values_supported", "token_endpoint_auth_signing_alg_values_supported",
            ]
        )
    }

    @Test func `say what the server can do`() async throws {
        let metadata = try await server.get("/.well-known/openid-configuration")
            .json(AuthorizationServerMetadata.self)

        #expect(
            metadata.grantTypesSupported?.map(\.rawValue) == [
                "authorization_code", "urn:ietf:params:oauth:grant-type:device_code", "refresh_token",
                "client_credentials", "urn:ietf:params:oauth:grant-type:token-exchange",
                "urn:openid:params:grant-type:ciba",
                "urn:ietf:params:oauth:grant-type:pre-authorized_code",
            ]
        )
        #expect(
            metadata.tokenEndpointAuthMethodsSupported == [
                "client_secret_basic", "client_secret_post", "private_key_jwt", "none",
            ]
        )
        #expect(
            metadata.introspectionEndpointAuthMethodsSupported == [
                "client_secret_basic", "client_secret_post", "private_key_jwt",
            ]
        )
        #expect(metadata.backchannelTokenDeliveryModesSupported == ["poll", "ping", "push"])
        #expect(
            metadata.backchannelAuthenticationRequestSigningAlgValuesSupported == ["ES256", "PS256", "RS256"])
        #expect(metadata.backchannelUserCodeParameterSupported == true)
        #expect(metadata.idTokenSigningAlgValuesSupported == ["ES256", "RS256"])
        #expect(metadata.responseTypesSupported == ["code"])
        #expect(metadata.codeChallengeMethodsSupported == ["S256"])
        #expect(metadata.authorizationResponseIssParameterSupported == true)
        #expect(metadata.subjectTypesSupported == ["public"])
        #expect(metadata.requestParameterSupported == true)
        #expect(metadata.requestURIParameterSupported == false)
        #expect(metadata.requestObjectSigningAlgValuesSupported == ["ES256", "PS256", "RS256"])
        #expect(metadata.requireSignedRequestObject == false)
        #expect(metadata.claimsParameterSupported == true)
        #expect(
            metadata.acrValuesSupported
                == [
                    "password", "second-factor", "user-verified", "passkey", "federated", "number", "device-key",
                    "nearby",
                ].map { "urn:countersign:acr:\($0)" })
        #expect(metadata.claimsSupported?.contains("countersign_evidence") == true)
        #expect(metadata.claimsSupported?.contains("countersign_screen") == true)
        #expect(metadata.refreshTokenExpirationTypesSupported == ["authorization"])
    }

    @Test(
        .server(issuer: "https://id.example/a"),
        arguments: [
            "/a/.well-known/oauth-authorization-server",
            "/a/.well-known/openid-configuration",
            "/.well-known/oauth-authorization-server/a",
        ])
    func `are found for an issuer with a path`(path: String) async throws {
        let metadata = try await server.get(path).json(AuthorizationServerMetadata.self)

        #expect(metadata.issuer == "https://id.example/a")
        #expect(metadata.tokenEndpoint == "https://id.example/a/token")
        #expect(try await server.get("/.well-known/oauth-authorization-server").status == .notFound)
    }

    @Test(.server(issuer: "https://id.example/a")) func `name addresses that answer`() async throws {
        let metadata = try await server.get("/a/.well-known/openid-configuration")
            .json(AuthorizationServerMetadata.self)
        let named = [
            metadata.tokenEndpoint, metadata.deviceAuthorizationEndpoint, metadata.introspectionEndpoint,
            metadata.revocationEndpoint, metadata.userInfoEndpoint, metadata.keysURI,
        ]
        for address in named {
            let url = try #require(address.flatMap(URL.init(string:)))
            #expect(try await server.get(url.path).status != .notFound, "\(url)")
        }
    }

    @Test func `are told to HEAD without a body`() async throws {
        let head = try await server.send(.head, "/.well-known/openid-configuration")
        #expect(head.status == .ok && head.body.readableBytes == 0)
        #expect(head.headers[.contentType] == "application/json")
    }

    @Test func `are read by GET and HEAD only`() async throws {
        let answer = try await server.post("/.well-known/openid-configuration", [:])
        #expect(answer.status == .methodNotAllowed)
        #expect(answer.headers[.allow] == "GET, HEAD")
    }
}
