public import Countersign
public import CountersignWire

/// A button of a notification.
public struct NotificationAction: Sendable, Hashable {
    /// Identifies a button, and its answer if it has one.
    public struct ID: Identifier {
        /// The identifier as text.
        public let rawValue: String
        /// Creates an identifier from any text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The button that approves.
        public static let approve = Self("approved")
        /// The button that denies.
        public static let deny = Self("denied")
    }

    /// The conditions for a button, and its looks.
    public enum Option: Sendable, Hashable, CaseIterable {
        /// The device has to be unlocked first.
        case needsUnlock
        /// It is shown as one that ends something.
        case isDestructive
        /// It opens the app.
        case opensApp
    }

    /// The button.
    public let id: ID
    /// The words on it, in the language of its person.
    public let title: String
    /// The conditions for the button, and its looks.
    public let options: Set<Option>

    /// A button.
    public init(_ id: ID, title: String, options: Set<Option> = []) {
        self.id = id
        self.title = title
        self.options = options
    }

    /// The button that approves; the device has to be unlocked.
    ///
    /// - Parameter title: The words on it; English by default.
    public static func approve(_ title: String = "Approve") -> Self {
        Self(.approve, title: title, options: [.needsUnlock])
    }

    /// The button that denies; the device has to be unlocked.
    ///
    /// - Parameter title: The words on it; English by default.
    public static func deny(_ title: String = "Deny") -> Self {
        Self(.deny, title: title, options: [.needsUnlock, .isDestructive])
    }
}

/// A kind of notifications, with the buttons that they have.
public struct NotificationCategory: Sendable, Hashable {
    /// The ways for the system to show notifications.
    public enum Option: Sendable, Hashable, CaseIterable {
        /// It shows them.
        case alert
        /// It plays a sound.
        case sound
        /// It counts them at the app's icon.
        case badge
    }

    /// The subject of the push messages of this category.
    public let kind: PushPayload.Kind
    /// The buttons, in their order.
    public let actions: [NotificationAction]
    /// The ways for the system to show them.
    public let options: Set<Option>

    /// A category.
    public init(
        _ kind: PushPayload.Kind,
        actions: [NotificationAction] = [],
        options: Set<Option> = Set(Option.allCases)
    ) {
        self.kind = kind
        self.actions = actions
        self.options = options
    }

    /// The default categories of an app: requests with Approve and Deny, and codes to scan.
    public static let standard = [
        NotificationCategory(.instant, actions: [.approve(), .deny()]), NotificationCategory(.scan),
    ]
}
