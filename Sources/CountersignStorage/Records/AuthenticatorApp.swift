#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An app with the authenticator built in, as an operator knows it.
///
/// Its key is part of every installed app, so it is no secret: it says which app registers, and stops that app from
/// registering once it was removed.
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
