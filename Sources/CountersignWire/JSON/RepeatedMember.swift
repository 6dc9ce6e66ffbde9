/// A member that an object has twice, of which decoders take one: a file of an operator would lose rules without a word.
///
/// Standard: RFC 8259 §4.
package enum RepeatedMember {
    /// The first name that an object in a document repeats; `nil` for none, and where the document is no JSON.
    package static func name(in document: some Sequence<UInt8>) -> String? {
        do throws(TextMembers.MemberError) {
            try JSONScanner.requireDistinctNames(in: Array(document))
            return nil
        } catch {
            return if case .repeated(let name) = error { name } else { nil }
        }
    }
}
