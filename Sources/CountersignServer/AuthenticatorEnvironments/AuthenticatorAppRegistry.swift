package import Countersign
internal import Foundation

/// The apps in which the authenticator is built, as an operator manages them.
package struct AuthenticatorAppRegistry: Sendable {
    private let store: any Store
    private let administrator: Administrator
    private let mint: CodeMint
    private let clock: TimeSource

    package init(
        of store: any Store,
        for administrator: Administrator = .operator,
        mint: CodeMint,
        clock: TimeSource
    ) {
        self.store = store
        self.administrator = administrator
        self.mint = mint
        self.clock = clock
    }

    /// Why an app cannot be added.
    package enum Refused: Error, CustomStringConvertible {
        /// The name is none.
        case name
        /// An identifier of a push service has other characters.
        case identifier

        /// In English, for administrators.
        package var description: String { shown.english }

        /// As a page shows it.
        var shown: LocalizedText {
            switch self {
            case .name: .text(.environmentsBadAppName)
            case .identifier: .text(.environmentsBadIdentifier)
            }
        }
    }

    private static func isIdentifier(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                $0 == UInt8(ascii: ":") || $0 != UInt8(ascii: "~") && URLSafeText.isUnreserved($0)
            }
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
    /// - Throws: ``Refused`` for what cannot be; errors of the store.
    package func add(named name: String, bundleID: String?, project: String?) async throws -> AuthenticatorApp {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard name.isLine(of: 1...100) else { throw Refused.name }
        guard (bundleID.map(Self.isIdentifier) ?? true) && (project.map(Self.isIdentifier) ?? true) else {
            throw Refused.identifier
        }
        let app = AuthenticatorApp(
            key: AppKey(mint.uuid()), name: name, bundleID: bundleID, project: project, created: clock.now())
        try await store.change { repositories in
            try administrator.authorize(in: repositories)
            try repositories.authenticatorApps.insert(app)
            try repositories.record(
                administrator.facts(.appKeyAdded, at: app.created, detail: "\(app.key), \(app.name)"))
        }
        return app
    }

    /// Removes an app: its key does not work any more.
    ///
    /// - Parameter key: The key of the app.
    /// - Returns: Whether there was such an app.
    /// - Throws: Errors of the store.
    package func remove(_ key: AppKey) async throws -> Bool {
        let now = clock.now()
        return try await store.change { repositories in
            try administrator.authorize(in: repositories)
            guard try repositories.authenticatorApps.remove(key) else { return false }
            try repositories.record(administrator.facts(.appKeyRemoved, at: now, detail: key.rawValue))
            return true
        }
    }
}
