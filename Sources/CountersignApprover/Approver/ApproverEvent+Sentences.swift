internal import Countersign
internal import CountersignWire

extension ApproverEvent {
    /// The event in a sentence for the person: what happened, and what to do next; `nil` for the requests that wait,
    /// each of which has a ``WaitingRequest/sentence`` of its own.
    public var sentence: String? {
        switch self {
        case .waiting: nil
        case .answered(let request, at: let place): "\(request.askerName): \(place.sentence)"
        case .cancelled(let request):
            "\(request.askerName): \(request.kind.asker) stopped asking. Start again there if you still want to sign in."
        case .withdrawn(let request):
            "\(request.askerName): the request does not wait here any more. Look at your other devices, or start again."
        case .expired(let request):
            "\(request.askerName): the request has expired. Start again there if you still want to sign in."
        case .undone(let decision):
            "\(decision.clientName): your approval was undone. If that was not you, look at the devices of your account."
        case .newDevice(let device):
            "A new device answers for you: \(device.title). If it is not yours, revoke it."
        case .passwordChanged:
            "Your password was changed. If that was not you, ask whoever runs the server for a new one."
        case .failed(_, let error): error.sentence
        case .temporaryFailure(let error, retryingIn: let pause):
            "\(error.sentence) The server is asked again in \(pause.components.seconds) s."
        }
    }
}

extension WaitingRequest.Kind {
    /// The asking side, at the beginning of a sentence.
    fileprivate var asker: String {
        switch self {
        case .nearby, .code, .knownDevice: "The screen"
        case .browser, .passwordReset: "The browser"
        case .app, .backchannel: "The app"
        case .site: "The site"
        }
    }
}

extension DeviceListing {
    /// The name and the platform, or the identifier if it has neither.
    fileprivate var title: String {
        let parts = [name ?? model, platform].compactMap(\.self)
        return parts.isEmpty ? id.rawValue : parts.joined(separator: ", ")
    }
}
