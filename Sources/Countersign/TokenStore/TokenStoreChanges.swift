/// The keys whose items may have changed, for screens that show or use stored items; it ends with the store.
///
/// ```swift
/// for await key in store.changes where key == .signIn(at: issuer, as: client) {
///     screen.show(try await store.signedIn(for: key))
/// }
/// ```
public typealias TokenStoreChanges = AsyncStream<TokenStoreKey>
