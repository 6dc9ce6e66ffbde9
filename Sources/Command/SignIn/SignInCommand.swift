internal import ArgumentParser
struct SignInCommand: AsyncParsableCommand {}
