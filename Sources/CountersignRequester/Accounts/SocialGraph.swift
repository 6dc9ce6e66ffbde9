internal import CountersignWire

/// The endpoint of a provider of the social-graph kind.
///
/// ```swift
/// var provider = SocialGraphProvider.facebook
/// provider.version = "v23.0"
/// ```
public struct SocialGraphProvider: Sendable, Hashable {
    /// The provider of the accounts.
    public var id: AccountProviderID
    /// The https address of the interface, without a slash at its end.
    public var base: String
    /// The version prefix of each path; the provider retires versions after some two years.
    public var version: String
    /// The time limit of one request; 15 s by default.
    public var timeLimit = Duration.seconds(15)

    /// A provider.
    public init(id: AccountProviderID, base: String, version: String) {
        self.id = id
        self.base = base
        self.version = version
    }

    /// Facebook.
    public static let facebook = SocialGraphProvider(
        id: .facebook, base: "https://graph.facebook.com", version: "v23.0")

    /// The address of the resource at `path`.
    func address(_ path: String) -> String { "\(base)/\(version)/\(path)" }

    /// The address of a person's picture, which leads on to the picture itself. Newer versions of the interface require
    /// a token for it.
    func avatar(of id: String) -> String {
        let escaped = id.utf8.map { byte -> String in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + String(UInt16(byte) + 0x100, radix: 16).dropFirst()
        }.joined()
        return address("\(escaped)/picture?type=large")
    }
}

/// The person as the provider writes it.
struct SocialGraphProfile: Decodable, Sendable {
    let id: String
    let name: String
    let email: String?
    /// The public address of the picture itself; `nil` if unknown.
    let picture: String?

    /// The requested members.
    static let fields = "id,name,email,picture.type(large)"

    private enum CodingKeys: CodingKey {
        case id, name, email, picture
    }

    private struct Picture: Decodable {
        struct Data: Decodable { let url: String }
        let data: Data
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(String.self, forKey: .id)
        name = try members.decode(String.self, forKey: .name)
        email = try members.decodeIfPresent(String.self, forKey: .email)
        // A picture that cannot be read or fetched ends no sign-in.
        let address = (try? members.decodeIfPresent(Picture.self, forKey: .picture))?.data.url
        picture = address.flatMap { (try? CountersignWire.Endpoint($0)) == nil ? nil : $0 }
    }
}

/// The attempts left when a provider refuses a token: the whole sign-in once more, and one renewal.
struct SocialGraphRetries: Sendable, Equatable {
    /// The next step.
    enum Next: Sendable, Hashable {
        /// The sign-in begins again, with the question for permission.
        case startOver
        /// The system renews the account, and the request is sent again.
        case renew
        /// There is nothing left to try.
        case giveUp
    }

    private var startedOver = false
    private var renewed = false

    /// Takes an error of the provider.
    mutating func refuse(code: Int, subcode: Int?) -> Next {
        guard code == SocialGraphError.tokenRefused else { return .giveUp }
        if subcode == SocialGraphError.appRemoved, !startedOver {
            startedOver = true
            return .startOver
        }
        guard !renewed else { return .giveUp }
        renewed = true
        return .renew
    }
}
