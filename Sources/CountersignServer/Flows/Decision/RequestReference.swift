internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The name of a sign-in request in a page's address or form, and the address that the app wants the browser to return
/// to.
struct RequestReference: Sendable, Equatable {
    /// The name of a request.
    enum Name: Sendable, Equatable {
        /// The code that the asking screen shows.
        case code(UserCode)
        /// Its identifier. It is no secret, so it is accepted only for requests that are put to the person.
        case addressed(SignInRequest.ID)
    }

    let name: Name
    let returning: UnverifiedReturnAddress?

    init(_ name: Name, returning: UnverifiedReturnAddress? = nil) {
        self.name = name
        self.returning = returning
    }

    /// The request of a screen whose browser, on the same device, returns to it.
    init(_ name: Name, _ screen: BrowserReturn) {
        self.init(name, returning: UnverifiedReturnAddress(rawValue: screen.redirectURI.text))
    }

    /// Reads the parameters of a form or an address; `nil` when they name no request.
    init?(_ parameter: (String) -> String?) {
        if let id = parameter("request"), !id.isEmpty {
            name = .addressed(SignInRequest.ID(id))
        } else if let code = parameter("user_code").flatMap({ UserCode(parsing: $0) }) {
            name = .code(code)
        } else {
            return nil
        }
        returning = UnverifiedReturnAddress(parameter: parameter(UnverifiedReturnAddress.field))
    }

    /// The same as the query of an address of this server.
    var query: String {
        var form = Form()
        switch name {
        case .code(let code): form["user_code"] = code.description
        case .addressed(let id): form["request"] = id.rawValue
        }
        form[UnverifiedReturnAddress.field] = returning?.rawValue
        return form.encoded
    }

    /// Whether the browser comes from the screen that asks, on the same device, and goes back to it.
    func returns(toScreenOf stored: SignInExchangeRecord) -> Bool {
        guard let screen = stored.method.browserReturn else { return false }
        return returning?.rawValue == screen.redirectURI.text
    }

    /// The page where the person finds the request before they have taken it.
    var entrance: String {
        switch name {
        case .code: return "/activate?\(query)"
        case .addressed:
            var form = Form()
            form[UnverifiedReturnAddress.field] = returning?.rawValue
            return form.encoded.isEmpty ? "/activate" : "/activate?\(form.encoded)"
        }
    }

    /// The key that finds the request; codes are looked up by a digest under the server's key.
    func key(by keys: Keys) -> RequestKey {
        switch name {
        case .code(let code): .code(keys.digest(of: code))
        case .addressed(let id): .addressed(id)
        }
    }
}

extension SignInExchangeRecord {
    /// Whether its taker came from the screen that asks, by a browser on the same device.
    func isTakenInBrowserOfScreen(at now: Date) -> Bool {
        method.browserReturn != nil && exchange.taking(at: now)?.evidence.proofs.contains(.redirected) == true
    }
}

/// The key of a request in the store.
enum RequestKey: Sendable {
    case code(UserCodeDigest)
    case addressed(SignInRequest.ID)

    /// The request; `nil` for every person but its addressee, if it has one.
    func find(for subject: Subject, in repositories: any Repositories) throws -> SignInExchangeRecord? {
        switch self {
        case .code(let digest):
            guard let stored = try repositories.exchanges.find(digest) else { return nil }
            return stored.exchange.request.isOpen(to: subject) ? stored : nil
        case .addressed(let id):
            guard let stored = try repositories.exchanges.find(id) else { return nil }
            // A one-time password is typed where the request was started.
            guard stored.method.kind == .instant else { return nil }
            return stored.exchange.request.personAsked == subject ? stored : nil
        }
    }
}
