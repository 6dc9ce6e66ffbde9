public import Countersign
internal import CountersignServer
internal import CountersignStorage
public import CountersignTransport
public import CountersignWire
internal import HTTPTypes

extension Home {
    /// The address of the server, for the code of an app. It knows the public client `tv`, which may ask by codes for
    /// `openid`, `offline_access` and `play`.
    public nonisolated var issuer: Issuer { ground.settings.issuer }

    /// Returns the network between a screen and the server, for the code of an app that signs this screen in.
    ///
    /// ```swift
    /// let context = RequesterContext(over: home.transport(of: tv), clock: home.clock.source, random: random)
    /// ```
    ///
    /// It fails as the network of the home does, and reaches no other server. No request is held open: a screen polls
    /// whenever ``clock`` was advanced by its interval.
    ///
    /// - Parameter screen: A screen that shows codes, such as ``tv(_:)`` returns.
    public nonisolated func transport(of screen: HomeScreen) -> any HTTPTransport {
        ScreenTransport(home: self, screen: screen)
    }

    /// Returns the sign-in of an app by the code that it shows, to be approved or denied. Its outcome is the app's alone.
    ///
    /// - Parameter code: The code of the app's invitation.
    /// - Throws: ``HomeFault`` when no app got this code.
    public func signIn(showing code: UserCodeText) throws -> HomeSignIn {
        guard let signIn = signIns.first(where: { $0.codes?.userCode == code }) else {
            throw HomeFault(.server, "no app shows this code")
        }
        return HomeSignIn(number: signIn.number)
    }

    /// Sends a request of an app on the network, and notes what it asks and gives up.
    fileprivate func send(
        _ message: HTTPRequest, _ body: [UInt8], by screen: HomeScreen
    ) async throws -> Result<HTTPAnswer, TransportError> {
        guard message.authority == server.authority else {
            return .failure(TransportError(.notReached, because: "a home has no network to other servers"))
        }
        var request = HomeRequest(getting: message.path ?? "/", fields: message.headerFields, from: screen.address)
        (request.method, request.body) = (message.method, body)
        if request.route == "/revoke", let token = try? Form(parsing: body)["token"] {
            let code = DeviceCode(revealing: token).digest
            if let id = try await store.read({ try $0.exchanges.find(code)?.exchange.request.id }) {
                ledger.givenUp.insert(id)
            }
        }
        let result = try await send(request, by: .screen(screen))
        if request.route == "/device_authorization", case .success(let answer) = result, answer.response.status == .ok {
            let codes = try answer.decoded(DeviceAuthorizationResponse.self)
            let signIn = begin("app", at: screen, .ended)
            (signIn.codes, signIn.requestCode) = (codes, codes.deviceCode.digest)
            // The app waits for it, and not the home.
            signIn.kill()
        }
        return result
    }

    /// The same for a transport, which has no faults of homes.
    fileprivate func result(
        of message: HTTPRequest, _ body: [UInt8], by screen: HomeScreen
    ) async -> Result<HTTPAnswer, TransportError> {
        do {
            return try await send(message, body, by: screen)
        } catch {
            fault = fault ?? error as? HomeFault ?? HomeFault(.server, "\(error)")
            return .failure(TransportError(.interrupted, because: "\(error)"))
        }
    }
}

/// The network between a screen of a home and its server.
private struct ScreenTransport: HTTPTransport {
    let home: Home
    let screen: HomeScreen

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        let result = await home.result(of: request, body, by: screen)
        guard !Task.isCancelled else { throw TransportError(.cancelled, because: "the task was cancelled") }
        return try result.get()
    }
}
