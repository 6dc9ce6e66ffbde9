// A program that runs a server also holds its store, certificate and metrics, so these modules come with it.
@_exported public import CountersignHTTP
@_exported public import CountersignStorage
