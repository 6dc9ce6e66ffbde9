internal import Countersign
internal import CountersignTesting
internal import CountersignWire

/// A site that sends a person's browser to `/authorize`, and redeems the code that comes back.
enum AuthorizationCodeWay: HomeOccasion {
    static let acts = [
        HomeAct("shop.sends", weight: 3) { home, choice in
            guard let person = choice.person() else { return nil }
            let state = CodeVerifier(revealing: URLSafeText.encode(home.random.bytes(16))).revealed
            let verifier = CodeVerifier(revealing: URLSafeText.encode(home.random.bytes(32)))
            var request = AuthorizationRequest(
                client: shop.client.id, redirectURI: shop.client.redirectURI, challenge: CodeChallenge(of: verifier))
            request.scope = Scope([HomeClient.play])
            request.state = state
            let signIn = home.begin("shop", at: shop, .browsing(verifier, state: state))
            home.browsers[person]?.errand = signIn.number
            let opened = try await BrowserActs.open("/authorize?\(request.form.encoded)", person, in: home)
            return "\(signIn.label) sends \(person): \(opened)"
        }
    ]

    static let stories = [["shop.sends", "person.goesOn", "person.goesOn"] + CodeWay.tokens]

    private static let shop = HomeScreen(name: "Shop", client: .shop)

    /// Takes the answer that a browser brings back to the shop.
    static func arrive(_ query: Substring, in home: isolated Home) async throws -> String {
        let answer = try AuthorizationResponse(form: try Form(parsing: Array(query.utf8)))
        let pending = home.signIns.first { signIn in
            if case .browsing(_, let state) = signIn.requester { state == answer.state } else { false }
        }
        guard let signIn = pending, case .browsing(let verifier, _) = signIn.requester else { return "a stray answer" }
        switch answer.outcome {
        case .code(let code):
            signIn.requestCode = code.digest
            let request = TokenRequest.authorizationCode(
                code, redirectURI: signIn.screen.client.redirectURI, verifier: verifier)
            signIn.requester = .redeeming(request)
            return "\(signIn.label) gets a code"
        case .refused(let error):
            try await home.end(signIn, error.code == .accessDenied ? .denied : .refused(error.code.rawValue))
            return "\(signIn.label) gets \(error.code)"
        }
    }
}
