/// The network of the platform.
package enum SystemTransport {
    package static func make() -> any HTTPTransport {
        #if os(Linux)
        AsyncHTTPTransport()
        #else
        URLSessionTransport()
        #endif
    }
}
