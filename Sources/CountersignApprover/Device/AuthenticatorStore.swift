public import Countersign
internal import FoundationEssentialsCompat

/// Identifies an item that an authenticator stores.
public struct AuthenticatorItem: Identifier {
    /// The name as text; it holds no secret.
    public let rawValue: String
    /// Names an item.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The store of an authenticator's persistent state: on this device only, and sealed, since it holds secrets of
/// sites.
///
/// ``TokenStoreAuthenticatorItems`` keeps it in the store that has the app's tokens.
public protocol AuthenticatorStore: Sendable {
    /// Reads an item.
    ///
    /// - Parameter item: Which one.
    /// - Returns: The bytes that were saved last; `nil` when there are none.
    /// - Throws: Any `Error` of the store; the call then ends in ``ApprovalError`` with code `storeUnusable`.
    func load(_ item: AuthenticatorItem) async throws -> [UInt8]?

    /// Stores an item, in place of an existing one.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to keep; they may hold secrets.
    ///   - item: Which one.
    /// - Throws: Any `Error` of the store; the item before it is still there then.
    func save(_ bytes: [UInt8], for item: AuthenticatorItem) async throws

    /// Removes an item, if there is one.
    ///
    /// - Parameter item: Which one.
    /// - Throws: Any `Error` of the store.
    func remove(_ item: AuthenticatorItem) async throws
}

extension AuthenticatorStore {
    /// Reads a message that was stored; `nil` when there is none, or it cannot be read any more.
    func message<Message: Decodable>(_ item: AuthenticatorItem) async throws(ApprovalError) -> Message? {
        let bytes = try await ApprovalError.mapping(to: .storeUnusable, at: "\(item): ") { try await load(item) }
        return bytes.flatMap { try? JSONDecoder().decode(Message.self, from: Data($0)) }
    }

    func keep(_ message: some Encodable, as item: AuthenticatorItem) async throws(ApprovalError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try await ApprovalError.mapping(to: .storeUnusable, at: "\(item): ") {
            try await save(Array(encoder.encode(message)), for: item)
        }
    }

    /// Removes an item.
    func forget(_ item: AuthenticatorItem) async throws(ApprovalError) {
        try await ApprovalError.mapping(to: .storeUnusable, at: "\(item): ") { try await remove(item) }
    }
}
