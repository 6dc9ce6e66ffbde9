public import FoundationEssentialsCompat

/// An app that contains the authenticator, as an operator registered it.
///
/// Its key is part of every installed app and no secret: it identifies the app that registers. An app whose key was
/// removed can no longer register.
public struct AuthenticatorApp: Sendable, Equatable {
    /// The key that is built into the app.
    public let key: AppKey
    /// The name that operators read.
    public var name: String
    /// The app's identifier at Apple's push service (the topic); `nil` when there is none.
    public var bundleID: String?
    /// The app's project at Google's push service; `nil` when there is none.
    public var project: String?
    /// The time when it was added.
    public let created: Date

    /// Creates an app to store.
    public init(key: AppKey, name: String, bundleID: String? = nil, project: String? = nil, created: Date) {
        self.key = key
        self.name = name
        self.bundleID = bundleID
        self.project = project
        self.created = created
    }
}
