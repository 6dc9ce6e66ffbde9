internal import Countersign
internal import CountersignStorage
internal import CountersignWire
internal import FoundationEssentialsCompat

/// A kind of value that is stored in one form.
protocol SQLColumnValue {
    /// The value in a column; `nil` for NULL.
    static func value(in row: any SQLRowReader, _ column: Int) throws -> Self?
}

extension Optional: SQLColumnValue where Wrapped: SQLColumnValue {
    static func value(in row: any SQLRowReader, _ column: Int) throws -> Wrapped?? {
        .some(try Wrapped.value(in: row, column))
    }
}

extension SQLColumnValue where Self: RawRepresentable<String> {
    static func value(in row: any SQLRowReader, _ column: Int) throws -> Self? {
        guard let text = row.text(column) else { return nil }
        guard let value = Self(rawValue: text) else { throw RowDecodingError(column: "\(Self.self)") }
        return value
    }
}

extension String: SQLColumnValue {
    static func value(in row: any SQLRowReader, _ column: Int) -> String? { row.text(column) }
}

extension Int: SQLColumnValue {
    static func value(in row: any SQLRowReader, _ column: Int) -> Int? { row.integer(column) }
}

extension Bool: SQLColumnValue {
    static func value(in row: any SQLRowReader, _ column: Int) -> Bool? { row.integer(column).map { $0 == 1 } }
}

extension Double: SQLColumnValue {
    static func value(in row: any SQLRowReader, _ column: Int) -> Double? { row.real(column) }
}

extension [UInt8]: SQLColumnValue {
    static func value(in row: any SQLRowReader, _ column: Int) -> [UInt8]? { row.bytes(column) }
}

extension Date: SQLColumnValue {
    static func value(in row: any SQLRowReader, _ column: Int) -> Date? {
        row.real(column).map(Date.init(timeIntervalSinceReferenceDate:))
    }
}

extension SecretDigest: SQLColumnValue {
    static func value(in row: any SQLRowReader, _ column: Int) -> SecretDigest? {
        row.bytes(column).map(SecretDigest.init(restoring:))
    }
}

extension ScopeDemands: SQLColumnValue {
    static func value(in row: any SQLRowReader, _ column: Int) throws -> ScopeDemands? {
        guard let text = row.text(column) else { return nil }
        guard let demands = ScopeDemands(parsing: text) else { throw RowDecodingError(column: "minimum_evidence") }
        return demands
    }
}

extension Scope: SQLColumnValue {
    static func value(in row: any SQLRowReader, _ column: Int) throws -> Scope? {
        guard let text = row.text(column) else { return nil }
        guard let scope = Scope(parsing: text) else { throw RowDecodingError(column: "scope") }
        return scope
    }
}

// Identifiers, and enumerations that are stored by name.
extension AppKey: SQLColumnValue {}
extension ApprovalMethod: SQLColumnValue {}
extension ApproverID: SQLColumnValue {}
extension AuditAct: SQLColumnValue {}
extension AuditActor: SQLColumnValue {}
extension Client.DPoPUse: SQLColumnValue {}
extension Client.IDTokenAlgorithm: SQLColumnValue {}
extension Client.TokenFormat: SQLColumnValue {}
extension ClientID: SQLColumnValue {}
extension CredentialID: SQLColumnValue {}
extension Delivery.ID: SQLColumnValue {}
extension DeviceRegistration.ID: SQLColumnValue {}
extension Domain: SQLColumnValue {}
extension EnrolledDevice.Dialect: SQLColumnValue {}
extension CustomerSiteID: SQLColumnValue {}
extension Grant.ID: SQLColumnValue {}
extension IdentityIssuer: SQLColumnValue {}
extension IdentityProvider.ID: SQLColumnValue {}
extension InitialAccessToken.ID: SQLColumnValue {}
extension JSONWebKey.ID: SQLColumnValue {}
extension LinkApproval: SQLColumnValue {}
extension MovingFactor: SQLColumnValue {}
extension Mute.Cause: SQLColumnValue {}
extension AttributeName: SQLColumnValue {}
extension ClaimMapping.Form: SQLColumnValue {}
extension ClaimName: SQLColumnValue {}
extension GroupName: SQLColumnValue {}
extension ScopeWord: SQLColumnValue {}
extension PersonRole: SQLColumnValue {}
extension Policy.Standing: SQLColumnValue {}
extension Provenance: SQLColumnValue {}
extension RememberedScreenID: SQLColumnValue {}
extension RegistrationStatus: SQLColumnValue {}
extension SenderKey: SQLColumnValue {}
extension ServerKey.Purpose: SQLColumnValue {}
extension ServiceDomain.SignOn: SQLColumnValue {}
extension SessionID: SQLColumnValue {}
extension SignInExchangeColumns.Phase: SQLColumnValue {}
extension SignInRequest.ID: SQLColumnValue {}
extension Subject: SQLColumnValue {}
extension TokenID: SQLColumnValue {}
extension UserHandle: SQLColumnValue {}
extension Username: SQLColumnValue {}
