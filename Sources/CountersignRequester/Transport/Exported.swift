// Whoever uses this library meets the network's types in its signatures, and need not import their target by name.
@_exported public import CountersignTransport
