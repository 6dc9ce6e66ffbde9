internal import Countersign
internal import CountersignWire

/// A request for sign-in as a page's address or form names it, and where an app wants the browser afterwards.
struct NamedRequest: Sendable, Equatable {
    /// What names it.
    enum Name: Sendable, Equatable {
        /// The code that the asking screen shows.
        case code(UserCode)
        /// Its own identifier. That is no secret, so it goes only for requests that are addressed to the person.
        case addressed(SignInRequest.ID)
    }

    let name: Name
    let returning: UnverifiedReturnAddress?

    init(_ name: Name, returning: UnverifiedReturnAddress? = nil) {
        self.name = name
        self.returning = returning
    }

    /// Reads the parameters of a form or an address; `nil` when they name none.
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

    /// Where the person finds the request again before they have taken it.
    var entrance: String {
        switch name {
        case .code: return "/activate?\(query)"
        case .addressed:
            var form = Form()
            form[UnverifiedReturnAddress.field] = returning?.rawValue
            return form.encoded.isEmpty ? "/activate" : "/activate?\(form.encoded)"
        }
    }

    /// How the request is found, once it is known under which key codes are kept.
    func key(by keys: Keys) -> RequestKey {
        switch name {
        case .code(let code): .code(keys.digest(of: code))
        case .addressed(let id): .addressed(id)
        }
    }
}

/// The key under which a request is found in the store.
enum RequestKey: Sendable {
    case code(UserCodeDigest)
    case addressed(SignInRequest.ID)

    /// The request; `nil` for every person but its addressee, if it has one.
    func find(for subject: Subject, in repositories: any Repositories) throws -> StoredExchange? {
        switch self {
        case .code(let digest):
            guard let stored = try repositories.exchanges.find(digest) else { return nil }
            let addressee = stored.exchange.request.addressee
            return addressee == nil || addressee == subject ? stored : nil
        case .addressed(let id):
            guard let stored = try repositories.exchanges.find(id) else { return nil }
            return stored.exchange.request.addressee == subject ? stored : nil
        }
    }
}
