extension LinkMessage {
    /// The plaintext of the message.
    package var bytes: [UInt8] {
        var writer = FieldWriter()
        writer.byte(kind.rawValue)
        switch self {
        case .ask(let ask):
            writer.byte(ask.kind.rawValue)
            writer.byte(ask.wantsPairing ? 1 : 0)
            writer.bytes(ask.requestDigest.bytes)
            writer.text(ask.name.asSaid)
        case .commit(let run, let digest), .typed(let run, let digest):
            writer.byte(run.number)
            writer.bytes(digest.bytes)
        case .ready(let run, let nonce), .reveal(let run, let nonce), .open(let run, let nonce):
            writer.byte(run.number)
            writer.bytes(nonce.revealed)
        case .wait(let place): writer.byte(UInt8(clamping: place))
        case .missed(let run): writer.byte(run.number)
        case .request(let salt, let body):
            writer.bytes(salt.revealed)
            writer.bytes(body)
        case .decision(let decision):
            writer.byte(decision.approves ? 1 : 2)
            writer.byte(decision.pairs ? 1 : 0)
            writer.text(decision.name.asSaid)
            writer.number(UInt32(clamping: decision.total))
            writer.bytes(decision.digest.bytes)
        case .part(let bytes): writer.bytes(bytes)
        case .done(let paired): writer.byte(paired ? 1 : 0)
        case .end(let reason): writer.byte(reason.rawValue)
        case .trusted, .alive: break
        }
        return writer.written
    }

    /// The type that the message begins with.
    private var kind: Kind {
        switch self {
        case .ask: .ask
        case .commit: .commit
        case .wait: .wait
        case .ready: .ready
        case .typed: .typed
        case .reveal: .reveal
        case .open: .open
        case .missed: .missed
        case .trusted: .trusted
        case .request: .request
        case .decision: .decision
        case .part: .part
        case .done: .done
        case .alive: .alive
        case .end: .end
        }
    }
}
