/// The request in the wire form of its kind.
package enum RequestBody {
    /// The body of a `request` message.
    package static func written(_ request: NearbyRequest) -> [UInt8] {
        var writer = FieldWriter()
        switch request {
        case .bytes(let purpose): writer.text(purpose.text)
        case .server(let request):
            writer.longText(request.issuer)
            writer.text(request.userCode.rawValue)
            writer.bytes(request.verifier.revealedBytes)
        }
        return writer.written
    }

    /// Reads the body of a request of a kind; `nil` when it is malformed, or has trailing bytes.
    package static func parsed(_ body: [UInt8], as kind: NearbyRequestKind) -> NearbyRequest? {
        var reader = FieldReader(body)
        let request: NearbyRequest?
        switch kind {
        case .bytes: request = reader.text().flatMap { NearbyPurpose($0) }.map { .bytes(purpose: $0) }
        case .server:
            guard let issuer = reader.longText(), let code = reader.text(),
                let verifier = reader.bytes(NearbyVerifier.length).flatMap({ NearbyVerifier(revealing: $0) })
            else { return nil }
            request = NearbySignInRequest(issuer: issuer, userCode: UserCodeText(code), verifier: verifier)
                .map { .server($0) }
        }
        return reader.isAtEnd ? request : nil
    }

    /// The digest in `ask` of a request that is sent later.
    package static func digest(of body: [UInt8], salt: LinkNonce) -> LinkDigest {
        LinkDigest(.request, salt.revealed, body)
    }
}
