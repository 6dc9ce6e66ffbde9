internal import Countersign

extension Evidence {
    /// The registered names of the methods (`amr`); `nil` when this server did not see how the person authenticated.
    ///
    /// Standard: RFC 8176 §2.
    var methods: [String]? {
        var methods = authentication?.how.methods ?? []
        if isSignedByDevice, !methods.contains("pop") { methods.append("pop") }
        // The key of the device that signed the answer is a second factor.
        if reaches(.secondFactor), !methods.contains("mfa") { methods.append("mfa") }
        return methods.isEmpty ? nil : methods
    }
}

extension Authentication {
    /// The registered names of the methods (`amr`); `nil` when this server did not see how the person authenticated.
    ///
    /// Standard: RFC 8176 §2.
    fileprivate var methods: [String]? {
        switch self {
        case .password: ["pwd"]
        // A recovery code is used once, too.
        case .passwordAnd: ["pwd", "otp", "mfa"]
        // Possession of a key, and the person's presence and verification.
        case .passkey, .enrolledDevice: ["pop", "user", "mfa"]
        case .federated: nil
        // Over a channel beside that of the client.
        case .possession, .crossDevice: ["mca"]
        }
    }
}
