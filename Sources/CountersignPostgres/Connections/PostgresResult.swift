#if PostgreSQL
internal import CLibPQ
internal import CountersignSQL

/// The result of a statement.
final class PostgresResult {
    private let result: OpaquePointer

    init(owning result: OpaquePointer) {
        self.result = result
    }

    deinit { PQclear(result) }

    var rowCount: Int { Int(PQntuples(result)) }

    /// The number of rows that the statement added, changed or removed.
    var changeCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// The command that the server executed: for example `COMMIT`, or `ROLLBACK` when `COMMIT` failed.
    var command: String { String(cString: PQcmdStatus(result)) }

    subscript(row: Int) -> PostgresRow { PostgresRow(answer: self, index: Int32(row)) }

    fileprivate func bytes(row: Int32, column: Int) -> UnsafeRawBufferPointer? {
        guard PQgetisnull(result, row, Int32(column)) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, Int32(column)), count: Int(PQgetlength(result, row, Int32(column))))
    }
}

/// One row of a result, in binary form.
struct PostgresRow: SQLRowReader {
    fileprivate let answer: PostgresResult
    fileprivate let index: Int32

    func isNull(_ column: Int) -> Bool {
        withExtendedLifetime(answer) { answer.bytes(row: index, column: column) == nil }
    }

    func bytes(_ column: Int) -> [UInt8]? {
        withExtendedLifetime(answer) { answer.bytes(row: index, column: column).map(Array.init) }
    }

    func text(_ column: Int) -> String? {
        withExtendedLifetime(answer) {
            answer.bytes(row: index, column: column).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    func integer(_ column: Int) -> Int? { word(column).map { Int(Int64(bitPattern: $0)) } }

    func real(_ column: Int) -> Double? { word(column).map(Double.init(bitPattern:)) }

    private func word(_ column: Int) -> UInt64? {
        withExtendedLifetime(answer) {
            guard let bytes = answer.bytes(row: index, column: column), bytes.count == 8 else { return nil }
            return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        }
    }
}

extension SQLValue {
    /// Appends the value to a message, in PostgreSQL's binary form.
    func append(to bytes: inout [UInt8]) {
        switch self {
        case .integer(let integer): append(UInt64(bitPattern: Int64(integer)), to: &bytes)
        case .real(let real): append(real.bitPattern, to: &bytes)
        case .text(let text): bytes.append(contentsOf: text.utf8)
        case .bytes(let value): bytes.append(contentsOf: value)
        }
    }

    private func append(_ word: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
#endif
