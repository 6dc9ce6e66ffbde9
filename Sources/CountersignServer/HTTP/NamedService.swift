package import ServiceLifecycle

/// A service that is described by its name. Groups of services log each of theirs, and would otherwise print everything
/// that it holds.
package protocol NamedService: Service, CustomStringConvertible {}

extension NamedService {
    /// The name of the type.
    package var description: String { "\(Self.self)" }
}
