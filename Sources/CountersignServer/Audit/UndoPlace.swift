/// The place where an approval was undone.
enum UndoPlace: Sendable, Equatable {
    /// A page of this server, by the person who approved.
    case page
    /// An app that approves, by the person who approved.
    case approver(ApproverPlace)
    /// The screen that was signed in, whose client gave the tokens back within the minute.
    case screen

    private static let undone = "undone"
    private static let undoneAtScreen = "undone at the screen"

    /// Reads a place as the audit notes it; `nil` for other text.
    init?(audited text: String) {
        switch text {
        case Self.undone: self = .page
        case Self.undoneAtScreen: self = .screen
        default:
            guard text.hasPrefix("\(Self.undone) "),
                let place = ApproverPlace(audited: text.dropFirst(Self.undone.count + 1))
            else { return nil }
            self = .approver(place)
        }
    }

    /// The undo and its place, as the audit notes them.
    var audited: String {
        switch self {
        case .page: Self.undone
        case .approver(let place): "\(Self.undone) \(place.audited)"
        case .screen: Self.undoneAtScreen
        }
    }
}
