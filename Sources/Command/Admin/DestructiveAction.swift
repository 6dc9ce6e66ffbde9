internal import ArgumentParser

/// A command of an operator that removes or ends something. At a terminal it asks first; elsewhere it needs `--yes`.
protocol DestructiveAction: AdminAction {
    var confirmation: ConfirmationOption { get }

    /// Reads the loss; `nil` for a call that removes nothing.
    func loss() async throws -> Loss?
    /// Does its work after the confirmation.
    func confirmedOutput() async throws -> CommandOutput
}

extension DestructiveAction {
    func output() async throws -> CommandOutput {
        if !confirmation.yes, let loss = try await loss() { try await confirmation.ask(about: loss) }
        return try await confirmedOutput()
    }
}

/// The confirmation of a removal, given beforehand or at the terminal.
struct ConfirmationOption: ParsableArguments {
    @Flag(help: "Go on without a question.")
    var yes = false

    /// Asks the person at the terminal.
    ///
    /// - Throws: a ``CommandError`` when the answer is no, and without a terminal.
    func ask(about loss: Loss) async throws {
        guard Terminal.givesInput else {
            throw CommandError.usage("\(loss) Nobody can be asked here, so nothing was changed: pass --yes to go on.")
        }
        guard await TypedLines.standard.agrees(to: "\(loss) Go on? [yes/no] ", besideJSON: true) else {
            throw CommandError("Nothing was changed.")
        }
    }
}

/// The loss by a removal, in a sentence.
struct Loss: Sendable, CustomStringConvertible {
    /// The largest number that is counted.
    static let most = 1_000

    private let verb: String
    private let sequel: String
    private var things: [String]

    /// Whether anything is counted that goes with the thing.
    var hasMore: Bool { things.count > 1 }

    /// - Parameters:
    ///   - thing: The thing that is removed.
    ///   - verb: The verb for that.
    ///   - sequel: The consequence; by default that it cannot be undone.
    init(_ thing: String, by verb: String = "Removes", then sequel: String = "this cannot be undone") {
        self.verb = verb
        self.sequel = sequel
        things = [thing]
    }

    /// The loss of further things, if there are any.
    func and(_ count: Int, _ noun: String) -> Loss {
        guard count > 0 else { return self }
        let shown = count < Self.most ? "\(count)" : "\(Self.most) or more"
        var more = self
        more.things.append("\(shown) \(noun)\(count == 1 ? "" : "s")")
        return more
    }

    var description: String { "\(verb) \(things.joined(separator: ", ").shown); \(sequel)." }
}
