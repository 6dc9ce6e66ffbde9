import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("The settings of the server that last started")
struct ServedSettingRepositoryTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `are those that were kept last, by name`(store: StoreUnderTest) async throws {
        func setting(_ key: String, _ value: String) -> ServedSetting { ServedSetting(key: key, value: value) }
        let (mail, first) = (setting("mail", "off"), setting("issuer", "https://one.example.com"))
        let second = setting("issuer", "https://zwei.example.com/ü")
        try await store.run { store in
            #expect(try await store.read { try $0.servedSettings.all() } == [])
            for one in [mail, first, second] { try await store.change { try $0.servedSettings.keep(one) } }
            #expect(try await store.read { try $0.servedSettings.all() } == [second, mail])
        }
    }
}
