/// A value in a list of JSON. One that cannot be read leaves the others of the list as they are.
struct ListedJSON<Value: Decodable>: Decodable {
    let value: Result<Value, ImportLineError>

    init(from decoder: any Decoder) throws {
        do {
            value = .success(try Value(from: decoder))
        } catch {
            value = .failure(ImportLineError(Self.reason(error, below: decoder.codingPath.count)))
        }
    }

    private static func reason(_ error: any Error, below depth: Int) -> String {
        func name(_ path: [any CodingKey]) -> String {
            path.dropFirst(depth).first?.stringValue.brief ?? "It"
        }
        return switch error {
        case DecodingError.keyNotFound(let key, _): "\(key.stringValue.brief) is missing."
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            "\(name(context.codingPath)) has another type."
        default: "It cannot be read."
        }
    }
}
