internal import CountersignWire

extension Endpoint {
    /// Reads the URL of an endpoint that goes by `name`.
    ///
    /// - Throws: ``SignInError`` `insecure_endpoint` for plain http to another machine, `bad_answer` for anything that
    ///   is no URL of a server.
    init(_ text: String, named name: String, allowingInsecureHTTP: Bool) throws(SignInError) {
        do throws(Endpoint.ParsingError) {
            try self.init(text, allowingInsecureHTTP: allowingInsecureHTTP)
        } catch {
            switch error {
            case .malformed: throw SignInError(.badAnswer, because: "\(name) is no URL of a server")
            case .insecure: throw SignInError(.insecureEndpoint, because: "\(name) is not https")
            }
        }
    }
}
