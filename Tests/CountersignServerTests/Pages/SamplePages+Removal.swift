import Countersign
import Foundation

@testable import CountersignServer

extension SamplePages {
    /// The pages for the export and the removal of an account, in every state.
    static func removal(_ text: String) -> [(String, any Page)] {
        let due = TimeDisplay(noon + 14 * 86_400, at: noon)
        return [
            ("export", AccountExportView(personName: text, formToken: text)),
            ("deletion", AccountDeletionView(asking: text, formToken: text, delay: .counted(14, .days))),
            ("deletion after it", AccountDeletionView(marked: due)),
            (
                "deletion while it can be taken back",
                AccountDeletionView(offering: text, formToken: text, returnTo: text, due: due)
            ),
        ]
    }
}
