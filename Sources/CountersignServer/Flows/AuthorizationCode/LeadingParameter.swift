/// A parameter of the server's own, in front of the parameters of a client's request.
struct LeadingParameter: Sendable {
    /// Its name; its values hold no `&`.
    let name: String

    /// Puts a value in front of a query.
    func adding(_ value: String, to query: String) -> String { "\(name)=\(value)&\(query)" }

    /// Takes the value off; `nil` in its place when the query does not begin with this parameter.
    func split(_ query: String) -> (value: String?, query: String) {
        let prefix = "\(name)="
        guard query.hasPrefix(prefix) else { return (nil, query) }
        let rest = query.dropFirst(prefix.count)
        let value = rest.prefix { $0 != "&" }
        return (String(value), String(rest.dropFirst(value.count + 1)))
    }
}
