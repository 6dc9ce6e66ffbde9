import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

/// `TextTableTests` sees to it that every language has each of them.
@Suite("The words of a text message")
struct MessageWordsTests {
    /// The letters that a text message has in 7 bits. One other letter halves the length of the whole message.
    ///
    /// Standard: 3GPP TS 23.038 §6.2.1.
    private static let letters = Set(
        "@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZ"
            + "ÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà")

    @Test(arguments: PageLanguage.allCases)
    func `fit into one message, and say what they are about`(language: PageLanguage) {
        let words = MessageWords(language: language)
        let site = String(repeating: "x", count: 24)
        for message in [MessageWords.Message.code("123456"), .password("12345"), .numberClaimed] {
            let text = words.text(message, from: site).revealed
            #expect(text.count <= 160 && text.contains(site) && !text.contains("{"), "\(text)")
            #expect(text.allSatisfy(Self.letters.contains), "\(text.filter { !Self.letters.contains($0) })")
        }
        let question = words.text(.question(link: "https://id.example/answer"), from: site).revealed
        #expect(question.hasSuffix("https://id.example/answer"))
        let long = words.text(.code("1"), from: String(repeating: "y", count: 100)).revealed
        #expect(long.contains(String(repeating: "y", count: 40)) && !long.contains(String(repeating: "y", count: 41)))
    }

    @Test func `are in the language of the device, whatever it is called`() {
        for code in ["de", "de-AT", "de_CH", "DE"] { #expect(PageLanguage(ofDevice: code) == .german, "\(code)") }
        for code in ["nl", "", "x y", "*", nil] { #expect(PageLanguage(ofDevice: code) == nil, "\(code ?? "")") }
        #expect(PageLanguage(ofDevice: "es-419") == .spanish)
    }

    @Test func `of a code are in the language of the device, or of its request, or of the server`()
        async throws
    {
        try await NumberProving.open(configuring: { $0.language = .spanish }) { proving in
            let phone = try await proving.server.authenticator()
            let numbers = ["+31612345671", "+31612345672", "+31612345673"]
            for number in numbers { try await give(number, on: proving.server) }
            func name(_ number: String, _ language: String?, accepting languages: String?) async throws -> String? {
                var fields = phone.headers
                fields[.contentType] = "application/json"
                fields[.acceptLanguage] = languages
                let said = language.map { ",\"language_code\":\"\($0)\"" } ?? ""
                let answer = try await proving.server.send(
                    .put, "/authenticator/device", headers: fields,
                    body: ByteBuffer(string: "{\"phone_number\":\"\(number)\"\(said)}"))
                #expect(answer.status == .ok, "\(answer.text)")
                // One device asks for few codes.
                defer { proving.server.clock.advance(by: .seconds(3600)) }
                return try await proving.messages(to: number).last.map { String($0.dropFirst(7)) }
            }
            #expect(try await name(numbers[0], nil, accepting: "nl")?.hasPrefix("es tu clave para ") == true)
            #expect(try await name(numbers[1], nil, accepting: "fr, en;q=0.5")?.hasPrefix("est votre code") == true)
            #expect(try await name(numbers[2], "de-AT", accepting: "fr")?.hasPrefix("ist Ihr Code") == true)
        }
    }

    private func give(_ number: String, on server: TestServer) async throws {
        let now = server.clock.date
        let number = try PhoneNumber(number)
        try await server.change {
            try $0.phoneNumbers.keep(PhoneNumberRecord(number, of: TestPerson.anna.subject, verified: now))
        }
    }

    @Test(.server { $0.language = .german })
    func `of a request are in the language of the person's device, or of the server`() async throws {
        let customer = try await TestCustomer.add(to: .current)
        func words() async throws -> String {
            let asked = try await customer.open(.oneTimePassword, ["message_type": "\"sms\""])
            let text = try #require(try await customer.deliveries(about: asked).first)
            return try #require(try await customer.words(of: text))
        }
        #expect(try await words().contains(" ist Ihr Einmalpasswort für My Bank. "))
        try await customer.enrollDevice()
        #expect(try await words().contains("Einmalpasswort"))
        try await customer.server.change { repositories in
            var device = try #require(try repositories.devices.find(DeviceRegistration.ID("phone")))
            device.details.languageCode = "fr-CA"
            try repositories.devices.update(device)
        }
        #expect(try await words().contains(" est votre mot de passe à usage unique pour My Bank. "))
    }
}
