internal import ArgumentParser

/// A command that does not exist, in place of one of its group: the parser itself calls it an unexpected argument, or
/// blames an option after it.
struct UnknownCommand: Sendable, Equatable {
    /// The command that was typed.
    let name: String
    /// The full name of the group that has no such command.
    let group: String
    /// The most similar command of the group.
    let suggestion: String?

    /// The command of the parser that shows the help of the command behind it.
    static let help = "help"

    /// Follows the typed words down from a group; `nil` when each names a command, until one that is no group.
    init?(in root: any ParsableCommand.Type, _ words: some Collection<String>) {
        var (group, path) = (root, [root._commandName])
        for word in words.first == Self.help ? words.dropFirst() : words[...] {
            let commands = group.configuration.subcommands
            // A group with a default takes other words as well.
            guard !commands.isEmpty, group.configuration.defaultSubcommand == nil, !word.hasPrefix("-"),
                word != Self.help
            else { return nil }
            guard let next = commands.first(where: { $0.names.contains(word) }) else {
                self.name = word
                self.group = path.joined(separator: " ")
                self.suggestion = Suggestion(from: commands.flatMap { $0.names }).nearest(to: word)
                return
            }
            group = next
            path.append(word)
        }
        return nil
    }

    /// The failure that it ends the program with.
    var failure: CommandError {
        let advice = suggestion.map { "Did you mean \(group) \($0)?" } ?? "See \(group) --help."
        return CommandError.usage("There is no command \(group) \(name.shown). \(advice)")
    }
}

extension ParsableCommand {
    /// The name of the command, and its other ones.
    fileprivate static var names: [String] { [_commandName] + configuration.aliases }
}
