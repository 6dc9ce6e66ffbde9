import Countersign
import Foundation
import Testing

@Suite("A sign-in request")
struct SignInRequestTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000.25)

    @Test func `is stored and read back with the provenance of every field`() throws {
        let request = SignInRequest(
            id: SignInRequest.ID("a-request"),
            client: .verified(ClientID("kitchen-radio")),
            scope: .verified(Scope([.openid, .profile])),
            domain: .verified(Domain("sp.example.com")),
            addressee: Subject("anna"),
            address: .observed("2001:db8::1"),
            deviceName: .asserted("Küche 📻"),
            software: .asserted("Radio/1.0"),
            asked: .observed(noon),
            deadline: noon + 600
        )
        let restored = try restored(request)
        #expect(restored == request)
        #expect(restored.client.provenance == .verified)
        #expect(restored.address?.provenance == .observed)
        #expect(restored.deviceName?.provenance == .asserted)
    }

    @Test func `is stored and read back without what a screen left out`() throws {
        let request = SignInRequest(
            id: SignInRequest.ID("a-request"),
            client: .asserted(ClientID("tv")),
            scope: .verified(.none),
            asked: .observed(noon),
            deadline: noon + 600
        )
        #expect(try restored(request) == request)
        #expect(try restored(request).deviceName == nil)
    }

    @Test func `differs when only the provenance of its client does`() {
        let unproved = request(by: .asserted(ClientID("tv")))
        #expect(unproved != request(by: .verified(ClientID("tv"))))
    }

    private func request(by client: Fact<ClientID>) -> SignInRequest {
        SignInRequest(
            id: SignInRequest.ID("a-request"),
            client: client,
            scope: .verified(.none),
            asked: .observed(noon),
            deadline: noon + 600
        )
    }

    private func restored(_ request: SignInRequest) throws -> SignInRequest {
        try JSONDecoder().decode(SignInRequest.self, from: JSONEncoder().encode(request))
    }
}
