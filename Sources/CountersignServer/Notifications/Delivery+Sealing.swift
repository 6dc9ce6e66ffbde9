internal import FoundationEssentialsCompat

// The words, codes and links of messages are sealed in the store until they were sent or given up.
extension Delivery {
    /// A text message with sealed words.
    ///
    /// - Throws: An error of the seal, which does not happen with a key in memory.
    static func text(
        _ words: MessageText,
        to number: PhoneNumber,
        id: ID,
        for environment: CustomerSiteID? = nil,
        about request: SignInRequest.ID? = nil,
        device: DeviceRegistration.ID? = nil,
        made: Date,
        expires: Date,
        sealedBy keys: Keys
    ) throws -> Delivery {
        let sealed = try keys.sealed(Array(words.revealed.utf8), of: id)
        return Delivery(
            id: id, .text(sealed, to: number), for: environment, about: request, device: device, made: made,
            expires: expires)
    }

    /// A mail with a sealed code and link.
    ///
    /// - Throws: An error of the seal, which does not happen with a key in memory.
    static func mail(
        _ message: MailMessage, _ secret: MailSecret, id: ID, made: Date, expires: Date, sealedBy keys: Keys
    ) throws -> Delivery {
        Delivery(id: id, .mail(message, try keys.sealed(secret.bytes, of: id)), made: made, expires: expires)
    }

    /// The words of a text message; `nil` for another delivery, after it was sent, and under a key that is gone.
    func words(openedBy keys: Keys) -> MessageText? {
        guard case .text(let sealed?, to: _) = content else { return nil }
        return keys.opened(sealed, of: id).map { MessageText(revealing: String(decoding: $0, as: UTF8.self)) }
    }

    /// The code and link of a mail; `nil` for a mail without, and as for ``words(openedBy:)``.
    func mailSecret(openedBy keys: Keys) -> MailSecret? {
        guard case .mail(_, let sealed?) = content else { return nil }
        return keys.opened(sealed, of: id).flatMap { MailSecret($0) }
    }
}

extension Keys {
    fileprivate func sealed(_ bytes: [UInt8], of delivery: Delivery.ID) throws -> SealedText {
        SealedText(restoring: try seal.sealed(bytes, for: .message(delivery)))
    }

    fileprivate func opened(_ sealed: SealedText, of delivery: Delivery.ID) -> [UInt8]? {
        seal.opened(sealed.bytes, for: .message(delivery))
    }
}

extension MailSecret {
    private struct Stored: Codable {
        let link: String?
        let code: String?
        var subject: String?
    }

    /// The form under the seal.
    fileprivate var bytes: [UInt8] {
        (try? JSONEncoder.wire.encode(Stored(link: link, code: code, subject: subject?.rawValue))).map(Array.init) ?? []
    }

    /// Reads the opened bytes of a seal.
    fileprivate init?(_ bytes: [UInt8]) {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(bytes)) else { return nil }
        self.init(link: stored.link, code: stored.code, of: stored.subject.map { Subject($0) })
    }
}
