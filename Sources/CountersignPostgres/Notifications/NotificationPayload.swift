#if PostgreSQL
internal import Countersign
internal import CountersignSQL
internal import CountersignStorage

/// Changes as the text of a NOTIFY to other nodes.
///
/// It is a sequence of fields, each after its length in bytes: the name of the sending node, then for each change its
/// kind and its values.
struct NotificationPayload: Equatable {
    /// A notification of PostgreSQL must be shorter than 8,000 bytes.
    static let longest = 7_900

    let node: String
    let changes: [StoreChange]

    /// The texts for the changes, as many as needed.
    static func texts(of changes: [StoreChange], from node: String) -> [String] {
        let head = field(node)
        var texts: [String] = []
        var text = head
        for change in changes {
            var fields = fields(of: change).map(field).joined()
            // A change with a very long name is sent as "anything changed".
            if head.utf8.count + fields.utf8.count > longest { fields = Self.fields(of: .anything).map(field).joined() }
            if text.utf8.count + fields.utf8.count > longest {
                texts.append(text)
                text = head
            }
            text += fields
        }
        return text == head ? texts : texts + [text]
    }

    /// Reads a text; an unknown change is read as "anything changed".
    init(parsing text: String) {
        var rest = Array(text.utf8)[...]
        node = Self.nextField(in: &rest) ?? ""
        var changes: [StoreChange] = []
        while !rest.isEmpty {
            guard let change = Self.nextChange(in: &rest) else {
                changes.append(.anything)
                break
            }
            changes.append(change)
        }
        self.changes = changes
    }

    private static func fields(of change: StoreChange) -> [String] {
        switch change {
        case .client(let id): ["client", id.rawValue.withoutNull]
        case .person(let subject): ["person", subject.rawValue.withoutNull]
        case .domain(let name): ["domain", name.rawValue.withoutNull]
        case .exchange(let id, let requestCode): ["exchange", id.rawValue.withoutNull, hexadecimal(requestCode.bytes)]
        case .accessToken(let token): ["accessToken", hexadecimal(token.bytes)]
        case .tokensOfGrant(let grant): ["tokensOfGrant", grant.rawValue.withoutNull]
        case .tokensOfClient(let client): ["tokensOfClient", client.rawValue.withoutNull]
        case .inbox(let subject): ["inbox", subject.rawValue.withoutNull]
        case .serverKeys: ["serverKeys"]
        case .groups: ["groups"]
        case .claims: ["claims"]
        case .anything, .notificationsLost: ["anything"]
        }
    }

    private static func nextChange(in rest: inout ArraySlice<UInt8>) -> StoreChange? {
        switch nextField(in: &rest) {
        case "client": nextField(in: &rest).map { .client(ClientID($0)) }
        case "person": nextField(in: &rest).map { .person(Subject($0)) }
        case "domain": nextField(in: &rest).map { .domain(Domain($0)) }
        case "exchange":
            if let id = nextField(in: &rest), let code = nextField(in: &rest).flatMap(bytes) {
                .exchange(SignInRequest.ID(id), requestCode: SecretDigest(restoring: code))
            } else {
                nil
            }
        case "accessToken":
            nextField(in: &rest).flatMap(bytes).map { .accessToken(SecretDigest(restoring: $0)) }
        case "tokensOfGrant": nextField(in: &rest).map { .tokensOfGrant(Grant.ID($0)) }
        case "tokensOfClient": nextField(in: &rest).map { .tokensOfClient(ClientID($0)) }
        case "inbox": nextField(in: &rest).map { .inbox(Subject($0)) }
        case "serverKeys": .serverKeys
        case "groups": .groups
        case "claims": .claims
        case "anything": .anything
        default: nil
        }
    }

    // MARK: Fields

    private static func field(_ text: String) -> String { "\(text.utf8.count):\(text)" }

    private static func nextField(in rest: inout ArraySlice<UInt8>) -> String? {
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")),
            let count = Int(String(decoding: rest[..<colon], as: UTF8.self)),
            count >= 0, count < rest.endIndex - colon
        else { return nil }
        let text = rest[(colon + 1)...].prefix(count)
        rest = rest[text.endIndex...]
        return String(decoding: text, as: UTF8.self)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8]? {
        hexadecimal.utf8.count == 64 ? HexadecimalText.decode(hexadecimal) : nil
    }
}
#endif
