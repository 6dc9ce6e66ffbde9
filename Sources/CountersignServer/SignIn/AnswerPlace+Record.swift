internal import Countersign
internal import CountersignWire

extension AnswerPlace {
    /// The place where a request was answered, for its person alone.
    ///
    /// - Parameters:
    ///   - stored: The request.
    ///   - subject: The person who wants to know; `nil` is returned to everybody but the one who answered.
    ///   - repositories: The store, which has the names of devices.
    init?(of stored: SignInExchangeRecord, toldTo subject: Subject, in repositories: any Repositories) throws {
        guard let answer = stored.terms.answer, stored.exchange.decider == subject else { return nil }
        switch answer.place {
        case .browser(_, let name): self.init(.browser, named: name, answered: answer.answered)
        case .textMessage: self.init(.textMessage, named: nil, answered: answer.answered)
        case .olderDevice(let id):
            self.init(.device, named: try repositories.devices.find(id)?.shownName, answered: answer.answered)
        case .app(let signIn):
            let name = try repositories.devices.find(signIn)?.shownName ?? Self.name(ofApp: signIn, in: repositories)
            self.init(.device, named: name, answered: answer.answered)
        }
    }

    private static func name(ofApp signIn: Grant.ID, in repositories: any Repositories) throws -> String? {
        guard let client = try repositories.signIns.find(signIn)?.grant.client else { return nil }
        return try repositories.clients.find(client)?.name
    }
}
