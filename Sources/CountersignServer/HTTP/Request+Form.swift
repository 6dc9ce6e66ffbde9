internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// A form together with the credentials that came with it, not checked yet.
struct SubmittedForm: Sendable {
    let form: Form
    let credentials: PresentedCredentials
}

extension Request {
    /// The longest form that any endpoint reads, in bytes; also the longest JSON.
    static let longestForm = 65_536

    /// The form in the body.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` for another content type, a body that is too long or cannot be read.
    func form() async throws -> Form {
        try Form(parsing: try await body(of: Self.formType))
    }

    /// The media type of a form.
    static let formType = "application/x-www-form-urlencoded"

    /// Whether the body has this media type, given in lower case, whatever its parameters are.
    ///
    /// Standard: RFC 9110 §8.3.1, §5.6.6.
    func hasBody(of type: String) -> Bool {
        let fields = headers[values: .contentType]
        guard fields.count == 1 else { return false }
        let named = fields[0].prefix { $0 != ";" }
        guard let end = named.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return false }
        return named[...end].lowercased() == type
    }

    /// The body, if it has the right type; at most ``longestForm`` bytes are read.
    ///
    /// - Throws: ``OAuthError`` `invalid_request`.
    func body(of type: String) async throws -> ByteBufferView {
        guard hasBody(of: type) else {
            throw OAuthError(.invalidRequest, "the body must be \(type)", because: "another content type")
        }
        // Only the chunks are decoded: with another coding the body would still be compressed.
        guard headers[values: .transferEncoding].allSatisfy({ $0.lowercased() == "chunked" }) else {
            throw OAuthError(.invalidRequest, "the transfer coding is not known", because: "another transfer coding")
        }
        // Refused before it is read when `Content-Length` is too large: the client may be waiting to send it.
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > Self.longestForm {
            throw OAuthError.contentTooLarge
        }
        let body: ByteBuffer
        do {
            body = try await self.body.collect(upTo: Self.longestForm)
        } catch is NIOTooManyBytesError {
            throw OAuthError.contentTooLarge
        } catch {
            throw OAuthError(.invalidRequest, "the body broke off", because: "the body broke off: \(error)")
        }
        return body.readableBytesView
    }

    /// Whether the head announces no body, nor a type of one.
    ///
    /// Standard: RFC 9112 §6.3.
    private var hasNoBody: Bool {
        let names: [HTTPField.Name] = [.contentType, .transferEncoding]
        return names.allSatisfy { headers[values: $0].isEmpty } && ["0", nil].contains(headers[.contentLength])
    }

    /// The form in the body, and the client credentials that came with the request.
    ///
    /// - Parameter isOptional: Whether there may be no body, where the header can have all that is needed; by default
    ///   there must be one.
    func submittedForm(isOptional: Bool = false) async throws -> SubmittedForm {
        let form = isOptional && hasNoBody ? Form() : try await form()
        guard headers[values: .authorization].count <= 1 else {
            throw OAuthError.repeatedAuthorization
        }
        return SubmittedForm(
            form: form,
            credentials: try PresentedCredentials(authorization: headers[.authorization], form: form)
        )
    }
}

extension OAuthError {
    /// A request has more than one `Authorization` header.
    static let repeatedAuthorization = OAuthError(
        .invalidRequest,
        "more than one Authorization header",
        because: "repeated header"
    )
}
