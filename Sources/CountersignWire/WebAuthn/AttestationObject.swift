/// A new credential with its authenticator's statement about itself.
///
/// Standard: Web Authentication Level 3 §6.5.4.
package struct AttestationObject: Sendable, Equatable {
    /// The form of the statement, such as `none` or `packed` (`fmt`).
    package let format: String
    /// The authenticator's data about the ceremony.
    package let authenticatorData: AuthenticatorData
    /// The same as bytes; signatures cover these.
    package let authenticatorBytes: [UInt8]
    /// The statement (`attStmt`).
    package let statement: [CBORValue.Member]

    /// Reads an object.
    ///
    /// - Throws: ``PasskeyError`` `malformed`, or what the authenticator data is refused for.
    package init(parsing bytes: [UInt8]) throws(PasskeyError) {
        let value: CBORValue
        do throws(CBORError) {
            value = try CBORReader.value(of: bytes)
        } catch {
            throw PasskeyError(.malformed, because: "attestation object: \(error)")
        }
        guard let members = value.members, members.count == 3, let format = value[.text("fmt")]?.text,
            (1...32).contains(format.utf8.count), let statement = value[.text("attStmt")]?.members,
            let data = value[.text("authData")]?.bytes
        else { throw PasskeyError(.malformed, because: "attestation object without fmt, attStmt or authData") }
        self.format = format
        self.statement = statement
        authenticatorBytes = data
        authenticatorData = try AuthenticatorData(parsing: data)
    }
}

/// The proof that a registration gives about the authenticator. Nothing in it is trusted: there is no list of makers.
public enum Attestation: Sendable, Hashable {
    /// The authenticator makes no statement (`none`).
    case none
    /// The new key signed for itself (`packed` without certificates); the signature was verified.
    case selfSigned
    /// A statement in the named form, which was not read.
    case notRead(format: String)
}

extension AttestationObject {
    /// Reads the statement.
    ///
    /// Standard: Web Authentication Level 3 §8.2, §8.7.
    func attestation(
        of credential: AuthenticatorData.Credential,
        clientDataDigest: [UInt8],
        acceptingOthers: Bool
    ) throws(PasskeyError) -> Attestation {
        switch format {
        case "none":
            guard statement.isEmpty else { throw PasskeyError(.attestation, because: "none, yet with a statement") }
            return .none
        case "packed" where !statement.contains { $0.name == .text("x5c") }:
            let value = CBORValue.map(statement)
            guard statement.count == 2, value[.text("alg")]?.number == credential.key.algorithm.rawValue,
                let signature = value[.text("sig")]?.bytes,
                credential.key.verifies(signature, over: authenticatorBytes + clientDataDigest)
            else { throw PasskeyError(.attestation, because: "the self attestation is wrong") }
            return .selfSigned
        default:
            guard acceptingOthers else { throw PasskeyError(.attestation, because: "the form is not accepted") }
            return .notRead(format: format)
        }
    }
}
