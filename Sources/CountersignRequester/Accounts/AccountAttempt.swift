internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes
internal import NIOConcurrencyHelpers

/// The steps that every attempt with an account of the system shares.
enum AccountAttempt {
    /// Begins an attempt, once.
    static func begin(_ isPerformed: NIOLockedValueBox<Bool>) throws(AccountError) {
        let wasPerformed = isPerformed.withLockedValue { performed in
            defer { performed = true }
            return performed
        }
        guard !wasPerformed else { throw AccountError(.alreadyPerformed, because: "each attempt has an object") }
    }

    /// Waits for a person or the system, which may not react to cancellation. An answer that a person or the system
    /// gives because the task was cancelled, such as none at all, is no answer.
    static func waiting<Value: Sendable>(
        for operation: @escaping @Sendable () async -> Value
    ) async throws(AccountError) -> Value {
        do throws(SignInError) {
            let value = try await Interruptible.value(operation)
            guard !Task.isCancelled else { throw SignInError.taskCancelled }
            return value
        } catch {
            throw AccountError(.cancelled, because: error.reason)
        }
    }

    /// Asks the store, and maps its errors.
    static func asking<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws(SystemAccountStoreError) -> Value
    ) async throws(AccountError) -> Value {
        switch try await waiting(for: { await Result(operation) }) {
        case .success(let value): return value
        case .failure(let error): throw AccountError(error)
        }
    }

    /// The accounts that the app may use; at least one.
    static func accounts(
        of store: any SystemAccountStore,
        for access: SystemAccountAccess
    ) async throws(AccountError) -> [SystemAccount] {
        let accounts = try await asking { () async throws(SystemAccountStoreError) in
            try await store.accounts(for: access)
        }
        guard !accounts.isEmpty else { throw AccountError(.noAccount, because: "the store has no account") }
        return accounts
    }

    /// Sends a request, and returns its answer whatever its status.
    static func send(
        _ method: HTTPRequest.Method,
        to address: String,
        authorization: String,
        form: [OAuth1Parameter]? = nil,
        at step: AccountError.Step,
        over transport: any HTTPTransport,
        within limit: Duration
    ) async throws(AccountError) -> HTTPAnswer {
        guard let endpoint = try? CountersignWire.Endpoint(address) else {
            throw AccountError(.unconfigured, at: step, because: "the provider's address is no https address")
        }
        var request = endpoint.request(method)
        request.headerFields[.authorization] = authorization
        if form != nil { request.headerFields[.contentType] = Form.mediaType }
        do throws(TransportError) {
            return try await transport.send(
                request,
                body: form.map { Array(OAuth1Parameter.encoded($0).utf8) } ?? [],
                within: limit
            )
        } catch {
            throw AccountError(error, at: step)
        }
    }
}

extension HTTPAnswer {
    /// The body as text; `nil` when it is not UTF-8.
    var text: String? {
        let text = String(decoding: body, as: UTF8.self)
        return text.utf8.elementsEqual(body) ? text : nil
    }

    /// Whether it is a page for people. The media type is no indication: providers of OAuth 1 send forms as
    /// `text/html`, too.
    var isPage: Bool {
        let start = (text ?? "").prefix(512).drop { $0.isWhitespace }.lowercased()
        return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
    }
}
