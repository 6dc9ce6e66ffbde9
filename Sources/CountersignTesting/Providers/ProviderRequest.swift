internal import Countersign
public import CountersignWire
public import HTTPTypes

/// A request that a fake provider received.
public struct ProviderRequest: Sendable {
    /// The method.
    public let method: HTTPRequest.Method
    /// Path and query, as they came.
    public let target: String
    /// The header fields.
    public let fields: HTTPFields
    /// The whole body.
    public let body: [UInt8]

    /// The path without the query.
    public var path: String { String(target.prefix { $0 != "?" }) }
    /// The parameters of the query; empty when they are no form.
    public var query: Form { (try? Form(parsing: target.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())) ?? Form() }
    /// The parameters of the body; empty when it is no form.
    public var form: Form { (try? Form(parsing: body)) ?? Form() }
    /// The token of the `Authorization` header; `nil` when it is no bearer token.
    var bearer: String? { fields[.authorization].flatMap(BearerHeader.token(in:))?.revealed }
}

/// The answer of a fake provider.
package struct ProviderReply: Sendable {
    var status: Int
    var fields: [(String, String)]
    var body: [UInt8]

    package init(status: Int = 200, fields: [(String, String)] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// An answer with an object as JSON.
    static func json(_ members: [String: JSONMember], status: Int = 200) -> ProviderReply {
        ProviderReply(
            status: status,
            fields: [("Content-Type", "application/json; charset=utf-8"), ("Cache-Control", "no-store")],
            body: Array(JSONMember.object(members).text.utf8)
        )
    }

    /// An answer with any text.
    package static func text(_ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200)
        -> ProviderReply
    { ProviderReply(status: status, fields: [("Content-Type", type)], body: Array(text.utf8)) }

    /// An answer that leads to another address.
    static func redirect(to address: String) -> ProviderReply {
        ProviderReply(status: 302, fields: [("Location", address), ("Cache-Control", "no-store")])
    }
}
