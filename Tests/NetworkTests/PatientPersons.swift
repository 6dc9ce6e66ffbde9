import CommandFixture
import Foundation

/// The persons at a TV and at a phone that often lose each other: they answer whatever is asked, each time that it is.
struct PatientPersons {
    let phone: AnsweringTerminal
    let tv: AnsweringTerminal

    /// The count of answers to each question.
    private struct Answered {
        var whichPhone = 0
        var isInFront = 0
        var digits = 0
        var approval = 0
    }

    /// Answers until the task is cancelled.
    func answerAll() async {
        var answered = Answered()
        // The count of digits shown on the TV when some were typed last: those of an earlier talk are of no use.
        var shown = 0
        while !Task.isCancelled {
            await answer(tv, "Type the number of the one to ask", by: "1", &answered.whichPhone)
            await answer(phone, "Is it in front of you", by: "yes", &answered.isInFront)
            let talks = tv.printed.components(separatedBy: " in the app on")
            if talks.count - 1 > shown {
                let before = answered.digits
                await answer(phone, "Digits: ", by: String(talks[talks.count - 2].suffix(7)), &answered.digits)
                if answered.digits > before { shown = talks.count - 1 }
            }
            await answer(phone, "Approve?", by: "yes", &answered.approval)
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    private func answer(
        _ terminal: AnsweringTerminal,
        _ question: String,
        by answer: String,
        _ answered: inout Int
    ) async {
        let asked = terminal.printed.components(separatedBy: question).count - 1
        guard asked > answered else { return }
        answered = asked
        await terminal.answer(answer)
    }
}
