/// An app that asks for authorization and is answered after the person has signed in.
struct RequestingApp: Sendable {
    /// The name of the app; `nil` when it goes on without the person.
    let name: String?
    /// Whether the app gave itself that name.
    var isSelfNamed = false
    /// The address that the browser may be redirected to at once, where the app needs no other answer, as a source of
    /// forms.
    let formSources: String
    /// The language that it asks for.
    var language: PageLanguage?
}
