#if PostgreSQL
internal import Countersign
internal import CountersignServer

/// News on their way to other nodes: a text that NOTIFY carries.
///
/// It is a row of fields, each with the number of its bytes before it: the name of the node that sends it, then for each
/// piece of news its kind and what it is about.
struct NewsMessage: Equatable {
    /// PostgreSQL takes less than 8,000 bytes in one notification.
    static let longest = 7_900

    let node: String
    let news: [StoreNews]

    /// As many texts as it takes to send the news.
    static func texts(of news: [StoreNews], from node: String) -> [String] {
        let head = field(node)
        var texts: [String] = []
        var text = head
        for one in news {
            var fields = fields(of: one).map(field).joined()
            // Somebody chose a very long name; what happened to it is not worth a second form.
            if head.utf8.count + fields.utf8.count > longest { fields = Self.fields(of: .anything).map(field).joined() }
            if text.utf8.count + fields.utf8.count > longest {
                texts.append(text)
                text = head
            }
            text += fields
        }
        return text == head ? texts : texts + [text]
    }

    /// Reads a text; what it cannot understand may be news of any kind.
    init(parsing text: String) {
        var rest = Array(text.utf8)[...]
        node = Self.nextField(in: &rest) ?? ""
        var news: [StoreNews] = []
        while !rest.isEmpty {
            guard let one = Self.nextNews(in: &rest) else {
                news.append(.anything)
                break
            }
            news.append(one)
        }
        self.news = news
    }

    private static func fields(of news: StoreNews) -> [String] {
        switch news {
        case .client(let id): ["client", id.rawValue.column]
        case .person(let subject): ["person", subject.rawValue.column]
        case .domain(let name): ["domain", name.rawValue.column]
        case .exchange(let id, let deviceCode): ["exchange", id.rawValue.column, hexadecimal(deviceCode.bytes)]
        case .accessToken(let token): ["accessToken", hexadecimal(token.bytes)]
        case .tokensOfGrant(let grant): ["tokensOfGrant", grant.rawValue.column]
        case .tokensOfClient(let client): ["tokensOfClient", client.rawValue.column]
        case .serverKeys: ["serverKeys"]
        case .anything, .lineLost: ["anything"]
        }
    }

    private static func nextNews(in rest: inout ArraySlice<UInt8>) -> StoreNews? {
        switch nextField(in: &rest) {
        case "client": nextField(in: &rest).map { .client(ClientID($0)) }
        case "person": nextField(in: &rest).map { .person(Subject($0)) }
        case "domain": nextField(in: &rest).map { .domain(Domain($0)) }
        case "exchange":
            if let id = nextField(in: &rest), let code = nextField(in: &rest).flatMap(bytes) {
                .exchange(SignInRequest.ID(id), deviceCode: SecretDigest(restoring: code))
            } else {
                nil
            }
        case "accessToken":
            nextField(in: &rest).flatMap(bytes).map { .accessToken(SecretDigest(restoring: $0)) }
        case "tokensOfGrant": nextField(in: &rest).map { .tokensOfGrant(Grant.ID($0)) }
        case "tokensOfClient": nextField(in: &rest).map { .tokensOfClient(ClientID($0)) }
        case "serverKeys": .serverKeys
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
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        guard digits.count == 64, hexadecimal.utf8.count == 64 else { return nil }
        return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
#endif
