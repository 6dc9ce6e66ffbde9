internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension SignInError {
    /// The reason that a remembered person is not asked on their devices, as a server's answer shows it; `nil` where they
    /// are asked, or were not to be.
    ///
    /// - Parameters:
    ///   - response: The server's answer with the ways that it allows.
    ///   - ways: The ways that the screen was to take.
    ///   - options: The options, without whose number nobody is asked.
    init?(notAskingBy response: DeviceAuthorizationResponse, of ways: Set<SignInWay>, under options: SignInOptions) {
        guard ways.contains(.push), options.showsNumber, response.isRemembered == true,
            let allowed = response.ways, !allowed.contains(.push)
        else { return nil }
        self.init(.notAsked, because: "the server remembers the person, and does not ask them")
    }

    /// The reason that a server allows none of the ways that the app chose; `nil` at one that names no ways.
    ///
    /// - Parameters:
    ///   - ways: The ways that the screen was to take.
    ///   - response: The server's answer with the ways that it allows.
    ///   - screen: The ways that the screen can take.
    ///   - redirectURI: The address where the browser comes back; `nil` for none.
    init?(
        choosing ways: Set<SignInWay>,
        against response: DeviceAuthorizationResponse,
        on screen: Set<SignInWay>,
        returningTo redirectURI: RedirectURI?
    ) {
        guard let allowed = response.ways, let way = SignInWay.allCases.first(where: ways.contains) else { return nil }
        var words = "The server does not allow ‘\(way.rawValue)’ for this."
        if way == .browser, let address = redirectURI?.registered {
            words = """
                The server does not lead the browser back to this device: \(address) is no redirect URI of this app there, \
                or this needs a stronger way. Ask who runs the server to register that address.
                """
        }
        let left = allowed.intersection(screen)
        let next = left.isEmpty ? way == .browser ? "" : " Ask who runs it." : " \(left.choice)"
        self.init(.wayNotAllowed, because: "the server does not allow \(way.rawValue)", saying: words + next)
    }
}

extension RedirectURI {
    /// The address as it is registered: without the port of a loopback address, which is free.
    ///
    /// Standard: RFC 8252 §7.3.
    fileprivate var registered: String {
        guard kind == .loopback, var parts = URLComponents(string: text) else { return text }
        parts.port = nil
        return parts.string ?? text
    }
}
