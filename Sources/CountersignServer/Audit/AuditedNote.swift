/// The note of an audit entry about a request, read in parts.
struct AuditedNote: Sendable {
    private let detail: Substring
    private let parts: [Substring]
    /// Whether it is about an undone approval.
    let isUndo: Bool

    init(_ detail: String?) {
        let text = detail ?? ""
        isUndo = text == ApprovalNote.undone || text.hasPrefix("\(ApprovalNote.undone) ")
        self.detail = isUndo ? text.dropFirst(ApprovalNote.undone.count + 1) : text[...]
        parts = text.split(separator: ", ")
    }

    /// Whether one part is `text`.
    func has(_ text: String) -> Bool { parts.contains { $0 == text } }

    /// The place of the person who acted; `nil` when none is known.
    var place: ApproverPlace? {
        if let place = ApproverPlace(audited: detail) { return place }
        if let app { return .client(app) }
        if has("older dialect") { return .olderDevice(nil) }
        if has("by the link in a text message") { return .textMessage }
        return has("by a ticket") ? nil : .page
    }

    /// The app that signed the answer; `nil` when none did.
    private var app: ClientID? {
        let places = Array(zip(parts, parts.dropFirst())).last { $0.hasPrefix("by ") && $1.hasPrefix("key ") }
        return places.map { ClientID(String($0.0.dropFirst(3))) }
    }
}
