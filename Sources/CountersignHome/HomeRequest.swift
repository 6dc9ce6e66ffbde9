internal import CountersignWire
internal import HTTPTypes

/// One end of the network of a home, which can be cut off from it.
enum HomeParty: Hashable, Sendable, CustomStringConvertible {
    case screen(HomeScreen)
    case phone(HomePerson)
    case browser(HomePerson)
    case attacker
    /// A service that accepts tokens.
    case service

    var description: String {
        switch self {
        case .screen(let screen): screen.name
        case .phone(let person): "phone of \(person)"
        case .browser(let person): "browser of \(person)"
        case .attacker: "attacker"
        case .service: "service"
        }
    }
}

/// One request on the network of a home.
struct HomeRequest: Sendable {
    var method: HTTPRequest.Method = .post
    /// The path and query.
    let path: String
    var fields: HTTPFields = [:]
    var body: [UInt8] = []
    /// The address that the server sees.
    let address: String

    /// A form that is posted.
    init(_ path: String, _ form: Form, fields: HTTPFields = [:], from address: String) {
        self.path = path
        self.fields = fields
        self.fields[.contentType] = Form.mediaType
        body = Array(form.encoded.utf8)
        self.address = address
    }

    /// A page or a message that is read.
    init(getting path: String, fields: HTTPFields = [:], from address: String) {
        method = .get
        self.path = path
        self.fields = fields
        self.address = address
    }

    /// The path without its query.
    var route: String { String(path.prefix { $0 != "?" }) }
}

extension Form {
    /// This form with the parameters of another.
    func with(_ other: Form) -> Form {
        var form = self
        for (name, value) in other.parameters { form[name] = value }
        return form
    }
}
