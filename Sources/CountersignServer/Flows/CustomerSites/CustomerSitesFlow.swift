internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// The backend API: lets the servers of customers open requests to people, and learn what became of them; and the page
/// of the links in text messages.
///
/// It answers at the two bases that clients of the older dialect use. Additions of ours are the member `number`, the
/// member `text`, `Prefer: wait`, the events, and the webhook.
/// Standard: the backend API of CM Authenticator.
struct CustomerSitesFlow: SignInFlow {
    let requests: CustomerSiteRequests
    /// The requests of pages behind links that wait until the request that they show is over.
    let waiters: ChangeWaiters

    /// The maximum number of pages that wait for one request; a further one ends the first, and no wait of the site.
    private static let mostPages = 4

    init(requests: CustomerSiteRequests) {
        let services = requests.services
        self.requests = requests
        waiters = ChangeWaiters(in: services.memory, mostOfOne: Self.mostPages, timer: services.timer)
        services.store.observe(waiters.storeChanged)
    }

    var returns: [ReturnPage] { [AnswerPage.returns] }
    var descriptionParts: [[UInt8]] { [PackageResources.environments_json] }

    func mount(on router: some RouterMethods<ServerRequestContext>, showing pages: PageRoutes) {
        let opening = RequestOpeningEndpoint(requests: requests)
        let reading = RequestReadingEndpoint(requests: requests)
        let checking = OneTimePasswordCheckEndpoint(requests: requests)
        let events = RequestEventsEndpoint(requests: requests)
        let code = CustomerSiteCodePage(pages: pages, requests: requests)
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
        AnswerPage(pages: pages, services: requests.services, waiters: waiters).mount(on: router)
    }

    func stop() {
        requests.watchers.close()
        waiters.close()
    }

    /// The base paths of the API.
    static let bases = ["auth/v1.0", "authenticator/v1.0"]
}

extension ServerRequestContext {
    /// The request that an address names.
    var environmentRequest: SignInRequest.ID { SignInRequest.ID(parameters.get("request") ?? "") }
}
