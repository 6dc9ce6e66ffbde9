import Testing

@testable import CountersignWire

@Suite("A telephone number")
struct PhoneNumberTests {
    @Test(arguments: [
        ("+31612345678", nil, "+31612345678"),
        ("+31 6 12-34-56-78", nil, "+31612345678"),
        ("+31 (0)6 12345678", nil, "+31612345678"),
        ("06 12 34 56 78", "NL", "+31612345678"),
        ("6 12 34 56 78", "nl", "+31612345678"),
        ("0031612345678", "NL", "+31612345678"),
        ("011 31 6 12345678", "US", "+31612345678"),
        ("(202) 555-0143", "US", "+12025550143"),
        ("1 202 555 0143", "US", "+12025550143"),
        ("+1.202.555.0143", nil, "+12025550143"),
        ("0151 23456789", "DE", "+4915123456789"),
        ("07700 900123", "GB", "+447700900123"),
        ("+44 7700 900123", "US", "+447700900123"),
        ("320 123 4567", "IT", "+393201234567"),
        ("8 912 345-67-89", "RU", "+79123456789"),
        ("+٣١٦١٢٣٤٥٦٧٨", nil, "+31612345678"),
        ("\u{FF0B}\u{FF13}\u{FF11}612345678", nil, "+31612345678"),
        ("+31\u{A0}6\u{2011}12345678", nil, "+31612345678"),
        ("+31\u{202F}6\t12345678\r\n", nil, "+31612345678"),
        ("\u{202A}+31612345678\u{202C}", nil, "+31612345678"),
        ("\u{202D}+31 6 1234 5678\u{202C}", nil, "+31612345678"),
        ("06ー1234ー5678", "NL", "+31612345678"),
    ])
    func `is read as people write it, and as it is dialled at home`(text: String, region: String?, number: String)
        throws
    {
        #expect(try PhoneNumber(text, dialledIn: region).text == number)
    }

    @Test(arguments: [
        ("0612345678", nil, PhoneNumber.ParsingError.noCountry),
        ("", nil, .notANumber),
        ("+", nil, .notANumber),
        ("+31 6 CALL ME", "NL", .notANumber),
        ("31+612345678", "NL", .notANumber),
        ("++31612345678", "NL", .notANumber),
        ("+31612345678;ext=1", nil, .notANumber),
        ("+3161234567890123456", nil, .notANumber),
        ("+99912345678", nil, .unknownCountry),
        ("+0612345678", nil, .unknownCountry),
        ("0612345678", "XX", .unknownCountry),
        ("+3161234", nil, .length),
        ("+12025550", nil, .length),
        (String(repeating: "1 ", count: 40), "US", .notANumber),
    ])
    func `is refused for what is wrong with it`(text: String, region: String?, problem: PhoneNumber.ParsingError) {
        #expect(throws: problem) { try PhoneNumber(text, dialledIn: region) }
    }

    @Test func `is printed without its middle`() throws {
        let number = try PhoneNumber("+31612345678")
        #expect(number.description == "+31•••••••78")
        #expect("\(number)" == number.masked)
        #expect(number.callingCode == "31")
    }

    @Test func `has a country for each line of the table`() {
        #expect(CallingCodes.regions.count == 245)
        for (region, country) in CallingCodes.regions {
            #expect(CallingCodes.byCode[country.code] != nil, "\(region)")
            #expect(country.lengths.allSatisfy { (3...15).contains($0 + country.code.utf8.count) }, "\(region)")
        }
        // No code begins with another one, so that the shortest that fits is the right one.
        let codes = CallingCodes.byCode.keys
        for code in codes { #expect(codes.filter { $0 != code && $0.hasPrefix(code) }.isEmpty, "\(code)") }
    }
}
