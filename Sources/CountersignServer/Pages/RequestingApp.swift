/// The app of an authorization request, which continues after the sign-in.
struct RequestingApp: Sendable {
    /// The name of the app; `nil` when its request needs no person.
    let name: String?
    /// Whether the app chose that name itself.
    var isSelfNamed = false
    /// The `form-action` source of its redirect URI.
    let formSources: String
    /// The requested language.
    var language: PageLanguage?
}
