// Who runs a server also holds its store and records: this module is part of what they get.
@_exported public import CountersignStorage
