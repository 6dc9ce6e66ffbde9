internal import Countersign
internal import Foundation

extension Row {
    /// The evidence in this column.
    ///
    /// It is JSON, and every use of a refresh token reads it twice. So the form in which we write it is read byte by
    /// byte, which takes a tenth of the time; any other one is left to the decoder.
    func evidence(_ index: Int) throws -> Evidence {
        let text: String = self[index]
        if let evidence = Evidence(written: text) { return evidence }
        return try document(index)
    }
}
