internal import Countersign
public import CountersignWire

/// The next step of a device after the check of its registration.
public enum RegistrationCheck: Sendable, Equatable {
    /// Nothing: its number is proved.
    case verified(DeviceRegistration)
    /// Its person has to type the code that was sent to them.
    case codeNeeded(DeviceRegistration)
    /// Its person has to type their telephone number, again if they did before.
    case phoneNumberNeeded(DeviceRegistration)
    /// The sign-in has ended, or the device was removed: a new ticket has to be scanned.
    case signedOut
    /// The server could not be asked. Nothing has changed: the previous state counts until it can.
    case unknown(last: DeviceRegistration?, because: ApprovalError)
}

extension Approver {
    /// Checks the device's registration, and registers a new device: at each start, and each time the app comes to the
    /// foreground.
    ///
    /// Only the server's word ends anything. Without a network the device stays unchanged. The app's list of pinned
    /// certificates, if any, is renewed concurrently. A removal whose answer was lost is brought to its end, and the
    /// device is not registered again.
    ///
    /// - Returns: The next step of the device.
    public func checkRegistration() async -> RegistrationCheck {
        async let renewed = pins?.refresh()
        let check = await checkedRegistration()
        _ = await renewed
        return check
    }

    private func checkedRegistration() async -> RegistrationCheck {
        do throws(ApprovalError) {
            if try await isLeaving {
                try await unregister()
                return .signedOut
            }
            let registration: DeviceRegistration
            do throws(ApprovalError) {
                registration = try await self.registration()
            } catch {
                guard error.code == .notRegistered else { throw error }
                registration = try await register()
            }
            switch registration.status {
            case .verified: return .verified(registration)
            case .pending: return .codeNeeded(registration)
            case .unverified: return .phoneNumberNeeded(registration)
            }
        } catch {
            if error.code == .signedOut { return .signedOut }
            let kept = try? await keptRegistration()
            return .unknown(last: kept ?? nil, because: error)
        }
    }

    /// Sends the push token to the server; it may be called at any time, and as often as the system gives a token.
    ///
    /// - Parameters:
    ///   - token: The token as the system gave it.
    ///   - isEnabled: Whether the person allows messages.
    ///   - isDevelopment: Whether the app was made for development, so that messages go to the sandbox.
    /// - Returns: The state of the device.
    /// - Throws: ``ApprovalError`` as ``register(_:)``.
    @discardableResult
    public func register(
        pushToken token: some Sequence<UInt8> & Sendable,
        isEnabled: Bool,
        isDevelopment: Bool
    ) async throws(ApprovalError) -> DeviceRegistration {
        try await register(
            pushToken: DeviceDetails.pushToken(of: token), isEnabled: isEnabled, isDevelopment: isDevelopment)
    }

    /// Sends a textual push token, such as Firebase's, to the server.
    ///
    /// - Parameters:
    ///   - token: The token as the system gave it.
    ///   - isEnabled: Whether the person allows messages.
    ///   - isDevelopment: Whether the app was made for development, so that messages go to the sandbox.
    /// - Returns: The state of the device.
    /// - Throws: ``ApprovalError`` as ``register(_:)``.
    @discardableResult
    public func register(
        pushToken token: String,
        isEnabled: Bool,
        isDevelopment: Bool
    ) async throws(ApprovalError) -> DeviceRegistration {
        var change = DeviceDetails()
        change.pushToken = token
        change.isPushEnabled = isEnabled
        change.isDevelopment = isDevelopment
        return try await register(change)
    }

    /// Registers a telephone number; the server sends a code to it, unless it is this device's proved number already.
    ///
    /// - Parameter number: The number that the person typed, parsed; it is sent in its international form.
    /// - Returns: The state of the device: `pending` when a code was sent.
    /// - Throws: ``ApprovalError`` as ``register(_:)``.
    @discardableResult
    public func register(phoneNumber number: PhoneNumber) async throws(ApprovalError) -> DeviceRegistration {
        var change = DeviceDetails()
        change.phoneNumber = number.text
        return try await register(change)
    }

    /// Proves the number by the code that came to it.
    ///
    /// - Parameter code: The code as the person typed it; neither groups nor the script of its digits matter.
    /// - Returns: The state of the device: `verified` when the code was right; a server may answer `pending` for a
    ///   wrong one.
    /// - Throws: ``ApprovalError`` as ``register(_:)``.
    @discardableResult
    public func register(verificationCode code: String) async throws(ApprovalError) -> DeviceRegistration {
        var change = DeviceDetails()
        change.verificationCode = TypedText.folded(code)
        return try await register(change)
    }
}
