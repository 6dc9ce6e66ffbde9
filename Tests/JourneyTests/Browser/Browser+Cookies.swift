import Foundation

/// A cookie as the browser keeps it.
struct BrowserCookie: Sendable, Equatable, Decodable {
    let name: String
    let value: String
    let domain: String
    let path: String
    let httpOnly: Bool
    let secure: Bool
    /// `Strict`, `Lax` or `None`.
    let sameSite: String?
    /// Seconds since 1970; nil for a cookie that goes with the browser.
    let expiry: Double?
}

extension Browser {
    /// The cookies that the open page's address would be sent, those hidden from scripts included.
    func cookies() async throws -> [BrowserCookie] {
        let value = try await session.get("/cookie")
        return try JSONDecoder().decode([BrowserCookie].self, from: JSONEncoder().encode(value))
    }

    func cookie(_ name: String) async throws -> BrowserCookie? {
        try await cookies().first { $0.name == name }
    }

    /// Sets a cookie for the open page's address, as a stranger who stole or made one up would.
    func setCookie(_ name: String, to value: String) async throws {
        try await session.post("/cookie", ["cookie": ["name": .string(name), "value": .string(value)]])
    }
}
