internal import ArgumentParser
internal import CountersignRequester
internal import CountersignServer

/// The reason that the command fails, in words for the person at the terminal.
struct CommandError: Error, CustomStringConvertible {
    let description: String
    let status: ExitStatus

    init(_ description: String, status: ExitStatus = .failed) {
        self.description = description
        self.status = status
    }

    /// A command that was called the wrong way.
    static func usage(_ description: String) -> CommandError { CommandError(description, status: .usage) }
}

/// The exit statuses of the command; each number is in its help.
enum ExitStatus: Int32, Sendable {
    case done = 0
    case failed = 1
    case denied = 3
    case expired = 4
    case notReached = 5
    case notMe = 6
    case refused = 7
    case usage = 64
    /// Only of `token exec`: there is a program, but it cannot be run.
    case notRun = 126
    /// Only of `token exec`: there is no such program.
    case notFound = 127
    case interrupted = 130
    case outputClosed = 141
}

extension ParsableCommand {
    /// Runs `body`, and ends with the status and the sentence of a ``CommandError``, or of an error of the requester;
    /// also when standard output could not be written.
    ///
    /// - Parameter isService: Whether the command works unattended until it is stopped: then lost output is reported,
    ///   and an orderly end counts.
    func ending<Value>(isService: Bool = false, _ body: () async throws -> Value) async throws -> Value {
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await body())
        } catch {
            outcome = .failure(error)
        }
        if let loss = StandardOutput.shared.loss {
            // The loss stops the command; that it was stopped says nothing more.
            if case .failure(let error) = outcome, let failure = CommandError(ending: error),
                failure.status != .interrupted
            {
                Terminal.complain(failure.description)
            }
            if !loss.description.isEmpty { Terminal.complain(loss.description) }
            if isService, case .success(let value) = outcome { return value }
            throw ExitCode(loss.status.rawValue)
        }
        do {
            return try outcome.get()
        } catch {
            guard let failure = CommandError(ending: error) else { throw error }
            Terminal.complain(failure.description)
            throw ExitCode(failure.status.rawValue)
        }
    }
}

extension CommandError {
    /// The failure that an error ends the command with; `nil` for an unknown error.
    fileprivate init?(ending error: any Error) {
        switch error {
        case let failure as CommandError: self = failure
        case let error as TokenStoreError: self.init("\(error.sentence) (\(error.reason.shown))")
        case let error as SignInError: self.init(error)
        case let error as StoreUnavailableError: self.init(error.description)
        default: return nil
        }
    }

    /// A sign-in that failed: what happened and what to try, and what this device or the server says of it.
    init(_ error: SignInError) {
        var words = error.sentence
        if error.isOfDevice { words += " (\(error.reason.shown))" }
        if let said = error.providerDescription { words += " (The server says: \(said.shown))" }
        self.init(words, status: error.exitStatus)
    }
}

extension SignInError {
    /// Whether this device is at fault, so that the reason names the file or the port.
    fileprivate var isOfDevice: Bool {
        let codes: [Code] = [
            .notStored, .notLoaded, .storeUnusable, .keyUnfit, .keyringUnavailable, .busyElsewhere,
            .browserNotOpened,
        ]
        return codes.contains(code)
    }
}

extension Optional {
    /// The value.
    ///
    /// - Throws: a ``CommandError`` of usage with this sentence when there is none.
    func or(usage sentence: @autoclosure () -> String) throws(CommandError) -> Wrapped {
        guard let self else { throw CommandError.usage(sentence()) }
        return self
    }

    /// The value.
    ///
    /// - Throws: a ``CommandError`` with this sentence when there is none.
    func or(failure sentence: @autoclosure () -> String) throws(CommandError) -> Wrapped {
        guard let self else { throw CommandError(sentence()) }
        return self
    }
}
