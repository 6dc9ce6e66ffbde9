/// `/activate`: a signed-in person types the code that a screen shows.
struct CodeEntryView: Page {
    static let template = PageTemplate.codeEntry

    /// Who is signed in.
    let personName: String
    /// Goes back as `form_token`.
    let formToken: String
    /// What was typed before.
    var userCode = ""
    /// Something to know that is no problem.
    var notice: String?
    /// Why the last code was not taken.
    var problem: String?

    var title: String { problem == nil ? "Enter a code" : "Problem: Enter a code" }

    /// The notice for a person who came by a link and said *This is not my screen* (`?not_mine=1`).
    static let notMyScreen = """
        Nothing was approved, and the request ends by itself. If someone sent you that link or picture, \
        don’t open it again. If your own screen shows another code, type that one.
        """
}
