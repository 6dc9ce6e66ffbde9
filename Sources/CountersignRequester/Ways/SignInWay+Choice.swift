public import Countersign
internal import CountersignWire

extension Set<SignInWay> {
    /// The ways that a person or a configuration names, such as `code` and `nearby`.
    ///
    /// - Parameter names: The names, as ``Countersign/SignInWay`` spells them.
    /// - Throws: ``SignInError`` `way_unusable` for a name that no way has; its sentence lists the names.
    public init(naming names: some Sequence<String>) throws(SignInError) {
        self = []
        for name in names {
            guard let way = SignInWay(rawValue: name) else {
                let wrong = DeviceAuthorizationRequest.presentable(name) ?? ""
                throw SignInError(
                    .wayUnusable, because: "there is no such way",
                    saying: "‘\(wrong)’ is no way to sign in. \(Set(SignInWay.allCases).choice)")
            }
            insert(way)
        }
    }

    /// The next step of a person whose way cannot be taken, where these can.
    var choice: String {
        "Choose another way: \(SignInWay.allCases.filter(contains).map(\.rawValue).joined(separator: ", "))."
    }
}

extension SignIn {
    /// The ways to take: all that the screen can take, unless the app has chosen some.
    ///
    /// - Throws: ``SignInError`` `way_unusable` for a chosen way that the screen cannot take; its sentence names that way,
    ///   and those that the screen can take.
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
        throw SignInError(
            .wayUnusable, because: "\(missing.rawValue): \(need)",
            saying: "This screen cannot sign in by ‘\(missing.rawValue)’: \(need). \(screen.ways.choice)")
    }
}
