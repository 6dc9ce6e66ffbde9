/// The app of a provider on the person's device, which signs other apps in without a password.
public struct ProviderApp: Sendable, Hashable {
    /// An address that can be opened only if the app is installed, such as `foursquare://`.
    public var probe: String
    /// The address that asks the app for authorization; an app that is too old does not open it.
    public var authorization: String
    /// Additional parameters that the app needs, such as the version of its protocol.
    public var parameters: [Parameter]
    /// The page for getting the app; `nil` when none is known.
    public var store: StorePage?

    /// A parameter with a fixed value.
    public struct Parameter: Sendable, Hashable {
        /// The name of the parameter.
        public let name: String
        /// The value of the parameter before encoding.
        public let value: String

        /// A parameter with a fixed value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The page for getting the app.
    public struct StorePage: Sendable, Hashable {
        /// The identifier of the app in the store, for a sheet over the app.
        public let item: String
        /// The page of the app in the store.
        public let address: String

        /// A page of a store.
        public init(item: String, address: String) {
            self.item = item
            self.address = address
        }
    }

    /// Describes the app of a provider.
    public init(probe: String, authorization: String, parameters: [Parameter] = [], store: StorePage? = nil) {
        self.probe = probe
        self.authorization = authorization
        self.parameters = parameters
        self.store = store
    }
}
