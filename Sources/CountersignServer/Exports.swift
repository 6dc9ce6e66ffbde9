// A program that runs a server also holds its store and records, so this module comes with it.
@_exported public import CountersignStorage
