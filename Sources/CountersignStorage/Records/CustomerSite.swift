public import FoundationEssentialsCompat

/// A site: the site of a customer who lets people answer its requests with their devices.
///
/// It is also a client of the same identifier, so that policy, locks, removal and the audit apply to it. This record
/// has the additional fields.
public struct CustomerSite: Sendable, Equatable {
    /// A secret that the server can read again, because it verifies HS256 tokens.
    public struct SealedSecret: Sendable, Equatable {
        /// The secret, sealed under a key of the server.
        public let bytes: [UInt8]

        /// Restores a sealed secret.
        public init(restoring bytes: [UInt8]) {
            self.bytes = bytes
        }
    }

    /// A secret that has a successor and is still accepted.
    public struct ReplacedSecret: Sendable, Equatable {
        /// The secret.
        public let sealed: SealedSecret
        /// From this instant on it is refused.
        public let ends: Date

        /// Creates a replaced secret.
        public init(sealed: SealedSecret, ends: Date) {
            self.sealed = sealed
            self.ends = ends
        }
    }

    /// The limits on the text messages of a site.
    public struct TextAllowance: Sendable, Equatable {
        /// The beginnings of the numbers that texts may go to, such as `+31`; empty for every number.
        public var prefixes: [String]
        /// The largest number of texts in 24 hours; `nil` for no limit.
        public var perDay: Int?

        /// Creates an allowance.
        public init(prefixes: [String] = [], perDay: Int? = 1_000) {
            self.prefixes = prefixes
            self.perDay = perDay
        }

        /// Whether a text may be sent to a number.
        ///
        /// - Parameter number: The number in the international form.
        public func admits(_ number: PhoneNumber) -> Bool {
            perDay != 0 && (prefixes.isEmpty || prefixes.contains { number.text.hasPrefix($0) })
        }
    }

    /// The site.
    public let id: CustomerSiteID
    /// The name that devices show to people.
    public var name: String
    /// The address of its picture; `nil` for none.
    public var iconURL: String?
    /// The secret shared with the customer's server.
    public var secret: SealedSecret
    /// The previous secret while it is accepted.
    public var replaced: ReplacedSecret?
    /// The address of the customer's server for decisions; `nil` when that server polls.
    public var webhook: String?
    /// Whether devices with the older SDK may answer its requests.
    public var allowsLegacyDevices: Bool
    /// The limits on its text messages.
    public var texts: TextAllowance
    /// The time when it was added.
    public let created: Date

    /// The client of the same identifier.
    public var client: ClientID { ClientID(id.rawValue) }

    /// The site in the list of a device.
    public var listed: CustomerSiteListing { CustomerSiteListing(id: id, name: name, iconURL: iconURL) }

    /// Creates a site to store.
    public init(
        id: CustomerSiteID,
        name: String,
        iconURL: String? = nil,
        secret: SealedSecret,
        replaced: ReplacedSecret? = nil,
        webhook: String? = nil,
        allowsLegacyDevices: Bool = false,
        texts: TextAllowance = TextAllowance(),
        created: Date
    ) {
        self.id = id
        self.name = name
        self.iconURL = iconURL
        self.secret = secret
        self.replaced = replaced
        self.webhook = webhook
        self.allowsLegacyDevices = allowsLegacyDevices
        self.texts = texts
        self.created = created
    }
}
