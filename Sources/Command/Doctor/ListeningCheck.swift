internal import CountersignTransport
internal import HTTPTypes

/// Checks whether the server can listen on its addresses, unless it does already.
struct ListeningCheck {
    private let exposure: Exposure

    init(_ exposure: Exposure) {
        self.exposure = exposure
    }

    var findings: [Finding] {
        get async {
            guard await !isRunning else { return [] }
            return exposure.addresses.compactMap { address in
                do {
                    try address.tried()
                    return nil
                } catch {
                    return .problem("address", "\(error)", "The server does not start like this.")
                }
            }
        }
    }

    /// Whether a server answers on the address. One that could not prove to this machine who it is may be ours.
    var isRunning: Bool {
        get async {
            let request = HTTPRequest(
                method: .get,
                scheme: exposure.certificate == nil ? "http" : "https",
                authority: "\(exposure.listen)",
                path: "/health/live"
            )
            do {
                let answer = try await SystemTransport.make().send(request, body: [], within: .seconds(5))
                return answer.response.status == .ok
            } catch {
                return error.code == .notTrusted
            }
        }
    }
}
