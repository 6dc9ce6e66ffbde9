import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A phone with an app that was built with the older SDK, and the customer whose requests it answers.
struct TestLegacyPhone: Sendable {
    let customer: TestCustomer
    let app: AuthenticatorApp
    /// The identifier that the phone was given.
    let id: String

    var server: TestServer { customer.server }
    var device: String { "/authenticator/v1.0/device/\(id)" }

    /// Opens a server that answers such phones, with one of Anna's that proved her number.
    static func open(
        configuring: (inout ServerSettings) -> Void = { _ in },
        editing edit: @escaping @Sendable (inout CustomerSite) -> Void = { $0.allowsLegacyDevices = true },
        running test: @escaping @Sendable (TestLegacyPhone) async throws -> Void
    ) async throws {
        try await TestCustomer.open(
            configuring: { settings in
                settings.legacyAuthenticator = LegacyAuthenticator()
                settings.limits[.questionPerSource] = nil
                settings.limits[.questionPerAccount] = nil
                configuring(&settings)
            },
            editing: edit
        ) { customer in
            try await test(try await add(to: customer))
        }
    }

    /// Adds a phone of Anna's that proved her number.
    static func add(to customer: TestCustomer) async throws -> TestLegacyPhone {
        let apps = AuthenticatorAppRegistry(
            of: customer.server.store, mint: CodeMint(drawingFrom: .system), clock: customer.server.serverClock)
        let app = try await apps.add(named: "Bank", bundleID: "com.example.bank", project: nil)
        let phone = try await register(with: customer, app)
        try await phone.prove()
        return phone
    }

    /// Registers a phone as the older SDK does.
    static func register(with customer: TestCustomer, _ app: AuthenticatorApp) async throws -> TestLegacyPhone {
        let body = """
            {"manufacturer":"Apple","os_version":"10.3","app_version":"1.0","app_id":"com.example.bank",\
            "language_code":"en","model":"iPhone","model_id":"iPhone9,3","platform":"iOS","app_key":"\(app.key)"}
            """
        let answer = try await customer.send(.post, "/authenticator/v1.0/device", body, by: nil)
        #expect(answer.status == .ok, "\(answer.text)")
        return TestLegacyPhone(customer: customer, app: app, id: try answer.json(DeviceRegistration.self).id.rawValue)
    }

    /// Lets the phone have proved a number, as if its person had typed the code.
    func prove(_ number: String = TestCustomer.anna, of person: TestPerson = .anna) async throws {
        let stored = LegacyDeviceID(revealing: id).stored
        let number = try PhoneNumber(number)
        try await server.change { repositories in
            var device = try #require(try repositories.devices.find(stored))
            (device.status, device.phoneNumber, device.subject) = (.verified, number, person.subject)
            try repositories.devices.update(device)
        }
    }

    func change(_ members: String, by token: String? = nil) async throws -> TestResponse {
        try await customer.send(.put, device, "{\(members)}", by: token)
    }

    func registration() async throws -> DeviceRegistration {
        try await customer.send(.get, device, by: nil).json(DeviceRegistration.self)
    }

    // MARK: Sites

    /// The secret in the QR code that a request of the customer shows.
    func scanned(_ kind: AuthenticationRequest.Kind = .oneTimePassword) async throws -> CustomerSiteSecret {
        let asked = try await customer.open(kind)
        let requests = CustomerSiteRequests(server.server.services)
        let found = try await requests.invitation(of: SignInRequest.ID(asked.id.rawValue))
        guard case .shared(let environment, let secret)? = found?.1 else { throw NoSecret() }
        #expect(environment == customer.environment.id)
        return secret
    }

    struct NoSecret: Error {}

    var environment: String { "\(device)/environment/\(customer.environment.id)" }

    /// The token of the first app: it says nothing of the call.
    func token(_ secret: CustomerSiteSecret) -> String {
        CustomerSiteToken.text(by: secret, at: server.clock.date)
    }

    func join(_ secret: CustomerSiteSecret) async throws -> TestResponse {
        try await customer.send(.put, environment, by: token(secret))
    }

    /// Joins the site.
    func joined() async throws -> CustomerSiteSecret {
        let secret = try await scanned()
        let answer = try await join(secret)
        #expect(answer.status == .ok, "\(answer.text)")
        return secret
    }

    // MARK: Requests

    func requests(_ secret: CustomerSiteSecret) async throws -> TestResponse {
        try await customer.send(.get, "\(environment)/auth", by: token(secret))
    }

    func answer(
        _ request: AuthenticationRequest,
        _ body: String = #"{"auth_status":"approved"}"#,
        by token: String
    ) async throws -> TestResponse {
        try await customer.send(.put, "\(device)/instant/\(request.id)", body, by: token)
    }
}
