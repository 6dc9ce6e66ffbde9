/// The words of text messages, in the language of their receiver.
struct MessageWords: Sendable {
    /// The content of a message.
    enum Message: Sendable {
        /// The code that verifies a telephone number.
        case code(String)
        /// The one-time password of a request.
        case password(String)
        /// The address of the page for answering a request.
        case question(link: String)
        /// The notice that another device claims a number of the person.
        case numberClaimed
    }

    /// The maximum length of a site's name, in characters.
    static let longestSite = 40

    let language: PageLanguage

    /// The words of a message.
    ///
    /// - Parameters:
    ///   - message: The content.
    ///   - site: The sender: the name of a site, or the address of the server.
    func text(_ message: Message, from site: String) -> MessageText {
        let (key, name, value): (TextKey, String, String) =
            switch message {
            case .code(let code): (.messageCode, "code", code)
            case .password(let password): (.messagePassword, "password", password)
            case .question(link: let link): (.messageQuestion, "link", link)
            case .numberClaimed: (.messageNumberClaimed, "", "")
            }
        let words = LocalizedText.text(
            key, ["site": .verbatim(String(site.prefix(Self.longestSite))), name: .verbatim(value)])
        return MessageText(revealing: words.words(in: TextTable.of(language)))
    }
}

extension PageLanguage {
    /// The language of a device; `nil` for an unsupported one.
    ///
    /// - Parameter code: The language of the device, such as `de`, `de-AT` or `de_AT`; `nil` for none.
    init?(ofDevice code: String?) {
        guard let code else { return nil }
        let ranges = LanguageRanges(locales: code.replacing("_", with: "-"))
        self.init(preferred: ranges, otherwise: .english)
    }

    /// The language of messages to a person: that of their device with the last contact and a supported language; `nil`
    /// for none.
    init?(of subject: Subject, in repositories: any Repositories) throws {
        let devices = try repositories.devices.all(of: subject).sorted { $0.lastSeen > $1.lastSeen }
        guard let language = devices.lazy.compactMap({ PageLanguage(ofDevice: $0.details.languageCode) }).first else {
            return nil
        }
        self = language
    }
}
