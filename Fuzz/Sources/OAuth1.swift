import Countersign
import CountersignWire
import Foundation
import HTTPTypes

extension Parser {
    /// Requests that are signed by OAuth 1.
    static let oauth1: [Parser] = [
        Parser(
            "oauth1-header",
            text: { text in
                guard let header = try? OAuth1Header(parsing: text) else { return }
                expect(header.text.isPrintable, "a header is written in ASCII")
                guard header.text.utf8.count <= 8192 else { return }
                expect((try? OAuth1Header(parsing: header.text)) == header, "and read again as it is written")
            }),
        Parser(
            "oauth1-parameters",
            bytes: { bytes in
                guard let parameters = try? OAuth1Parameter.parse(bytes) else { return }
                let encoded = OAuth1Parameter.encoded(parameters)
                expect(encoded.isPrintable, "parameters are written in ASCII")
                let again = try? OAuth1Parameter.parse(Array(encoded.utf8))
                expect(again == parameters, "and read again as they are written")
            }),
        Parser(
            "oauth1-request",
            text: { text in
                // The address, the header and the form, each in a line.
                let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
                guard lines.count == 3,
                    let request = try? OAuth1Request(
                        .post, lines[0], type: "application/x-www-form-urlencoded", body: Array(lines[2].utf8))
                else { return }
                expect((try? OAuth1Request(.post, request.baseURI))?.baseURI == request.baseURI, "an address stays")
                let authorization = lines[1].isEmpty ? nil : lines[1]
                guard let unverified = try? UnverifiedOAuth1Request(request, authorization: authorization)
                else { return }
                expect(unverified.baseString.text.isPrintable, "what is signed is ASCII")
                let verified = try? unverified.verified(
                    by: OAuth1VerificationKeys(),
                    accepting: Set(OAuth1SignatureMethod.allCases),
                    at: Date(timeIntervalSince1970: 0)
                )
                expect(verified == nil, "nothing is verified without a key")
            }),
    ]
}
