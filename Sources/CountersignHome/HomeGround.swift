internal import Countersign
internal import CountersignSQLite
internal import CountersignServer
internal import CountersignStorage
internal import CountersignTesting
internal import CountersignTransport
internal import CountersignWire
internal import Crypto
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import NIOPosix

/// The state in which every run of a home begins: its people, signed in at their browsers, with enrolled phones.
struct HomeGround: Sendable {
    let store: SQLiteMemoryStore
    let settings: ServerSettings
    /// The date on which runs begin: people are known in their browsers by then.
    let begins: Date
    let phones: [HomePerson: ApprovingPhone]
    /// The cookies of people's browsers.
    let cookies: [HomePerson: [String: String]]
    /// The ID tokens by which screens remember people.
    let remembered: [HomePerson: UnverifiedIDToken]
    /// A browser at the sign-in page, where nobody is signed in.
    let kiosk: AskingBrowser

    /// The time between the first sign-ins and the runs, in seconds: two hours.
    private static let settled: TimeInterval = 7200

    /// Moves in: by the pages and endpoints of the server, as people do.
    static func settle() async throws -> HomeGround {
        var settings = ServerSettings(issuer: try Issuer("http://localhost:8080"))
        settings.trustedProxies = [AddressNetwork(HomeServer.proxy)].compactMap { $0 }
        // One request is under way at a time.
        settings.longestWait = 0
        settings.passwordCost = PasswordCost(logN: 4)
        settings.minimumEvidence = [HomeClient.vault: ScopeDemands([.nearby])]
        let store = try SQLiteMemoryStore()
        let clock = ManualClock()
        let random = SeededRandom(seed: 0)
        let server = try await HomeServer(settings, keeping: store, clock: clock, random: random)
        let created = clock.date
        let hasher = PasswordHasher(
            cost: settings.passwordCost, drawingFrom: SeededRandom(seed: 1).source, on: .singleton)
        var people: [Person] = []
        for person in HomePerson.allCases {
            people.append(try await person.record(hashing: hasher, created: created))
        }
        try await store.change { [people] repositories in
            for client in HomeClient.allCases { try repositories.clients.insert(client.record(created: created)) }
            for person in people { try repositories.people.insert(person) }
        }
        var phones: [HomePerson: ApprovingPhone] = [:]
        var cookies: [HomePerson: [String: String]] = [:]
        var remembered: [HomePerson: UnverifiedIDToken] = [:]
        for person in HomePerson.allCases {
            var visit = GroundVisit(
                server: server, address: person == .mallory ? HomeAddress.attacker : HomeAddress.home)
            try await visit.signIn(person)
            phones[person] = try await visit.phone(of: person, for: settings.issuer.text, random)
            remembered[person] = try await visit.remember(person)
            cookies[person] = visit.cookies
        }
        var stranger = GroundVisit(server: server, address: HomeAddress.home)
        let kiosk = try await stranger.arrive()
        try store.mark()
        return HomeGround(
            store: store,
            settings: settings,
            begins: created + settled,
            phones: phones,
            cookies: cookies,
            remembered: remembered,
            kiosk: kiosk
        )
    }
}

/// One person's first visit.
private struct GroundVisit {
    let server: HomeServer
    let address: String
    var cookies: [String: String] = [:]

    /// Signs the person in at their browser.
    mutating func signIn(_ person: HomePerson) async throws {
        let page = try await send(HomeRequest(getting: "/login", from: address))
        let form = try form(to: "/login", on: page)
        let answer = try await post(form, with: ["username": person.rawValue, "password": person.password])
        guard answer.response.status == .seeOther else { throw HomeFault(.server, "nobody can sign in") }
    }

    /// Signs the person in on a screen, which then remembers them.
    mutating func remember(_ person: HomePerson) async throws -> UnverifiedIDToken {
        let asked = DeviceAuthorizationRequest(scope: Scope([.openid]))
        let started = try await server.answer(
            HomeRequest("/device_authorization", asked.form.with(HomeClient.tv.credentials), from: address))
        let codes = try started.decoded(DeviceAuthorizationResponse.self)
        let entry = try await send(HomeRequest(getting: "/activate", from: address))
        let field = HTMLForms(entry.text).forms.first { $0.visible.contains("user_code") }
        guard let field else { throw HomeFault(.server, "no page takes a code") }
        let taken = try await post(field, with: ["user_code": codes.userCode.rawValue])
        guard let location = taken.response.headerFields[.location], let path = location.firstRange(of: "/activate")
        else { throw HomeFault(.server, "no code is taken") }
        let page = try await send(HomeRequest(getting: String(location[path.lowerBound...]), from: address))
        let question = HTMLForms(page.text).forms.first { $0.offers("approve") }
        guard let question else { throw HomeFault(.server, "no page asks for a decision") }
        _ = try await post(question, with: ["decision": "approve", "session": SessionTerm.remembered.rawValue])
        let request = TokenRequest.deviceCode(codes.deviceCode).form
        let answer = try await server.answer(
            HomeRequest("/token", request.with(HomeClient.tv.credentials), from: address))
        guard answer.response.status == .ok, let token = try answer.decoded(TokenResponse.self).idToken else {
            throw HomeFault(.server, "no screen can remember \(person)")
        }
        return token
    }

    /// Opens the sign-in page.
    mutating func arrive() async throws -> AskingBrowser {
        let page = try await send(HomeRequest(getting: "/login", from: address))
        let start = HTMLForms(page.text).forms.first { $0.action == AskingBrowser.path && $0.visible.isEmpty }
        guard let start else { throw HomeFault(.server, "the sign-in page offers no phone") }
        return AskingBrowser(cookies: cookies, start: start)
    }

    /// Enrols a phone by a ticket of the account page.
    mutating func phone(of person: HomePerson, for issuer: String, _ random: SeededRandom) async throws
        -> ApprovingPhone
    {
        let account = try await send(HomeRequest(getting: "/account", from: address))
        let ticket = try await post(try form(to: "/account/devices/add", on: account), with: [:])
        guard let text = EnrollmentTicket.shown(on: ticket.text) else {
            throw HomeFault(.server, "no page shows a ticket")
        }
        let request = TokenRequest.preAuthorizedCode(EnrollmentTicket(revealing: text)).form
        let redeemed = try await send(
            HomeRequest("/token", request.with(HomeClient.authenticator.credentials), from: address))
        guard redeemed.response.status == .ok else {
            throw HomeFault(.server, "no ticket can be redeemed: \(redeemed.text)")
        }
        let tokens = try redeemed.decoded(TokenResponse.self)
        let phone = ApprovingPhone(
            person: person,
            token: tokens.accessToken,
            refreshToken: tokens.refreshToken,
            key: try P256.Signing.PrivateKey(rawRepresentation: [0] + random.bytes(31))
        )
        var details = DeviceDetails()
        details.model = "Phone"
        details.platform = "iOS"
        details.keyProof = try phone.keyProof(for: issuer)
        var registration = HomeRequest(getting: "/authenticator/device", fields: phone.fields, from: address)
        registration.method = .put
        registration.fields[.contentType] = "application/json"
        registration.body = Array(try JSONEncoder().encode(details))
        guard try await send(registration).response.status == .ok else {
            throw HomeFault(.server, "no phone can be enrolled")
        }
        return phone
    }

    private func form(to action: String, on page: HTTPAnswer) throws -> HTMLForm {
        guard let form = HTMLForms(page.text).forms.first(where: { $0.action == action }) else {
            throw HomeFault(.server, "a page has no form for \(action)")
        }
        return form
    }

    private mutating func post(_ form: HTMLForm, with fields: Form) async throws -> HTTPAnswer {
        try await send(HomeRequest(form.action, form.hidden.with(fields), from: address))
    }

    private mutating func send(_ request: HomeRequest) async throws -> HTTPAnswer {
        var request = request
        request.fields[.cookie] = HomeBrowser.header(of: cookies)
        let answer = try await server.answer(request)
        HomeBrowser.keep(answer, in: &cookies)
        return answer
    }
}

extension HTTPAnswer {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension EnrollmentTicket {
    /// The ticket in the link of a page; `nil` for a page without one.
    static func shown(on page: String) -> String? {
        guard let start = page.firstRange(of: "/authenticator/enroll#") else { return nil }
        let ticket = page[start.upperBound...].prefix { $0.isLetter || $0.isNumber || "-_".contains($0) }
        return ticket.isEmpty ? nil : String(ticket)
    }
}
