import Countersign
import Foundation
import Testing

@testable import CountersignCommand
@testable import CountersignRequester

@Suite("A host that gets tokens")
struct CredentialHostTests {
    private static let noon = Date(timeIntervalSince1970: 1_800_000_000)

    private func host(for scope: String = "openid profile") -> CredentialHost {
        CredentialHost(
            origin: "https://registry.example.com", issuer: "https://id.example.com", client: "tv", scope: scope,
            username: nil, secretFile: nil, caFile: nil, allowsInsecureHTTP: false)
    }

    private func signedIn(
        refreshing refreshToken: RefreshToken?, expires: Date?, ends: Date? = nil
    ) -> CompletedSignIn {
        CompletedSignIn(
            accessToken: AccessToken(revealing: "access"), refreshToken: refreshToken, expires: expires,
            scope: Scope([.openid, .profile]), identity: nil
        ).received(at: Self.noon - 3600, with: nil, ending: ends)
    }

    @Test(
        arguments: [
            (-1, nil, false), (29, nil, false), (30, nil, true), (nil, nil, true), (600, 0, false), (600, 1, true),
        ] as [(Double?, Double?, Bool)])
    func `gets those that cannot be renewed while they live`(expires: Double?, ends: Double?, isGiven: Bool) {
        let signedIn = signedIn(
            refreshing: nil, expires: expires.map { Self.noon + $0 }, ends: ends.map { Self.noon + $0 })
        #expect(host().gets(signedIn, at: Self.noon) == isGiven)
        // Others for a part of the scope would take a renewal.
        #expect(!host(for: "openid").gets(signedIn, at: Self.noon))
    }

    @Test(arguments: [(nil, true), (1, true), (0, false), (-300, false)] as [(Double?, Bool)])
    func `gets those that can be renewed until the sign-in is over`(ends: Double?, isGiven: Bool) {
        let signedIn = signedIn(
            refreshing: RefreshToken(revealing: "refresh"), expires: Self.noon - 60,
            ends: ends.map { Self.noon + $0 })
        #expect(host().gets(signedIn, at: Self.noon) == isGiven)
        #expect(host(for: "openid").gets(signedIn, at: Self.noon) == isGiven)
        #expect(!host(for: "email").gets(signedIn, at: Self.noon))
    }
}
