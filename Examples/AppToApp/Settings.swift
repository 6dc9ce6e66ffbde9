import CountersignRequester
import Foundation

/// The settings of the first action, kept for the second one; beside them are the sealed tokens.
struct Settings: Codable {
    let issuer: String
    let client: String
    let options: [String]

    /// The directory of everything that the app keeps.
    private static var directory: URL {
        let home = ProcessInfo.processInfo.environment["XDG_DATA_HOME"] ?? "\(NSHomeDirectory())/.local/share"
        return URL(fileURLWithPath: home).appendingPathComponent("countersign-app-to-app")
    }

    private static var file: URL { directory.appendingPathComponent("settings.json") }

    static func saved() throws -> Settings {
        try JSONDecoder().decode(Settings.self, from: Data(contentsOf: file))
    }

    func save() throws {
        try FileManager.default.createDirectory(at: Self.directory, withIntermediateDirectories: true)
        try JSONEncoder().encode(self).write(to: Self.file)
    }

    /// The app's own server, if it has one.
    var backend: Backend? {
        options.first { $0.hasPrefix("backend=") }.map { Backend(address: String($0.dropFirst("backend=".count))) }
    }

    /// The sign-in, the same in both actions.
    func signIn() throws -> AppToAppSignIn {
        AppToAppSignIn(
            at: try provider(),
            as: ClientID(client),
            returningTo: options.contains("universal")
                ? AppRedirects(native: AppToApp.native, universal: AppToApp.universal)
                : AppRedirects(native: AppToApp.native),
            for: Scope([.openid, .profile, .offlineAccess]),
            opening: opener,
            keepingTokensIn: SealedFileTokenStore(directory: Self.directory.appendingPathComponent("tokens").path)
        )
    }

    private func provider() throws -> ProviderProfile {
        guard issuer != "foursquare" else { return .foursquare }
        var profile = ProviderProfile(discoveredAt: try Issuer(issuer))
        // An app of the provider, as `Declarations/provider.desktop` declares it.
        profile.app = ProviderApp(
            probe: "com.example.provider:",
            authorization: "com.example.provider.authorize:/authorize",
            store: ProviderApp.StorePage(item: "1", address: "https://store.example.com/provider")
        )
        return profile
    }

    private var opener: any AppOpener {
        #if os(macOS)
        WorkspaceOpener()
        #else
        XDGOpener(links: options.contains("schemes-only") ? .schemesOnly : .schemesAndWebAddresses)
        #endif
    }
}
