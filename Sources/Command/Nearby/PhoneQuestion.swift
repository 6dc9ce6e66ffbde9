internal import CountersignNearby

/// Asks the person at a terminal, during the search, for the phone, and whether to show another code.
///
/// It continues when one is picked: the person may pick another one, or want another code.
actor PhoneQuestion {
    /// The person's answer.
    enum Answer: Sendable, Equatable {
        /// This phone is selected.
        case phone(NearbyApprover.ID)
        /// Another code is wanted.
        case anotherCode
        /// A part of a name, which narrows the list.
        case narrowed(NearbyList)
    }

    /// Reads the next line; `nil` at the end of the input, and when the task is cancelled.
    private let nextLine: @Sendable () async -> String?
    /// Called with each answer.
    private let take: @Sendable (Answer) async -> Void
    /// Reads the answers to the latest question, until it is withdrawn or the input ends.
    private var reading: (number: Int, task: Task<Void, Never>)?
    /// The number of questions asked.
    private var questions = 0
    /// Whether the person can have another code: an empty line asks for it.
    private var offersAnother = false
    /// Whether questions have ended.
    private var isOver = false

    init(
        reading nextLine: @escaping @Sendable () async -> String?,
        taking take: @escaping @Sendable (Answer) async -> Void
    ) {
        self.nextLine = nextLine
        self.take = take
    }

    /// Whether answers are read.
    var isAsking: Bool { reading != nil }

    /// Asks the person to choose a phone, in place of the previous question; nothing, if there are none.
    func ask(among phones: [NearbyApprover]) {
        guard !phones.isEmpty || !offersAnother else { return }
        begin(among: phones)
    }

    /// Asks whether to show another code, in addition to the current question.
    func offerAnother(among phones: [NearbyApprover]) {
        offersAnother = true
        if reading == nil { begin(among: phones) }
    }

    /// A code is shown: no other one can be shown.
    func withdrawOffer() {
        offersAnother = false
    }

    /// Ends the question: lines that are typed from now on are no answer.
    func stop() {
        isOver = true
        reading?.task.cancel()
        reading = nil
    }

    private func begin(among phones: [NearbyApprover]) {
        reading?.task.cancel()
        reading = nil
        guard !isOver, !phones.isEmpty || offersAnother else { return }
        questions += 1
        let number = questions
        let task = Task {
            await read(among: phones)
            if reading?.number == number { reading = nil }
        }
        reading = (number, task)
    }

    private func read(among phones: [NearbyApprover]) async {
        var list = NearbyList(all: phones)
        while let line = await nextLine() {
            if offersAnother, line.isEmpty {
                offersAnother = false
                await take(.anotherCode)
            } else if let meant = list.meant(by: line) {
                await take(.phone(meant.id))
            } else {
                list.filter = Int(line) == nil ? line : nil
                await take(.narrowed(list))
            }
        }
    }
}
