internal import ArgumentParser
struct DemoCommand: AsyncParsableCommand {}
