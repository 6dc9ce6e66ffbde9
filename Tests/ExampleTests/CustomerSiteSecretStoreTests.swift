import CountersignApprover
import CountersignRequester
import CountersignTesting
import Foundation
import Testing

/// Feature 134.
@Suite("The secret of a site on a device")
struct CustomerSiteSecretStoreTests {
    @Test func `is in no file in the clear, and its files are the person's alone`() async throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("countersign-secret-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: directory) }
        let clock = ManualClock()
        let environment = CustomerSiteID("2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0d")
        let secret = "a-secret-of-an-environment"
        let registration = DeviceRegistration(
            id: DeviceRegistration.ID("device-1"), status: .verified, isPushEnabled: false, isDevelopment: false)
        let base = "/authenticator/v1.0/device"
        let transport = ScriptedTransport([
            base: [.json(registration)], "\(base)/device-1/environment/\(environment)": [.status(.noContent)],
            "\(base)/device-1/environment/\(environment)/auth": [.text("[]", type: "application/json")],
        ])
        func client() throws -> LegacyAuthenticatorClient {
            try LegacyAuthenticatorClient(
                at: "https://api.example.com/authenticator/v1.0", describing: DeviceDetails(),
                keepingStateIn: TokenStoreAuthenticatorItems(
                    in: SealedFileTokenStore(directory: directory.path)),
                over: transport, clock: clock.source)
        }
        try await client().register()
        try await client().register(in: environment, secret: CustomerSiteSecret(revealing: secret))
        // It is kept: another process answers with it.
        #expect(try await client().openRequest(in: environment) == nil)

        let files = try #require(FileManager.default.enumerator(atPath: directory.path)?.allObjects as? [String])
        #expect(!files.isEmpty)
        for name in files {
            let path = "\(directory.path)/\(name)"
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            let mode = try #require(facts[.posixPermissions] as? Int)
            #expect(mode & 0o077 == 0, "\(name)")
            #expect(!name.contains(secret) && !name.contains("device-1"))
            guard facts[.type] as? FileAttributeType == .typeRegular else { continue }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            for word in [secret, Data(secret.utf8).base64EncodedString(), "device-1"] {
                #expect(bytes.firstRange(of: Data(word.utf8)) == nil, "\(name)")
            }
        }
    }
}
