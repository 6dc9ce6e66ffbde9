import Countersign
import Foundation

@testable import CountersignServer

/// Every page in every state, filled with one text wherever a text goes.
enum SamplePages {
    static let noon = Date(timeIntervalSince1970: 1_800_000_000)

    /// The pages by a name for messages.
    static func html(filledWith text: String, base: String = "") throws -> [String: String] {
        let renderer = try PageRenderer(base: base)
        var pages: [String: String] = [:]
        func add(_ name: String, _ page: some Page) { pages[name] = renderer.html(page) }

        add("login", LoginView(formToken: text, returnTo: text))
        add("login again", LoginView(formToken: text, returnTo: text, username: text, problem: text))
        add("code", CodeEntryView(personName: text, formToken: text))
        add(
            "code again",
            CodeEntryView(personName: text, formToken: text, userCode: text, notice: text, problem: text)
        )
        add("link", LinkArrivalView(personName: text, formToken: text, userCode: text))
        add("confirm", confirm(text))
        add("account", account(text))
        add("empty account", AccountView(personName: text, formToken: text, screens: []))
        for (name, outcome) in outcomes(text) {
            add("result \(name)", ResultView(personName: text, formToken: text, outcome: outcome))
        }
        let problems: [ProblemView] = [
            .notFound, .formExpired, .methodNotAllowed, .tooManyAttempts(wait: text), .serverFault,
        ]
        for problem in problems { add("problem \(problem.status)", problem) }
        return pages
    }

    static func confirm(_ text: String) -> ConfirmView {
        ConfirmView(
            personName: text,
            formToken: text,
            userCode: text,
            facts: [
                .app(.verified(text)),
                .address(.observed(text), sameAsReader: true),
                .asked(.observed(noon - 130), at: noon),
                .deviceName(.asserted(text)),
                .software(.asserted(text)),
            ],
            permissions: [
                ShownPermission(.openid),
                ShownPermission(ScopeWord(rawValue: text), meaning: text),
            ],
            deadline: noon + 250,
            at: noon
        )
    }

    static func account(_ text: String) -> AccountView {
        AccountView(
            personName: text,
            formToken: text,
            notice: text,
            screens: [
                .signedIn(
                    grant: text, client: text, deviceName: text, address: text, since: noon - 20, lastUsed: noon,
                    undoUntil: noon + 40, at: noon
                )
            ],
            waiting: [
                .waiting(
                    grant: text, client: text, deviceName: text, address: text, approved: noon - 10,
                    undoUntil: noon + 50, at: noon
                )
            ]
        )
    }

    static func outcomes(_ text: String) -> [(String, ResultView.Outcome)] {
        [
            ("approved", .approved(app: text, undo: ResultView.Undo(grant: text, lasting: 58))),
            ("denied", .denied),
            ("undone", .undone),
            ("expired", .expired),
            ("already decided", .alreadyDecided),
        ]
    }
}
