internal import CountersignWire
internal import Hummingbird

/// A way in: all that one folder of `Flows` adds to the server.
///
/// The server has one list of them, and asks each for its parts. A flow implements those that it has; the others are
/// empty by default.
protocol SignInFlow: Sendable {
    /// The pages that a browser may come back to after signing in or out.
    var returns: [ReturnPage] { get }
    /// The parts of the description of the endpoints, in the form of OpenAPI.
    var descriptionParts: [[UInt8]] { get }
    /// Adds the members of the server's metadata.
    func describe(in metadata: inout AuthorizationServerMetadata)
    /// Mounts the endpoints where clients may prove certificates, on every listener for clients.
    func mountForClients(on router: some RouterMethods<ServerRequestContext>)
    /// Mounts the other endpoints, and the pages.
    func mount(on router: some RouterMethods<ServerRequestContext>, showing pages: PageRoutes)
    /// Adds the requests that are answered on the thread of their connection.
    func add(to path: inout FastPath)
    /// Answers all held requests, because the server stops.
    func stop()
}

extension SignInFlow {
    var returns: [ReturnPage] { [] }
    var descriptionParts: [[UInt8]] { [] }
    func describe(in metadata: inout AuthorizationServerMetadata) {}
    func mountForClients(on router: some RouterMethods<ServerRequestContext>) {}
    func mount(on router: some RouterMethods<ServerRequestContext>, showing pages: PageRoutes) {}
    func add(to path: inout FastPath) {}
    func stop() {}
}
