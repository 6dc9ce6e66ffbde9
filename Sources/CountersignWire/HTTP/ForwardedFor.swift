/// The client addresses from proxies: the values of `X-Forwarded-For`, the nearest hop last.
package enum ForwardedFor {
    /// The hops of all values of the header in their order, each without its port; not checked to be addresses.
    package static func hops(_ values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",") }.map { hop in
            AddressNetwork.withoutPort(hop.filter { $0 != " " && $0 != "\t" })
        }
    }
}
