internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension RequesterClient {
    /// Checks that a server knows services, where one is asked for, and lets it act until the wished end: a server that
    /// ignores the request would give tokens without an end.
    ///
    /// - Throws: ``SignInError`` `flow_not_offered`, `refused`.
    func requireService(at server: VerifiedServer, for flow: ServerDiscovery.Flow) throws(SignInError) {
        guard let service = options.service, flow != .tokens else { return }
        guard let longest = server.longestService, longest > 0 else {
            throw SignInError(
                .flowNotOffered, because: "the metadata have no service_max_lifetime",
                saying: "This server lets no program act for a person until an end, so nothing was started.")
        }
        let latest = context.clock.now() + TimeInterval(longest)
        guard service.ends <= latest else {
            throw SignInError(
                .refused, because: "the end is later than service_max_lifetime allows",
                saying:
                    "The server lets a program act for a person until \(latest.formatted(.iso8601)) at the latest, so "
                    + "nothing was started. Ask for less.")
        }
    }
}

extension ServerConversation {
    /// Checks that the tokens of a service end.
    ///
    /// - Throws: ``SignInError`` `bad_answer`.
    func requireEnd(of signedIn: CompletedSignIn) throws(SignInError) {
        guard options.service == nil || signedIn.ends != nil else {
            throw SignInError(.badAnswer, because: "the tokens of a service have no end")
        }
    }
}
