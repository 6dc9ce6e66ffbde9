import Foundation
import Testing

/// The looks in which axe inspects a page.
enum AxeLooks {
    case none, first, firstAndLast
}

extension Browser {
    /// Expects a page of ours to be open under this heading, and to be as every page of ours has to be.
    ///
    /// - Parameters:
    ///   - heading: The page's only heading of the first level.
    ///   - status: The status of the server's answer; the browser complains of each page from 400 on.
    ///   - language: The language of the page.
    ///   - brand: The name of the server, at the end of the title.
    ///   - looks: The ways to look at the page; the browser keeps the last of them. None: as it is now.
    ///   - axe: Those in which axe inspects the page; the first by default.
    func expect(
        _ heading: String,
        answering status: Int = 200,
        language: String = "en",
        of brand: String = "Countersign",
        in looks: [BrowserOptions] = [],
        axe: AxeLooks = .first,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(try await elements("h1").count == 1, sourceLocation: sourceLocation)
        #expect(try await self.heading() == heading, sourceLocation: sourceLocation)
        #expect(try await title().hasSuffix(" – \(brand)"), sourceLocation: sourceLocation)
        #expect(try await element("html").attribute("lang") == language, sourceLocation: sourceLocation)
        #expect(try await elements("main").count == 1, sourceLocation: sourceLocation)
        for cookie in try await cookies() {
            #expect(cookie.httpOnly && cookie.sameSite == "Lax", "\(cookie.name)", sourceLocation: sourceLocation)
        }
        let complaints = try await complaints(besides: status)
        #expect(complaints == [], sourceLocation: sourceLocation)

        if looks.isEmpty { try await expectLegible(nil, sourceLocation) }
        for (index, look) in looks.enumerated() {
            try await self.look(look)
            let isInspected =
                switch axe {
                case .none: false
                case .first: index == 0
                case .firstAndLast: index == 0 || index == looks.count - 1
                }
            if isInspected, look.javaScript { #expect(try await axeFindings() == [], sourceLocation: sourceLocation) }
            try await expectLegible(look, sourceLocation)
            try await keepPicture(of: heading, in: look)
        }
    }

    private func expectLegible(_ look: BrowserOptions?, _ sourceLocation: SourceLocation) async throws {
        let looked = Comment(rawValue: look?.testDescription ?? "as it is")
        #expect(try await overflow() == [], looked, sourceLocation: sourceLocation)
        #expect(try await unnamedControls() == [], looked, sourceLocation: sourceLocation)
        #expect(try await faintTexts() == [], looked, sourceLocation: sourceLocation)
    }

    /// The browser's complaints, without the remark that every page with an error's status gets.
    ///
    /// The browser recommends that a form with a new password names the account, so that it keeps the password for it.
    /// The code on the account page is no password for signing in, and must not replace the one that is kept.
    private func complaints(besides status: Int) async throws -> [String] {
        let recommended = "Password forms should have (optionally hidden) username fields"
        let complaints = try await complaints().filter { !$0.contains(recommended) }
        guard status >= 400 else { return complaints }
        let remark = "Failed to load resource: the server responded with a status of \(status) "
        return complaints.filter { !$0.contains(remark) }
    }

    /// Saves a picture of the page in the folder that COUNTERSIGN_TEST_PICTURES names, for people to look at.
    private func keepPicture(of heading: String, in look: BrowserOptions) async throws {
        guard let path = ProcessInfo.processInfo.environment["COUNTERSIGN_TEST_PICTURES"] else { return }
        let folder = URL(filePath: path)
        let taken = try FileManager.default.contentsOfDirectory(atPath: path).count
        let words = heading.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
        let name = "\(taken + 1000)-\(words)-\(look.width)-\(look.scheme.rawValue).png"
        try await screenshot(wholePage: true).write(to: folder.appending(component: name))
    }
}
