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
        let kind: Kind =
            switch answer.place {
            case .browser: .browser
            case .textMessage: .textMessage
            case .app, .device, .client, .olderDevice: .device
            }
        self.init(kind, named: try answer.place.name(in: repositories), answered: answer.answered)
    }
}
