import Countersign
import CountersignWire
import Foundation
import HTTPTypes

extension Parser {
    /// Credentials of a client: the header in the first line, the form in the rest.
    static let credentials: [Parser] = [
        Parser(
            "credentials",
            bytes: { bytes in
                let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.startIndex
                let header = end == bytes.startIndex ? nil : String(decoding: bytes[..<end], as: UTF8.self)
                guard let form = try? Form(parsing: bytes[end...].dropFirst()),
                    let presented = try? PresentedCredentials(authorization: header, form: form)
                else { return }
                let hasProof = presented.secret != nil || presented.assertion != nil
                expect((presented.method == .none) == !hasProof, "who shows a secret or a statement says how")
                guard let secret = presented.secret else { return }
                let again = PresentedCredentials.basicHeader(client: presented.client, secret: secret)
                let read = try? PresentedCredentials(authorization: again, form: Form())
                expect(read?.client == presented.client && read?.secret == secret, "and is read again from the header")
            }),
        Parser(
            "basic-header",
            text: { text in
                guard let presented = try? PresentedCredentials(authorization: text, form: Form()) else { return }
                expect(
                    presented.secret?.revealed.isEmpty != true
                        && presented.method == (presented.secret == nil ? .none : .clientSecretBasic),
                    "a header shows a secret that is not empty, or only names a client")
                expect(!presented.client.rawValue.utf8.contains(0), "and holds no NUL")
            }),
    ]

    /// The messages that clients send.
    static let requests: [Parser] = [
        Parser(
            "token-request",
            bytes: { bytes in
                guard let form = try? Form(parsing: bytes), let request = try? TokenRequest(form: form) else { return }
                expect(GrantType.known.contains(request.grantType), "only known grant types are read")
                expect((try? TokenRequest(form: request.form)) == request, "a request is read again as it is written")
            }),
        Parser(
            "client-metadata",
            bytes: { bytes in
                guard let metadata = try? ClientMetadata(parsing: bytes) else { return }
                if let keys = try? metadata.keys?.checked() {
                    expect((1...SubmittedKeySet.most).contains(keys.keys.count), "only so many keys are registered")
                }
                guard let written = try? JSONEncoder().encode(metadata) else { return }
                let read = try? ClientMetadata(parsing: written)
                expect(read?.redirectURIs == metadata.redirectURIs, "metadata are read again as they are written")
                guard let update = try? ClientUpdateRequest(parsing: bytes) else { return }
                expect(update.metadata == metadata, "a replacement has the same metadata")
            }),
        Parser(
            "authorization-request",
            bytes: { bytes in
                guard let form = try? Form(parsing: bytes), let request = try? AuthorizationRequest(form: form)
                else { return }
                expect((try? AuthorizationRequest(form: request.form)) == request, "a request is read again")
            }),
        Parser(
            "authorization-address",
            text: { text in
                guard let address = AuthorizationAddress(parsing: text) else { return }
                let isKept = address.parameters.isEmpty || text.contains(address.parameters)
                expect(address.parameters.isPrintable && isKept, "its query is kept")
                if case .authorization(of: let client, let request?) = address.kind {
                    expect(request.client == client, "it is a request of one client")
                }
                guard address.parameters.utf8.count < AuthorizationAddress.longest / 2 else { return }
                let page = "https://id.example.com/authorize"
                let again = AuthorizationAddress(parsing: "\(page)?\(address.parameters)")
                expect(again?.isAt(page) == true && again?.kind == address.kind, "it can go on in a browser")
            }),
        Parser(
            "authorization-response",
            bytes: { bytes in
                guard let form = try? Form(parsing: bytes), let answer = try? AuthorizationResponse(form: form)
                else { return }
                let location = answer.form.location(at: "https://app.example/done")
                let again = try? Form(parsing: location.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())
                let read = again.flatMap { try? AuthorizationResponse(form: $0) }
                expect(read == answer, "an answer is read again from the address")
            }),
        Parser(
            "redirect-uri",
            text: { text in
                guard let own = try? RedirectURI(text) else { return }
                let separator = text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
                expect(
                    own.parameters(of: "\(text)\(separator)code=A") == "code=A", "an answer comes back to its address")
                expect(own.parameters(of: "other-\(text)?code=A") == nil, "and to no other scheme")
            }),
        Parser(
            "callback",
            text: { text in
                for own in [
                    "com.example.app:/done?kind=a", "https://app.example.com/done", "http://127.0.0.1:8400/done",
                ] {
                    guard let query = try? RedirectURI(own).parameters(of: text) else { continue }
                    let returned = ReturnedParameters(parsing: query)
                    guard case .success(let outcome) = returned.content else { continue }
                    switch outcome {
                    case .code: expect(query.contains("="), "a code has a name")
                    case .refused(let error):
                        let word = error.code.rawValue
                        expect(
                            !word.isEmpty && word.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "an error can be shown")
                    }
                }
            }),
        Parser(
            "device-authorization-request",
            bytes: { bytes in
                guard let form = try? Form(parsing: bytes), let request = try? DeviceAuthorizationRequest(form: form)
                else { return }
                expect((try? DeviceAuthorizationRequest(form: request.form)) == request, "a request is read again")
            }),
        Parser(
            "backchannel-request",
            bytes: { bytes in
                guard let form = try? Form(parsing: bytes),
                    let request = try? BackchannelAuthenticationRequest(form: form)
                else { return }
                expect(
                    (try? BackchannelAuthenticationRequest(form: request.form)) == request, "a request is read again")
                expect(request.scope.contains(.openid), "it asks who the person is")
                expect((1...64).contains(request.bindingMessage?.rawValue.count ?? 1), "a message has a length")
                expect(request.notificationToken?.headerValue.isPrintable ?? true, "a token can stand in a header")
            }),
        Parser(
            "login-hint-token",
            text: { text in
                guard let hint = try? UnverifiedLoginHintToken(text) else { return }
                let person = try? hint.person(
                    signedBy: JSONWebKeySet(keys: []),
                    of: ClientID("desk"),
                    for: "https://id.example.com",
                    at: Date(timeIntervalSince1970: 0)
                )
                expect(person == nil, "nobody is named without a key")
            }),
        Parser(
            "device-name",
            text: { text in
                guard let name = DeviceAuthorizationRequest.presentable(text) else { return }
                expect(
                    name.count <= DeviceAuthorizationRequest.longestDeviceName && !name.isEmpty, "a name has a length")
                expect(DeviceAuthorizationRequest.presentable(name) == name, "what is presentable stays as it is")
                expect(
                    name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F },
                    "it has no control character")
            }),
        Parser(
            "approver-look-request",
            bytes: { bytes in
                guard let form = try? Form(parsing: bytes), let request = try? ApproverLookRequest(form: form) else {
                    return
                }
                expect((try? ApproverLookRequest(form: request.form)) == request, "a request is read again")
            }),
        Parser(
            "approver-undo-request",
            bytes: { bytes in
                guard let form = try? Form(parsing: bytes), let request = try? ApproverUndoRequest(form: form) else {
                    return
                }
                expect((try? ApproverUndoRequest(form: request.form)) == request, "a request is read again")
            }),
        Parser(
            "decision",
            text: { text in
                guard let decision = try? UnverifiedDecision(text) else { return }
                expect(decision.text == text, "the text is kept as it came")
                let form = ApproverDecideRequest.form(with: text)
                let read = (try? ApproverDecideRequest(form: form))?.decision
                expect(read?.key == decision.key, "a decision is read again")
                guard let key = decision.key else { return }
                _ = try? decision.claims(signedBy: key)
            }),
        Parser(
            "dpop-proof",
            text: { text in
                guard let proof = try? UnverifiedDPoPProof(text) else { return }
                expect(KeyThumbprint(of: proof.key) != nil, "its key has a thumbprint")
                guard let target = DPoPTarget(.post, "https://id.example.com/token") else { return }
                let verified = try? proof.verified(for: target, freshBy: .byTime, at: Date(timeIntervalSince1970: 0))
                expect(verified.map { $0.thumbprint == KeyThumbprint(of: proof.key) } ?? true, "it proves its own key")
            }),
        Parser(
            "dpop-target",
            text: { text in
                guard let target = DPoPTarget(.get, text) else { return }
                expect(target.uri.isPrintable && !target.uri.contains("?"), "a target can stand in a proof")
                expect(DPoPTarget(.get, target.uri) == target, "a normal form stays as it is")
            }),
        Parser(
            "distinguished-name",
            text: { text in
                guard let name = DistinguishedNameText(text) else { return }
                expect(DistinguishedNameText(" \(text)") == name, "a space in front changes nothing")
                expect(DistinguishedNameText("\(text),CN=a") != name, "a longer name is another")
            }),
        Parser(
            "client-assertion",
            text: { text in
                guard let assertion = try? UnverifiedClientAssertion(text) else { return }
                expect(!assertion.client.rawValue.isEmpty, "a statement names a client")
                let keys = JSONWebKeySet(keys: [])
                let verified = try? assertion.verified(by: keys, for: [], at: Date(timeIntervalSince1970: 0))
                expect(verified == nil, "nothing is verified without a key")
            }),
        Parser(
            "claims-request",
            text: { text in
                guard let claims = try? ClaimsRequest(parsing: text) else { return }
                expect((try? ClaimsRequest(parsing: claims.text)) == claims, "a request for claims is read again")
            }),
        Parser(
            "request-object",
            text: { text in
                guard let object = try? UnverifiedRequestObject(text) else { return }
                let verified = try? object.verified(
                    by: JSONWebKeySet(keys: []),
                    of: ClientID("app"),
                    for: "https://id.example.com",
                    demanding: .signature,
                    at: Date(timeIntervalSince1970: 0)
                )
                expect(verified == nil, "nothing is verified without a key")
            }),
        Parser(
            "introspection-request",
            bytes: { bytes in
                guard let form = try? Form(parsing: bytes), let request = try? IntrospectionRequest(form: form) else {
                    return
                }
                expect((try? IntrospectionRequest(form: request.form)) == request, "a request is read again")
            }),
        Parser(
            "revocation-request",
            bytes: { bytes in
                guard let form = try? Form(parsing: bytes), let request = try? RevocationRequest(form: form) else {
                    return
                }
                expect((try? RevocationRequest(form: request.form)) == request, "a request is read again")
            }),
        Parser(
            "exchange-nonce",
            bytes: { bytes in
                guard let answer = try? JSONDecoder().decode(ExchangeNonceResponse.self, from: Data(bytes)) else {
                    return
                }
                expect((1...256).contains(answer.nonce.revealed.utf8.count), "a nonce has a length")
                expect(answer.nonce.challenge.utf8.count == 64, "a digest has 64 digits")
            }),
    ]
}
