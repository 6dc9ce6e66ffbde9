internal import Countersign
public import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes

extension Approver {
    /// The description and the store of an enrolled device.
    ///
    /// - Throws: ``ApprovalError`` `notRegistered` for an app that is none.
    nonisolated func device() throws(ApprovalError) -> (details: DeviceDetails, store: any AuthenticatorStore) {
        switch kind {
        case .app: throw ApprovalError(.notRegistered, because: "this app is no enrolled device")
        case .device(let details, let store): return (details, store)
        }
    }

    /// Registers the device, or updates its registration; the same device every time, also after a restart.
    ///
    /// Calls at the same time are sent one after another.
    ///
    /// - Parameter change: Additional details of the device; none by default.
    /// - Returns: The state of the device.
    /// - Throws: ``ApprovalError``: `refused` for a number or token that is malformed, `wrongCode` for a wrong
    ///   verification code, `busy` after too many of them, `keyUnusable`, `storeUnusable`; others by network and
    ///   server.
    @discardableResult
    public func register(_ change: DeviceDetails = DeviceDetails()) async throws(ApprovalError) -> DeviceRegistration {
        try await registrations.add { await self.registerNow(change) }.registration()
    }

    private func registerNow(_ change: DeviceDetails) async -> RegistrationQueue.Outcome {
        do throws(ApprovalError) {
            guard !Task.isCancelled else { throw ApprovalError(.cancelled, because: "the task was cancelled") }
            let (details, store) = try device()
            if try await isLeaving { try await store.forget(.wish(toRemove: account)) }
            // The key is made before the device is known: the server binds it to the sign-in when the device registers,
            // and takes no answers by another one.
            let signer = try await ApprovalError.mapping(to: .keyUnusable) {
                try await client.keys.signer(for: client.account.id)
            }
            let (changed, issuer) = (details.changed(by: change), issuer.text)
            var call = ApproverCall(.put, "device")
            call.type = "application/json"
            call.isObjectedInWords = change.pushSubscription != nil
            call.bodyForToken = { token throws(ApprovalError) in
                try Self.json(changed, provingKeyOf: signer, to: issuer, presenting: token)
            }
            do throws(ApprovalError) {
                return .success(try await keep(try await client.message(call).message))
            } catch {
                // The server reports a wrong code like any invalid one-time secret.
                guard error.code == .nothingToDecide else { throw error }
                throw ApprovalError(.wrongCode, because: error.reason)
            }
        } catch {
            return .failure(error)
        }
    }

    private static func json(
        _ details: DeviceDetails,
        provingKeyOf signer: any ApproverSigner,
        to issuer: String,
        presenting token: AccessToken
    ) throws(ApprovalError) -> [UInt8] {
        var details = details
        do {
            details.keyProof = try UnverifiedDeviceKeyProof.text(
                of: signer.publicKey, for: issuer, presenting: token, signedBy: signer.signature(over:))
        } catch {
            throw ApprovalError(.keyUnusable, because: "\(error)")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(details))
        } catch {
            throw ApprovalError(.refused, because: "the details cannot be written as JSON")
        }
    }

    /// Reads how far the device is registered.
    ///
    /// - Throws: ``ApprovalError``: `notRegistered` when it never was; others by network and server.
    public func registration() async throws(ApprovalError) -> DeviceRegistration {
        var call = ApproverCall(.get, "device")
        call.mayFindNothing = true
        return try await keep(try await client.message(call).message)
    }

    /// The state of the registration when the server was last asked; `nil` when that is not known.
    ///
    /// - Throws: ``ApprovalError`` `storeUnusable`.
    public func keptRegistration() async throws(ApprovalError) -> DeviceRegistration? {
        let kept: RegistrationItem? = try await device().store.message(.registration(of: client.account.id))
        return kept?.registration
    }

    private func keep(_ registration: DeviceRegistration) async throws(ApprovalError) -> DeviceRegistration {
        try await device().store.keep(RegistrationItem(registration), as: .registration(of: client.account.id))
        return registration
    }

    /// Removes the device: no more messages are pushed to it, and all its data are deleted. A sign-in that a ticket
    /// gave ends with it, any other stays.
    ///
    /// The intent is stored until it is fulfilled: after a lost answer, the next call or ``checkRegistration()``, also
    /// after a restart, completes it, and a new registration cancels it.
    ///
    /// - Throws: ``ApprovalError``: `signedOut` when the sign-in has ended before, and the device with it; others by
    ///   network, server and store; a device that was never registered causes no error.
    public func unregister() async throws(ApprovalError) {
        let store = try device().store
        let wasTried = try await isLeaving
        if !wasTried { try await store.keep(true, as: .wish(toRemove: account)) }
        var call = ApproverCall(.delete, "device")
        call.mayFindNothing = true
        do throws(ApprovalError) {
            try await client.done(call)
        } catch {
            guard error.code == .notRegistered || error.code == .signedOut else {
                // Nothing was sent, so nothing is uncertain.
                if error.code == .notTrusted, !wasTried { try await store.forget(.wish(toRemove: account)) }
                throw error
            }
            // After an attempt with a lost answer, the sign-in of a ticket has ended with the device.
            if error.code == .signedOut, !wasTried {
                try await forget()
                throw error
            }
        }
        try await forget()
    }

    /// Whether the device is to be removed, which the server has not confirmed yet.
    var isLeaving: Bool {
        get async throws(ApprovalError) {
            let wish: Bool? = try await device().store.message(.wish(toRemove: account))
            return wish ?? false
        }
    }

    /// Removes the device's stored data.
    private func forget() async throws(ApprovalError) {
        let store = try device().store
        try await store.forget(.registration(of: account))
        try await store.forget(.devices(of: account))
        try await store.forget(.webPushKeys(of: account))
        try await store.forget(.wish(toRemove: account))
    }

    /// Keeps prompts and push messages away for a while. Requests stay in the inbox, and the requester sees no
    /// difference.
    ///
    /// - Parameter span: The time from now, at most a day; zero ends the silence.
    /// - Throws: ``ApprovalError`` by network and server.
    public nonisolated func quiet(for span: Duration) async throws(ApprovalError) {
        let form = AuthenticatorQuietRequest(seconds: Int(span.components.seconds)).form
        try await client.done(ApproverCall(.put, "quiet", form: form))
    }

    /// Gets a code, which the person types on the screen that they want to sign in.
    ///
    /// The request of that screen then arrives in the inbox. The code works once; a new one replaces it.
    ///
    /// - Returns: The code, and its lifetime in seconds.
    /// - Throws: ``ApprovalError``: `refused` when this device was never registered; others by network and server.
    public nonisolated func personCode() async throws(ApprovalError) -> PersonCodeResponse {
        try await client.message(ApproverCall(.post, "person-code")).message
    }
}

extension AuthenticatorItem {
    /// The state of the registration when the server was last asked.
    static func registration(of account: ApproverAccount.ID) -> Self { Self("registration \(account)") }

    /// That the device is to be removed.
    fileprivate static func wish(toRemove account: ApproverAccount.ID) -> Self { Self("removal \(account)") }
}

/// A stored registration, without the number and the push token.
private struct RegistrationItem: Codable {
    let id: String
    let status: RegistrationStatus
    let isPushEnabled: Bool
    let isDevelopment: Bool

    init(_ registration: DeviceRegistration) {
        id = registration.id.rawValue
        status = registration.status
        isPushEnabled = registration.isPushEnabled
        isDevelopment = registration.isDevelopment
    }

    var registration: DeviceRegistration {
        DeviceRegistration(
            id: DeviceRegistration.ID(id), status: status, isPushEnabled: isPushEnabled, isDevelopment: isDevelopment)
    }
}

extension DeviceDetails {
    /// These details with the members that a change names.
    func changed(by change: DeviceDetails) -> DeviceDetails {
        var details = self
        details.manufacturer = change.manufacturer ?? manufacturer
        details.systemVersion = change.systemVersion ?? systemVersion
        details.appVersion = change.appVersion ?? appVersion
        details.appID = change.appID ?? appID
        details.languageCode = change.languageCode ?? languageCode
        details.model = change.model ?? model
        details.modelID = change.modelID ?? modelID
        details.platform = change.platform ?? platform
        details.appKey = change.appKey ?? appKey
        details.pushToken = change.pushToken ?? pushToken
        details.pushSubscription = change.pushSubscription ?? pushSubscription
        details.isPushEnabled = change.isPushEnabled ?? isPushEnabled
        details.isDevelopment = change.isDevelopment ?? isDevelopment
        details.phoneNumber = change.phoneNumber ?? phoneNumber
        details.verificationCode = change.verificationCode ?? verificationCode
        return details
    }
}
