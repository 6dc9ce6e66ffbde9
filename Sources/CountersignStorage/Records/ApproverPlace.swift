public import Countersign

/// The place where a person reads, answers or undoes a request. Its cases are stored with an answer, so their names stay.
public enum ApproverPlace: Sendable, Hashable, Codable {
    /// A page, in the browser session of this identifier, with the name of the browser; the audit notes neither.
    case browser(ApproverID?, name: String?)
    /// The app of this sign-in, on an enrolled device or not.
    case app(Grant.ID)
    /// An enrolled device.
    case device(DeviceRegistration.ID)
    /// An app of this client without an enrolled device.
    case client(ClientID)
    /// A device with the older SDK; the audit does not note its identifier.
    case olderDevice(DeviceRegistration.ID?)
    /// The page behind a link in a text message.
    case textMessage

    /// A page, in a browser that is not noted.
    package static let page = ApproverPlace.browser(nil, name: nil)
}
