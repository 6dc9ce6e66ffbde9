package import Crypto

/// A content of one record in the content coding `aes128gcm`.
///
/// Standard: RFC 8188 §2.
package struct EncryptedContent: Sendable, Equatable {
    /// The name of the coding, for `Content-Encoding`.
    package static let coding = "aes128gcm"
    /// The number of bytes of a salt.
    package static let saltLength = 16
    /// The number of bytes of the header before the identifier of the key.
    private static let fixedLength = saltLength + 5
    /// The number of bytes of the authentication tag.
    private static let tagLength = 16
    /// The octet that ends the plaintext of the last record, before its padding.
    private static let lastDelimiter: UInt8 = 2
    /// The smallest record size.
    private static let smallestRecord = UInt32(tagLength + 2)

    /// The salt, 16 bytes.
    package let salt: [UInt8]
    /// The size of a record, including its tag, in bytes.
    package let recordSize: UInt32
    /// The identifier of the key, at most 255 bytes.
    package let keyID: [UInt8]
    /// The one record: ciphertext and tag.
    package let record: [UInt8]

    /// Reads a content.
    ///
    /// - Parameter bytes: The whole content; `nil` is returned for one without a header, with more than one record, or
    ///   without a record.
    package init?(parsing bytes: [UInt8]) {
        guard bytes.count > Self.fixedLength else { return nil }
        salt = Array(bytes[..<Self.saltLength])
        recordSize = bytes[Self.saltLength..<Self.fixedLength - 1].reduce(0) { $0 << 8 | UInt32($1) }
        let end = Self.fixedLength + Int(bytes[Self.fixedLength - 1])
        guard recordSize >= Self.smallestRecord, bytes.count > end else { return nil }
        keyID = Array(bytes[Self.fixedLength..<end])
        record = Array(bytes[end...])
        guard record.count > Self.tagLength, UInt64(record.count) <= UInt64(recordSize) else { return nil }
    }

    /// Encrypts a plaintext as one record.
    ///
    /// - Parameters:
    ///   - plaintext: The plaintext.
    ///   - padding: The number of bytes of padding.
    ///   - salt: The salt, 16 bytes, which no other content under this key has.
    ///   - recordSize: The size of a record, in bytes; the record must fit.
    ///   - keyID: The identifier of the key, at most 255 bytes.
    ///   - key: The input keying material.
    /// - Throws: `CryptoKitError`, which does not happen with a salt and a size as above.
    package init(
        sealing plaintext: [UInt8], padding: Int = 0, salt: [UInt8], recordSize: UInt32, keyID: [UInt8],
        by key: SymmetricKey
    ) throws {
        let padded = plaintext + [Self.lastDelimiter] + [UInt8](repeating: 0, count: padding)
        let keys = try RecordKeys(from: key, salt: salt)
        let sealed = try AES.GCM.seal(padded, using: keys.key, nonce: keys.nonce)
        self.salt = salt
        self.recordSize = recordSize
        self.keyID = keyID
        record = Array(sealed.ciphertext) + Array(sealed.tag)
    }

    /// The bytes of the content: header and record.
    package var bytes: [UInt8] {
        let size = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: recordSize >> $0) }
        return salt + size + [UInt8(truncatingIfNeeded: keyID.count)] + keyID + record
    }

    /// Decrypts the record.
    ///
    /// - Parameter key: The input keying material.
    /// - Returns: The plaintext without its padding; `nil` for another key, a changed record, or wrong padding.
    package func opened(by key: SymmetricKey) -> [UInt8]? {
        guard let keys = try? RecordKeys(from: key, salt: salt),
            let box = try? AES.GCM.SealedBox(
                nonce: keys.nonce, ciphertext: record.dropLast(Self.tagLength), tag: record.suffix(Self.tagLength)),
            let padded = (try? AES.GCM.open(box, using: keys.key)).map({ Array($0) }),
            let end = padded.lastIndex(where: { $0 != 0 }), padded[end] == Self.lastDelimiter
        else { return nil }
        return Array(padded[..<end])
    }

    /// The key and the nonce of the first record.
    private struct RecordKeys {
        let key: SymmetricKey
        let nonce: AES.GCM.Nonce

        init(from material: SymmetricKey, salt: [UInt8]) throws {
            func derived(_ use: String, _ count: Int) -> SymmetricKey {
                HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: material, salt: salt, info: Array("Content-Encoding: \(use)\0".utf8),
                    outputByteCount: count)
            }
            key = derived(EncryptedContent.coding, 16)
            // The nonce of the first record is that of the content, since its sequence number is zero.
            nonce = try AES.GCM.Nonce(data: derived("nonce", 12).withUnsafeBytes { Array($0) })
        }
    }
}
