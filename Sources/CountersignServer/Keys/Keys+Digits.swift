internal import FoundationEssentialsCompat

// Secrets of people and customers, stored under the keys of the server.

extension DigitsCode {
    /// The code of digits for one request and one use.
    init(of digits: String, for request: SignInRequest.ID, under keys: Keys) {
        self.init(restoring: keys.authenticationCode(for: "\(request)\n\(digits)", use: "digits of a request"))
    }
}

extension RequestPassword {
    /// A password of one request.
    ///
    /// - Throws: `CryptoKitError`, which does not happen with a key in memory.
    init(_ password: String, of request: SignInRequest.ID, under keys: Keys) throws {
        self.init(
            DigitsCode(of: password, for: request, under: keys),
            sealed: try keys.seal.sealed(Array(password.utf8), for: .password(of: request))
        )
    }

    /// The password in the clear; `nil` if its key was replaced.
    func revealed(of request: SignInRequest.ID, with keys: Keys) -> String? {
        keys.seal.opened(Array(sealed), for: .password(of: request)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension CustomerSiteTerms {
    /// The one-time password in the clear; `nil` for a request to approve, and if the key was replaced.
    func revealedPassword(of request: SignInRequest.ID, with keys: Keys) -> String? {
        switch digits {
        case .number: nil
        case .password(let password): password.revealed(of: request, with: keys)
        }
    }
}

extension NumberToMatch {
    /// A number for one request.
    init(_ number: String, of request: SignInRequest.ID, under keys: Keys) {
        self.init(DigitsCode(of: number, for: request, under: keys))
    }

    /// A new number for the requesting screen, in place of `former`; of none by default. Earlier misses still count, so
    /// another person has no additional attempts.
    init(
        drawnBy mint: CodeMint, of request: SignInRequest.ID, under keys: Keys, after former: NumberToMatch? = nil
    ) {
        let number = VerificationNumber(mint.digits(VerificationNumber.length))
        self.init(
            DigitsCode(of: number.rawValue, for: request, under: keys),
            shown: number,
            misses: former?.misses ?? 0
        )
    }
}

extension Keys {
    /// The accepted secrets of a site, the newest first.
    func secrets(of environment: CustomerSite, at now: Date) -> [CustomerSiteSecret] {
        let replaced = environment.replaced.flatMap { now < $0.ends ? $0.sealed : nil }
        return [environment.secret, replaced].compactMap(\.self).compactMap { opened($0, of: environment.id) }
    }
}

extension PersonCode {
    /// The keyed digest, by which the store finds it.
    func digest(under keys: Keys) -> SecretDigest {
        SecretDigest(of: keys.authenticationCode(for: revealed, use: "code of a person for a screen"))
    }
}

extension PersonCodeRecord {
    /// A code of a person.
    ///
    /// - Throws: `CryptoKitError`, which does not happen with a key in memory.
    init(_ code: PersonCode, of holder: ApproverIdentity, until expires: Date, under keys: Keys) throws {
        self.init(
            digest: code.digest(under: keys),
            holder: holder,
            sealed: try keys.seal.sealed(Array(code.revealed.utf8), for: .personCode(of: holder.subject)),
            expires: expires
        )
    }

    /// The code in the clear; `nil` if its key was replaced.
    func revealed(with keys: Keys) -> PersonCode? {
        keys.seal.opened(sealed, for: .personCode(of: holder.subject)).map {
            PersonCode(revealing: String(decoding: $0, as: UTF8.self))
        }
    }
}
