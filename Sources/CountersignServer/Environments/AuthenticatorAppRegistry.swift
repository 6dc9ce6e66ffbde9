package import Countersign
package import Foundation

/// The apps in which the authenticator is built, as an operator manages them.
package struct AuthenticatorAppRegistry: Sendable {
    private let store: any Store
    private let mint: CodeMint
    private let now: @Sendable () -> Date

    package init(of store: any Store, mint: CodeMint, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.mint = mint
        self.now = now
    }

    /// All apps, the oldest first.
    package func all() async throws -> [AuthenticatorApp] {
        try await store.read { try $0.authenticatorApps.all() }
    }

    /// Adds an app with a new key.
    ///
    /// - Parameters:
    ///   - name: The name that operators read.
    ///   - bundleID: Its identifier at Apple's push service.
    ///   - project: Its project at Google's push service.
    /// - Throws: Errors of the store.
    package func add(named name: String, bundleID: String?, project: String?) async throws -> AuthenticatorApp {
        let app = AuthenticatorApp(
            key: AppKey(mint.uuid()), name: name, bundleID: bundleID, project: project, created: now())
        try await store.change { repositories in
            try repositories.authenticatorApps.insert(app)
            try repositories.record(
                AuditEntry.Facts(at: app.created, .appKeyAdded, by: .operator, detail: "\(app.key), \(app.name)"))
        }
        return app
    }

    /// Removes an app: its key does not work any more.
    ///
    /// - Parameter key: The key of the app.
    /// - Returns: Whether there was such an app.
    /// - Throws: Errors of the store.
    package func remove(_ key: AppKey) async throws -> Bool {
        let now = now()
        return try await store.change { repositories in
            guard try repositories.authenticatorApps.remove(key) else { return false }
            try repositories.record(AuditEntry.Facts(at: now, .appKeyRemoved, by: .operator, detail: key.rawValue))
            return true
        }
    }
}
