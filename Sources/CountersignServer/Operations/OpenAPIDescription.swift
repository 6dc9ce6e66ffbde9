internal import Foundation

/// The OpenAPI description of the endpoints, from the files in `OpenAPIParts`.
///
/// Standard: OpenAPI Specification 3.1.
enum OpenAPIDescription {
    /// A part that cannot be parsed, which is a fault of the program.
    struct PartError: Error {}

    /// The frame that all parts share.
    private static let frame = PackageResources.openapi_json

    /// The paths of the endpoints that belong to no way in.
    private static let parts = [
        PackageResources.description_json,
        PackageResources.exchange_nonce_json,
        PackageResources.introspect_json,
        PackageResources.jwks_json,
        PackageResources.metadata_json,
        PackageResources.revoke_json,
        PackageResources.token_json,
        PackageResources.userinfo_json,
    ]

    /// The paths for servers with client registration.
    private static let registration = PackageResources.register_json

    /// The whole description of a server, as JSON.
    ///
    /// - Parameters:
    ///   - further: The parts of the ways in.
    ///   - registers: Whether clients may register themselves.
    static func bytes(
        for issuer: Issuer,
        with further: [[UInt8]],
        registering registers: Bool
    ) throws -> [UInt8] {
        var whole = try object(frame)
        whole["servers"] = [["url": issuer.text]]
        var paths: [String: Any] = [:]
        for part in parts + further + (registers ? [registration] : []) {
            paths.merge(try object(part)) { first, _ in first }
        }
        whole["paths"] = paths.mapValues(withAnswersOfGate)
        return Array(
            try JSONSerialization.data(withJSONObject: whole, options: [.sortedKeys, .withoutEscapingSlashes]))
    }

    /// The path with the common answers of ``RequestGate``.
    private static func withAnswersOfGate(_ path: Any) -> Any {
        guard let operations = path as? [String: Any] else { return path }
        return operations.mapValues { operation -> Any in
            guard var operation = operation as? [String: Any], var responses = operation["responses"] as? [String: Any]
            else { return operation }
            responses["417"] = ["$ref": "#/components/responses/UnknownExpectation"]
            responses["421"] = ["$ref": "#/components/responses/Misdirected"]
            operation["responses"] = responses
            return operation
        }
    }

    private static func object(_ bytes: [UInt8]) throws -> [String: Any] {
        guard let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
            throw PartError()
        }
        return object
    }
}
