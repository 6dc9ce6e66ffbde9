internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

/// A browser at the sign-in page, where nobody is signed in, that asks for a session.
struct AskingBrowser: Sendable {
    /// The path of the page that shows its request.
    static let path = "/login/phone"

    var cookies: [String: String]
    /// The form of the sign-in page that starts a request.
    let start: HTMLForm
    /// The form that signs in the person who approved; `nil` while there is none.
    var proceeding: HTMLForm?
    /// The form that gives the request up; `nil` for a page without one.
    var cancellation: HTMLForm?
    /// The number that the page shows; `nil` for none.
    var number: VerificationNumber?

    /// The code that redeems its request; `nil` without a request.
    var code: DeviceCode? {
        guard let cookie = cookies.first(where: { $0.key.contains("countersign-asking") })?.value,
            let end = cookie.lastIndex(of: ".")
        else { return nil }
        return DeviceCode(revealing: String(cookie[..<end]))
    }

    /// The header fields of its requests.
    var fields: HTTPFields {
        var fields: HTTPFields = [:]
        fields[.cookie] = HomeBrowser.header(of: cookies)
        if let site = HTTPField.Name("Sec-Fetch-Site") { fields[site] = "same-origin" }
        return fields
    }

    /// Starts again with its cookies, without a page.
    mutating func restart() { (proceeding, cancellation, number) = (nil, nil, nil) }

    /// Shows the page of its request.
    mutating func show(_ answer: HTTPAnswer) {
        HomeBrowser.keep(answer, in: &cookies)
        let forms = HTMLForms(answer.text).forms
        proceeding = forms.first { $0.action == "\(Self.path)/continue" }
        cancellation = forms.first { $0.action == "\(Self.path)/cancel" }
        number = answer.shownCodes.lazy.compactMap { VerificationNumber(parsing: $0) }.first
    }
}

extension HTTPAnswer {
    /// The codes and numbers that a page shows to be typed elsewhere.
    var shownCodes: [String] { texts(after: #"<strong class="code">"#) }

    /// The heading of a page; empty for none.
    var heading: String { texts(after: "<h1>").first ?? "" }

    /// The texts after a tag, up to the next one.
    private func texts(after tag: String) -> [String] {
        let (tag, bracket) = (Array(tag.utf8), UInt8(ascii: "<"))
        var texts: [String] = []
        body.withUnsafeBufferPointer { bytes in
            for start in bytes.indices where bytes[start] == bracket && bytes[start...].starts(with: tag) {
                let text = start + tag.count
                var end = text
                while end < bytes.count, bytes[end] != bracket { end += 1 }
                texts.append(String(decoding: bytes[text..<end], as: UTF8.self))
            }
        }
        return texts
    }
}
