/// An authenticator that the browser itself plays: it has a person who is always there, and verified.
///
/// Standard: Web Authentication Level 3 §11 (user agent automation).
struct VirtualAuthenticator: Sendable {
    let id: String
}

extension Browser {
    /// Adds an authenticator that finds its passkeys by itself, as a phone's does.
    func addAuthenticator(verifying isUserVerified: Bool = true) async throws -> VirtualAuthenticator {
        let value = try await session.post(
            "/webauthn/authenticator",
            [
                "protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
                "isUserConsenting": true, "isUserVerified": .bool(isUserVerified),
            ])
        guard let id = value.string else {
            throw WebDriverError.unexpectedAnswer("\(value)", to: "webauthn/authenticator")
        }
        return VirtualAuthenticator(id: id)
    }

    /// The count of its passkeys.
    func passkeys(of authenticator: VirtualAuthenticator) async throws -> Int {
        try await session.get("/webauthn/authenticator/\(authenticator.id)/credentials").array?.count ?? 0
    }

    /// Whether its person is verified from now on.
    func verify(_ isVerified: Bool, at authenticator: VirtualAuthenticator) async throws {
        try await session.post("/webauthn/authenticator/\(authenticator.id)/uv", ["isUserVerified": .bool(isVerified)])
    }

    /// Removes the authenticator with all its passkeys.
    func remove(_ authenticator: VirtualAuthenticator) async throws {
        try await session.delete("/webauthn/authenticator/\(authenticator.id)")
    }
}
