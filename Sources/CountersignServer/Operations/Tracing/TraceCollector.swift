internal import Countersign
internal import CountersignTransport
internal import CountersignWire
package import HTTPTypes
internal import Foundation

/// A program that takes spans by OTLP over HTTP, and what it needs to know its sender by.
package struct TraceCollector: Sendable, Redacted {
    /// The reason that an address is not accepted.
    package enum AddressError: Error, Sendable, Equatable {
        /// It is no http or https address, or has a query.
        case malformed
        /// It is plain http to another machine, which the header fields must not cross.
        case insecure
    }

    let endpoint: Endpoint
    let headers: HTTPFields

    /// Creates a collector from what the operator wrote.
    ///
    /// - Parameters:
    ///   - base: The address, to which `/v1/traces` is added. Plain http is accepted, since a collector is usually on
    ///     the same machine or network, and spans hold no secret; with `headers`, which do, only to this machine.
    ///   - headers: Header fields, which may hold a secret; none by default.
    /// - Throws: ``AddressError`` for an address that cannot be called.
    package init(at base: String, headers: HTTPFields = [:]) throws(AddressError) {
        let base = base.hasSuffix("/") ? String(base.dropLast()) : base
        guard !base.contains("?") else { throw .malformed }
        do {
            endpoint = try Endpoint("\(base)/v1/traces", allowingInsecureHTTP: headers.isEmpty)
        } catch {
            throw error == .insecure ? .insecure : .malformed
        }
        self.headers = headers
    }

    /// Reads header fields.
    ///
    /// - Parameter text: `name=value` with commas or line breaks between; values may be percent-encoded.
    /// - Returns: `nil` when a part is no header field.
    package static func headers(parsing text: String) -> HTTPFields? {
        var fields = HTTPFields()
        for part in text.split(whereSeparator: { $0 == "," || $0.isNewline }) {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2, let name = HTTPField.Name(pair[0]), let value = pair[1].removingPercentEncoding,
                HTTPField.isValidValue(value)
            else { return nil }
            fields[name] = value
        }
        return fields
    }

    /// The request with spans.
    var request: HTTPRequest {
        var request = endpoint.request(.post)
        request.headerFields[.contentType] = "application/json"
        request.headerFields.append(contentsOf: headers)
        return request
    }
}
