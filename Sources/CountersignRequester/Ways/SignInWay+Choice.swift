public import Countersign

extension Set<SignInWay> {
    /// The ways that a person or a configuration names, such as `code` and `nearby`.
    ///
    /// - Parameter names: The names, as ``Countersign/SignInWay`` spells them.
    /// - Throws: ``SignInError`` `way_unusable` for a name that no way has.
    public init(naming names: some Sequence<String>) throws(SignInError) {
        self = []
        for name in names {
            guard let way = SignInWay(rawValue: name) else {
                let known = SignInWay.allCases.map(\.rawValue).joined(separator: ", ")
                throw SignInError(.wayUnusable, because: "there is no such way; the ways are \(known)")
            }
            insert(way)
        }
    }
}

extension SignIn {
    /// The ways to take: all that the screen can take, unless the app has chosen some.
    ///
    /// - Throws: ``SignInError`` `way_unusable` for a chosen way that the screen cannot take.
    func ways() throws(SignInError) -> Set<SignInWay> {
        // The person whose code was typed answers where they got it.
        guard client.options.personCode == nil else { return [.code] }
        guard let chosen = client.options.ways else { return screen.ways }
        let missing = SignInWay.allCases.first { chosen.contains($0) && !screen.ways.contains($0) }
        guard let missing else { return chosen }
        let need =
            switch missing {
            case .nearby: "no network is searched for phones"
            case .browser: "there is no browser here"
            case .push: "nobody is remembered here"
            case .code: "the screen shows no code"
            }
        throw SignInError(.wayUnusable, because: "\(missing.rawValue): \(need)")
    }
}
