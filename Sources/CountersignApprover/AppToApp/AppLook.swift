internal import Countersign
internal import CountersignWire

/// The facts of a request of another app on this device, to which this app opens the answer.
protocol AppLook: LookDetails {
    /// The address of the answer; registered.
    var redirectURI: String { get }
    /// The permissions that the other app would get.
    var permissions: [AuthorizationLook.Permission] { get }
    /// Whether this person allowed that app all of it before.
    var isAllowedBefore: Bool { get }
    /// The name that the other app claims for its device; `nil` for none.
    var deviceName: String? { get }

    /// The look for its decision; `nil` when it is at another request than the one in the address, as far as the address
    /// shows it.
    ///
    /// - Parameters:
    ///   - look: The server's answer.
    ///   - address: The address that opened this app.
    static func kept(_ look: ApproverLook<Self>, for address: AuthorizationAddress) -> WaitingRequest.Look?
}

extension ApproverLook where Details: AppLook {
    /// The look for its decision; `nil` when it is at another request than the one in the address.
    func kept(for address: AuthorizationAddress) -> WaitingRequest.Look? { Details.kept(self, for: address) }
}

extension AuthorizationLook: AppLook {
    var deviceName: String? { nil }

    static func kept(_ look: ApproverLook<Self>, for address: AuthorizationAddress) -> WaitingRequest.Look? {
        guard case .authorization(of: let client, let request) = address.kind, look.client.value == client,
            request.map({ $0.challenge == look.details.challenge }) ?? true,
            request?.redirectURI.map({ $0 == look.details.redirectURI }) ?? true
        else { return nil }
        return .authorization(look, parameters: address.parameters)
    }
}

extension ActivationLook: AppLook {
    /// The person is asked each time.
    var isAllowedBefore: Bool { false }

    static func kept(_ look: ApproverLook<Self>, for address: AuthorizationAddress) -> WaitingRequest.Look? {
        guard case .activation(_, returningTo: let redirectURI) = address.kind,
            redirectURI.text == look.details.redirectURI
        else { return nil }
        return .activation(look, ActivationFinding(returningTo: redirectURI))
    }
}
