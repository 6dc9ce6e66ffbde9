/// A device in the list of a person's approving devices.
///
/// This is an addition of Countersign.
public struct DeviceListing: Sendable, Hashable, Codable {
    /// The device.
    public let id: DeviceRegistration.ID
    /// The person's name for it; `nil` when they gave it none.
    public var name: String?
    /// Its model, self-reported; `nil` when it has none.
    public var model: String?
    /// The kind of its system, self-reported; `nil` when it has none.
    public var platform: String?
    /// The time of its addition, in seconds since 1970.
    public let added: Int
    /// The time when it was last seen, in seconds since 1970, to the hour.
    public let seen: Int
    /// Whether it is the device that asks.
    public let isCurrent: Bool
    /// The time of the last change of the person's password, in seconds since 1970, in the description of the device
    /// that asks; `nil` in others, and for the password that the account began with.
    public var passwordChanged: Int?

    /// Describes a device.
    public init(
        id: DeviceRegistration.ID,
        name: String? = nil,
        model: String? = nil,
        platform: String? = nil,
        added: Int,
        seen: Int,
        isCurrent: Bool
    ) {
        self.id = id
        self.name = name
        self.model = model
        self.platform = platform
        self.added = added
        self.seen = seen
        self.isCurrent = isCurrent
    }

    enum CodingKeys: String, CodingKey {
        case id, name, model, platform, added, seen
        case isCurrent = "current"
        case passwordChanged = "password_changed"
    }
}

/// A person gives one of their devices a name.
///
/// This is an addition of Countersign.
package struct DeviceNameRequest: Sendable, Equatable {
    /// The name; an empty one takes it away.
    package let name: String

    package init(name: String) { self.name = name }

    package var form: Form { ["name": name] }
}
