internal import CountersignWire

/// An act that ends, removes or replaces something for good, in the words of the page that asks once before it.
struct DestructiveAct: Sendable {
    /// The question: "Remove this passkey?"
    let question: LocalizedText
    /// The name of the thing that the act is about; `nil` for none.
    var name: LocalizedText?
    /// Its identifier, which is shown as code; `nil` for none.
    var identifier: String?
    /// The loss, in a sentence or two.
    let loss: LocalizedText
    /// The text of the button that does it.
    let button: LocalizedText
    /// The path of the page to return to without it, below the issuer.
    var back = "/account"

    /// The form field of the answer.
    static let field = "confirmed"
    /// Its value.
    static let mark = "yes"
}

extension Form {
    /// Whether the person confirmed the act of this form.
    var isConfirmed: Bool { self[DestructiveAct.field] == DestructiveAct.mark }
}
