internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// The backend API: lets the servers of customers open requests to people, and learn what became of them.
///
/// It answers at the two bases that clients of the older dialect use. Additions of ours are the member `number`, the
/// member `text`, `Prefer: wait`, the events, and the webhook.
/// Standard: the backend API of CM Authenticator.
struct CustomerSiteEndpoints: Sendable {
    let opening: RequestOpeningEndpoint
    let reading: RequestReadingEndpoint
    let checking: OneTimePasswordCheckEndpoint
    let events: RequestEventsEndpoint
    let code: CustomerSiteCodePage

    init(_ server: ServerServices, pages: PageRoutes) {
        let requests = CustomerSiteRequests(server)
        opening = RequestOpeningEndpoint(server: server, requests: requests)
        reading = RequestReadingEndpoint(server: server, requests: requests)
        checking = OneTimePasswordCheckEndpoint(server: server, requests: requests)
        events = RequestEventsEndpoint(server: server, requests: requests)
        code = CustomerSiteCodePage(server: server, pages: pages, requests: requests)
    }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        for base in Self.bases {
            for kind in AuthenticationRequest.Kind.allCases {
                let path = "\(base)/\(kind.rawValue)"
                var one: [HTTPRequest.Method: Answering] = [.get: reading.answering(kind)]
                if kind == .oneTimePassword { one[.put] = checking.answer }
                router.authenticatorEndpoint(path, [.post: opening.answering(kind)])
                router.authenticatorEndpoint("\(path)/{request}", one)
                router.authenticatorEndpoint("\(path)/{request}/events", [.get: events.answer])
                code.mount("\(path)/{request}/qr", on: router)
            }
        }
    }

    /// The base paths of the API.
    static let bases = ["auth/v1.0", "authenticator/v1.0"]
}

extension ServerRequestContext {
    /// The request that an address names.
    var environmentRequest: SignInRequest.ID { SignInRequest.ID(parameters.get("request") ?? "") }
}
