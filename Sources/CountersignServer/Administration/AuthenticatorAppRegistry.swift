internal import Countersign
internal import Foundation

/// The apps with the authenticator built in, as an operator manages them.
package struct AuthenticatorAppRegistry: Registry {
    private let administration: Administration

    package init(_ administration: Administration) {
        self.administration = administration
    }

    /// The parts of an app that an operator types.
    package enum Field: Sendable, CaseIterable {
        case name, bundleID, project

        /// The problem with it, as a page shows it.
        var problem: LocalizedText {
            switch self {
            case .name: .text(.sitesBadAppName)
            case .bundleID, .project: .text(.sitesBadIdentifier)
            }
        }
    }

    /// The app cannot be added.
    package struct ValidationError: Error, CustomStringConvertible {
        /// The fields that are wrong.
        package let fields: Set<Field>

        /// The first problem in English, for administrators.
        package var description: String {
            Field.allCases.first { fields.contains($0) }?.problem.english ?? ""
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
        try await administration.store.read { try $0.authenticatorApps.all() }
    }

    /// Some of the same apps by key: at most `limit`, after one.
    package func page(after last: AppKey?, limit: Int) async throws -> [AuthenticatorApp] {
        try await administration.store.read { try $0.authenticatorApps.page(after: last, limit: limit) }
    }

    /// Adds an app with a new key.
    ///
    /// - Parameters:
    ///   - name: The name that operators read.
    ///   - bundleID: Its identifier at Apple's push service.
    ///   - project: Its project at Google's push service.
    /// - Throws: ``ValidationError`` for what cannot be; errors of the store.
    package func add(named name: String, bundleID: String?, project: String?) async throws -> AuthenticatorApp {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        var wrong: Set<Field> = []
        if !name.isLine(of: 1...100) { wrong.insert(.name) }
        if let bundleID, !Self.isIdentifier(bundleID) { wrong.insert(.bundleID) }
        if let project, !Self.isIdentifier(project) { wrong.insert(.project) }
        guard wrong.isEmpty else { throw ValidationError(fields: wrong) }
        let app = AuthenticatorApp(
            key: AppKey(administration.mint.uuid()),
            name: name,
            bundleID: bundleID,
            project: project,
            created: administration.clock.now()
        )
        try await administration.change(.change(.sites), at: app.created) { repositories in
            try repositories.authenticatorApps.insert(app)
            try Audit(repositories).record(
                administration.administrator.facts(.appKeyAdded, at: app.created, detail: "\(app.key), \(app.name)"))
        }
        return app
    }

    /// Removes an app: its key does not work any more.
    ///
    /// - Parameter key: The key of the app.
    /// - Returns: Whether there was such an app.
    /// - Throws: Errors of the store.
    package func remove(_ key: AppKey) async throws -> Bool {
        let now = administration.clock.now()
        return try await administration.change(.change(.sites), at: now) { repositories in
            guard try repositories.authenticatorApps.remove(key) else { return false }
            try Audit(repositories).record(
                administration.administrator.facts(.appKeyRemoved, at: now, detail: key.rawValue))
            return true
        }
    }
}
