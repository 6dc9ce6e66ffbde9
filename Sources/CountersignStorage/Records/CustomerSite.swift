public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The site of a customer who lets people answer its requests with their devices.
///
/// It is a client too, of the same identifier, so that policy, locks, removal and the audit apply to it as to every
/// client. This record has what a client has not.
public struct CustomerSite: Sendable, Equatable {
    /// A secret that the server has to read again, because tokens by HS256 are verified with it.
    public struct SealedSecret: Sendable, Equatable {
        /// The secret, sealed under a key of the server.
        public let bytes: [UInt8]

        /// Takes over what was sealed.
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

    /// Which text messages are sent for a site.
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

        /// Whether texts may go to a number at all.
        ///
        /// - Parameter number: The number that a text would go to, in the international form.
        public func admits(_ number: PhoneNumber) -> Bool {
            perDay != 0 && (prefixes.isEmpty || prefixes.contains { number.text.hasPrefix($0) })
        }
    }

    /// The site.
    public let id: CustomerSiteID
    /// Its name, as people read it on their devices.
    public var name: String
    /// The address of its picture; `nil` for none.
    public var iconURL: String?
    /// The secret that the customer's server shares with this one.
    public var secret: SealedSecret
    /// The secret before, as long as it is accepted as well.
    public var replaced: ReplacedSecret?
    /// The address where the customer's server is told of decisions; `nil` when it asks for itself.
    public var webhook: String?
    /// Whether devices of the older dialect may answer its requests.
    public var allowsLegacyDevices: Bool
    /// Which text messages are sent for it.
    public var texts: TextAllowance
    /// The time when it was added.
    public let created: Date

    /// The client that it is.
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
