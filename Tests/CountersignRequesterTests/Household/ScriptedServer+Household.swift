import Countersign
import CountersignTesting
import CountersignWire

@testable import CountersignRequester

import FoundationEssentialsCompat

extension ScriptedServer {
    /// The ID token of a person, who may be remembered on the screen.
    func idToken(of name: String, remembered: Bool = false) throws -> UnverifiedIDToken {
        var claims = claims
        claims.subject = Subject("\(name)-1")
        (claims.name, claims.preferredUsername) = (name.capitalized, name)
        if remembered { claims.screen = RememberedScreenID("screen-of-\(name)") }
        return try idToken(claims)
    }

    /// Answers the next token requests with tokens of a person, such as `access-anna`, for a time that they chose.
    func sign(in name: String, remembered: Bool = false, until seconds: Int? = nil) throws {
        transport.reply(
            at: "/token",
            with: .json(
                TokenResponse(
                    accessToken: AccessToken(revealing: "access-\(name)"),
                    expiresIn: 300,
                    refreshToken: RefreshToken(revealing: "refresh-\(name)"),
                    idToken: try idToken(of: name, remembered: remembered),
                    authorizationExpiresIn: seconds
                )
            ))
    }

    /// The people of the screen, with options that may demand an authentication of a class or age.
    func household(
        of store: any TokenStore,
        acrValues: [String] = [],
        maxAge: Int? = nil,
        _ change: (inout SignInOptions) -> Void = { _ in }
    ) -> Household {
        var options = SignInOptions()
        (options.acrValues, options.maxAge) = (acrValues, maxAge)
        options.wait = nil
        (options.showsNumber, options.renewsLink) = (false, false)
        change(&options)
        return Household(
            at: issuer, as: ClientIdentity(client), keepingTokensIn: store, on: SignInScreen(name: "Kitchen radio"),
            options: options, in: context)
    }

    /// Signs somebody in who was not at the screen before, or is asked like everybody else.
    func add(
        _ name: String,
        to store: any TokenStore,
        remembered: Bool = false,
        until seconds: Int? = nil
    ) async throws {
        try sign(in: name, remembered: remembered, until: seconds)
        let result = await household(of: store).signIn(for: Self.openid).iterated()
        if let error = result.error { throw error }
    }

    /// The person of this name.
    func person(_ name: String, in store: any TokenStore) async throws -> Household.Person? {
        try await household(of: store).people().first { $0.identity.username == name }
    }
}
