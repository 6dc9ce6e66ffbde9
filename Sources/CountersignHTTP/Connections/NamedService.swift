package import ServiceLifecycle

/// A service whose description is its name. Service groups log each service, otherwise with all its members.
package protocol NamedService: Service, CustomStringConvertible {}

extension NamedService {
    package var description: String { "\(Self.self)" }
}
