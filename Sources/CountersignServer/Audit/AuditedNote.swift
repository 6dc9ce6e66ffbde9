/// The parts of the note about an answer in the audit.
struct AuditedNote: Sendable {
    private let parts: [Substring]

    init(_ detail: String?) {
        parts = (detail ?? "").split(separator: ", ")
    }

    /// Whether one part is `text`.
    func has(_ text: String) -> Bool { parts.contains { $0 == text } }

    /// The app that signed the answer; `nil` when none did.
    var app: ClientID? {
        let places = Array(zip(parts, parts.dropFirst())).last { $0.hasPrefix("by ") && $1.hasPrefix("key ") }
        return places.map { ClientID(String($0.0.dropFirst(3))) }
    }
}
