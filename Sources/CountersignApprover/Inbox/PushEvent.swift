internal import Countersign
public import CountersignWire
public import FoundationEssentialsCompat

/// The app's next step after a push message, or after one opened it.
public enum PushEvent: Sendable, Equatable {
    /// It shows a request that can be approved or denied, or the passcode of one.
    case request(WaitingRequest)
    /// It opens its scanner, because a site shows a QR code; the site if the message names one.
    case openScanner(CustomerSiteID?)
    /// It shows that the person has new devices, which may not be theirs; at least one.
    case newDevices([DeviceListing])
    /// It shows that the person's password was changed at that time, which may not have been the person.
    case passwordChanged(Date)
    /// It shows nothing more than the system did: the message is about nothing that waits.
    case nothing
}

extension Approver {
    /// Finds out what a push message is about, without any screen: in the background, in the foreground, and when the
    /// person opened the app by it.
    ///
    /// A message holds identifiers only; the request is fetched from the server.
    ///
    /// - Parameter message: The message, as the system gave its members.
    /// - Returns: The app's next step.
    /// - Throws: ``ApprovalError`` by network and server; an expired request is no error.
    public func received(_ message: PushPayload) async throws(ApprovalError) -> PushEvent {
        switch message.kind {
        case .scan: return .openScanner(message.environment)
        case .instant?, .oneTimePassword?, nil: break
        }
        do throws(ApprovalError) {
            if let named = message.request { return .request(try await request(SignInRequest.ID(named.rawValue))) }
            // A message without a request, such as a plain alert, refers to a new device, a changed password or the
            // oldest pending request.
            let store = try device().store
            if let news = try? await accountNews(keepingStateIn: store) {
                tell(news)
                if !news.devices.isEmpty { return .newDevices(news.devices) }
                if let changed = news.passwordChanged { return .passwordChanged(changed) }
            }
            return try await waitingRequests().first.map { .request($0) } ?? .nothing
        } catch {
            guard error.endsRequest else { throw error }
            return .nothing
        }
    }
}
