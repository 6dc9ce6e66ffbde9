package import HTTPTypes

extension HTTPResponse {
    /// The statuses that an answer may have. Standard: RFC 9110 §15.
    private static let statuses = 100...599
    /// The number of header fields that an answer may have; proxies and servers allow about a hundred.
    private static let mostFields = 1024

    /// Reads the head of an answer as a server sent it. `Status(code:)` traps outside 0 to 999, and ``HTTPFields`` at
    /// the 65,536th field, so both transports make their answers here alone.
    ///
    /// - Parameters:
    ///   - status: The number that came, whatever it is.
    ///   - fields: Names and values; invalid header fields are omitted.
    /// - Throws: ``TransportError`` `interrupted` for a number that is no status, `tooLarge` for too many fields.
    package init(
        received status: some BinaryInteger,
        _ fields: some Sequence<(name: String, value: String)>
    ) throws(TransportError) {
        guard let code = Int(exactly: status), Self.statuses.contains(code) else {
            throw .noStatus
        }
        var read = HTTPFields()
        for field in fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            guard read.count < Self.mostFields else {
                throw TransportError(.tooLarge, because: "over \(Self.mostFields) header fields")
            }
            read.append(HTTPField(name: name, value: field.value))
        }
        self.init(status: Status(code: code), headerFields: read)
    }
}

extension TransportError {
    /// An answer with an invalid status.
    static let noStatus = TransportError(.interrupted, because: "an answer whose status is no status of HTTP")
}
