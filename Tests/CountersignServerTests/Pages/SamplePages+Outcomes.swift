import Countersign
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

extension SamplePages {
    static func outcomes(_ text: String) -> [(String, ResultView.Outcome)] {
        [
            ("approved", .approved(app: text, undo: .offered(UndoView(grant: text, until: noon + 58, at: noon)))),
            ("approved for a service", .approved(app: text, for: .domain(text), undo: .over)),
            (
                "approved for a program",
                .approved(app: text, for: .program(purpose: text, until: .verbatim(text)), undo: .over)
            ),
            ("approved for an app that named the person", .approved(app: text, for: .named, undo: .over)),
            ("approved and delivered", .approved(app: text, undo: .delivered)),
            ("approved for a browser", .approvedBrowser(undo: .over)),
            ("denied", .denied),
            ("undone", .undone(nil)),
            ("undone somewhere", .undone(.verbatim(text))),
            ("expired", .expired),
            ("cancelled", .cancelled),
            ("nearby only", .nearbyOnly),
            ("password only", .passwordOnly),
            ("second factor only", .secondFactorOnly),
            ("class unmet", .unmet),
            ("passkey only", .passkeyOnly),
            ("group only", .groupOnly),
            ("already decided", .alreadyDecided),
        ]
    }
}
