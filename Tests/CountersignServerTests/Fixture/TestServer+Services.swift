import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting

@testable import CountersignServer

// Programs that act for a person until an end.
extension TestServer {
    /// A service that acts for some seconds from now.
    func service(_ purpose: String = "backup on nas", for seconds: TimeInterval = 86_400) -> GuestService {
        GuestService(purpose: purpose, ends: clock.date + seconds)
    }

    /// Asks for a service by a code.
    func ask(
        for service: GuestService,
        as client: TestClients = .tv,
        _ more: Form = ["scope": "openid"]
    ) async throws -> DeviceAuthorizationResponse {
        var asked = DeviceAuthorizationRequest(scope: .none)
        asked.service = service
        let form = try asked.form.with(client.form).with(more)
        return try await post(path("device_authorization"), form).json(DeviceAuthorizationResponse.self)
    }

    /// A service that Anna approved.
    func acting(
        for service: GuestService? = nil,
        as client: TestClients = .tv,
        session: SessionTerm? = nil
    ) async throws -> TokenResponse {
        let codes = try await ask(for: service ?? self.service(), as: client)
        try await browser(of: .anna).decide("approve", codes, session: session)
        return try await poll(codes, as: client).json(TokenResponse.self)
    }
}
