internal import ArgumentParser
internal import CountersignRequester

/// Why the command fails, in words for the person at the terminal.
struct Failure: Error, CustomStringConvertible {
    let description: String
    let status: ExitStatus

    init(_ description: String, status: ExitStatus = .failed) {
        self.description = description
        self.status = status
    }
}

/// How the command ends; each number stands in its help.
enum ExitStatus: Int32, Sendable {
    case done = 0
    case failed = 1
    case denied = 3
    case expired = 4
    case notReached = 5
    case notMe = 6
    case refused = 7
    case usage = 64
    case interrupted = 130
}

extension ParsableCommand {
    /// Runs `body`, and ends with the status and the sentence of a ``Failure``, or of an error of the requester.
    func ending<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let failure as Failure {
            Terminal.complain(failure.description)
            throw ExitCode(failure.status.rawValue)
        } catch let error as TokenStoreError {
            Terminal.complain("\(error.sentence) (\(error.reason))")
            throw ExitCode(ExitStatus.failed.rawValue)
        } catch let error as SignInError {
            Terminal.complain(error.sentence)
            throw ExitCode(error.exitStatus.rawValue)
        }
    }
}
