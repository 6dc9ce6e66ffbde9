internal import CountersignWire

/// The page that asks once before an act. Its form repeats the one that it asks about, with the mark of the answer.
struct ConfirmationView: Page {
    static let template = PageTemplate.confirmation

    let personName: String
    let formToken: String
    let question: LocalizedText
    /// The name and the identifier of the thing that the act is about.
    let name: LocalizedText?
    let identifier: String?
    let hasSubject: Bool
    let loss: LocalizedText
    let button: LocalizedText
    /// The path that receives the form, below the issuer.
    let action: String
    let fields: [Field]
    /// The path that leads back, below the issuer.
    let back: String

    /// A field of the form.
    struct Field: Sendable, Equatable {
        let field: String
        let value: String
    }

    var title: LocalizedText { question }

    /// - Parameters:
    ///   - act: The act.
    ///   - form: The form that asks for it.
    ///   - path: The path that receives the form, below the issuer.
    init(_ act: DestructiveAct, of form: Form, sentTo path: String, personName: String, formToken: String) {
        self.personName = personName
        self.formToken = formToken
        (question, name, identifier) = (act.question, act.name, act.identifier)
        hasSubject = act.name != nil || act.identifier != nil
        (loss, button, back, action) = (act.loss, act.button, act.back, path)
        var marked = form
        marked["form_token"] = nil
        marked[DestructiveAct.field] = DestructiveAct.mark
        fields = marked.parameters.map { Field(field: $0.name, value: $0.value) }
    }
}
